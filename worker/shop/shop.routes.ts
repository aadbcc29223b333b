import { Hono } from 'hono'
import { type Product, shopApi } from '../contract/shop'
import type { AppEnv } from '../http/app-env'
import { keptForAll, keptJson } from '../http/public-read'
import { allProducts } from './shop'

export const shopRoutes = new Hono<AppEnv>()

shopRoutes.get(
  shopApi.products.path,
  keptForAll(async ({ db }) => keptJson((await allProducts(db)) satisfies Product[])),
)
