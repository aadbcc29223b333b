import { Hono } from 'hono'
import { cachedJson, cachedPublicRead } from '../cache/public-reads'
import { adminShopApi, type Destinations, type ShopSettings, shopApi } from '../contract/shop-settings'
import type { AppEnv } from '../http/app-env'
import { validateBody } from '../http/validate'
import { changeSettings, listDestinations, readSettings } from './shop-settings'

export const shopSettingsRoutes = new Hono<AppEnv>()

shopSettingsRoutes.get(
  shopApi.destinations.path,
  cachedPublicRead(async ({ db }) => cachedJson((await listDestinations(db)) satisfies Destinations)),
)

shopSettingsRoutes.get(adminShopApi.settings.path, async (c) =>
  c.json((await readSettings(c.var.db, c.var.config)) satisfies ShopSettings),
)

shopSettingsRoutes.patch(adminShopApi.updateSettings.path, validateBody(adminShopApi.updateSettings), async (c) => {
  const { userId: actorId } = await c.var.session.requireAdmin()
  await changeSettings(c.var.db, c.req.valid('json'), { actorId, at: c.var.now() })
  return c.json((await readSettings(c.var.db, c.var.config)) satisfies ShopSettings)
})
