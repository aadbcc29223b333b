import { Hono } from 'hono'
import { adminOverviewApi, type Overview } from '../contract/admin'
import type { AppEnv } from '../http/app-env'
import { loadOverview } from './overview'

export const overviewRoutes = new Hono<AppEnv>()

overviewRoutes.get(adminOverviewApi.overview.path, async (c) =>
  c.json((await loadOverview(c.var.db, c.var.now())) satisfies Overview),
)
