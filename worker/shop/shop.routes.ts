import { Hono } from 'hono'
import { type Product, shopApi } from '../contract/shop'
import type { AppEnv } from '../http/app-env'
import { allProducts } from './shop'

export const shopRoutes = new Hono<AppEnv>()

shopRoutes.get(shopApi.products.path, async (c) => c.json((await allProducts(c.var.db)) satisfies Product[]))
