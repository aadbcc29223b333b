import { Hono } from 'hono'
import { cachedJson, cachedPublicRead } from '../cache/public-reads'
import { type Product, productsApi } from '../contract/products'
import type { AppEnv } from '../http/app-env'
import { rateLimit } from '../http/rate-limit'
import { validateBody } from '../http/validate'
import { enqueueView } from './product-views'
import { listProducts } from './products'

export const productsRoutes = new Hono<AppEnv>()

productsRoutes.get(
  productsApi.products.path,
  cachedPublicRead(async ({ db }) => cachedJson((await listProducts(db)) satisfies Product[])),
)

productsRoutes.post(productsApi.view.path, rateLimit('LIMIT_WRITES'), validateBody(productsApi.view), async (c) => {
  await enqueueView(c.env.JOBS, { productId: c.req.valid('json').productId, at: c.var.now() })
  return c.body(null, 204)
})
