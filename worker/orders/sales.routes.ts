import { Hono } from 'hono'
import { type Sales, salesApi } from '../contract/sales'
import { readDayRange } from '../db/day-range'
import type { AppEnv } from '../http/app-env'
import { loadSales } from './sales'

export const salesRoutes = new Hono<AppEnv>()

salesRoutes.get(salesApi.sales.path, async (c) => {
  const { db } = c.var
  return c.json((await loadSales(db, await readDayRange(db, c.req.query(), c.var.now()))) satisfies Sales)
})
