import { Hono } from 'hono'
import { authApi } from '../contract/auth'
import type { AppEnv } from '../http/app-env'

export const googleRoutes = new Hono<AppEnv>()

googleRoutes.get(authApi.google.path, (c) => c.redirect('/login?error=google', 303))
