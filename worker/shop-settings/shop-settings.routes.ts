import { Hono } from 'hono'
import { cachedJson, cachedPublicRead } from '../cache/public-reads'
import { adminShopApi, type ShippingDestinations, type ShopSettings, shopApi } from '../contract/shop-settings'
import type { AppEnv } from '../http/app-env'
import { actorOf } from '../http/deps'
import { validateBody } from '../http/validate'
import { changeSettings, listDestinations, readSettings } from './shop-settings'

export const shopSettingsRoutes = new Hono<AppEnv>()

shopSettingsRoutes.get(
  shopApi.destinations.path,
  cachedPublicRead(async ({ db }) => cachedJson((await listDestinations(db)) satisfies ShippingDestinations)),
)

shopSettingsRoutes.get(adminShopApi.settings.path, async (c) =>
  c.json((await readSettings(c.var.db, c.var.config)) satisfies ShopSettings),
)

shopSettingsRoutes.patch(adminShopApi.updateSettings.path, validateBody(adminShopApi.updateSettings), async (c) => {
  await changeSettings(c.var.db, c.req.valid('json'), await actorOf(c))
  return c.json((await readSettings(c.var.db, c.var.config)) satisfies ShopSettings)
})
