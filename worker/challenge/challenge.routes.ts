import { Hono } from 'hono'
import { type Challenge, challengeApi } from '../contract/challenge'
import type { AppEnv } from '../http/app-env'
import { hallOfFame } from './challenge'

export const challengeRoutes = new Hono<AppEnv>()

challengeRoutes.get(challengeApi.hallOfFame.path, async (c) =>
  c.json((await hallOfFame(c.var.db, c.var.now())) satisfies Challenge),
)
