import { Hono } from 'hono'
import { cachedJson, cachedPublicRead } from '../cache/public-reads'
import { type Product, productsApi } from '../contract/products'
import type { AppEnv } from '../http/app-env'
import { listProducts } from './products'

export const productsRoutes = new Hono<AppEnv>()

productsRoutes.get(
  productsApi.products.path,
  cachedPublicRead(async ({ db }) => cachedJson((await listProducts(db)) satisfies Product[])),
)
