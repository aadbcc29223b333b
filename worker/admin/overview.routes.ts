import { Hono } from 'hono'
import { type Overview, overviewApi } from '../contract/overview'
import type { AppEnv } from '../http/app-env'
import { overview } from './overview'

export const overviewRoutes = new Hono<AppEnv>()

overviewRoutes.get(overviewApi.overview.path, async (c) =>
  c.json((await overview(c.var.db, c.var.now())) satisfies Overview),
)
