import { Hono } from 'hono'
import { createToken, listTokens, revokeToken } from '../auth/api-tokens'
import { cachedPublicRead } from '../cache/public-reads'
import { developersApi } from '../contract/developers'
import type { AppEnv } from '../http/app-env'
import { actorOf, depsOf } from '../http/deps'
import { rateLimit } from '../http/rate-limit'
import { validateBody } from '../http/validate'
import { buildOpenApi } from './openapi'
import {
  addWebhook,
  changeWebhook,
  listDeliveries,
  listWebhooks,
  removeWebhook,
  replayDelivery,
  rotateSecret,
  sendTestEvent,
  toUrlRules,
} from './webhooks'

export const developersRoutes = new Hono<AppEnv>()

const openApiTexts = new Map<string, string>()
/** A demo's origin is the host that the request names, so there may be any number of them. */
const MAX_CACHED_ORIGINS = 10

/** The OpenAPI document of an origin. Cached, because building it takes tens of milliseconds. */
function openApiText(origin: string): string {
  const text = openApiTexts.get(origin) ?? JSON.stringify(buildOpenApi(origin))
  if (openApiTexts.size < MAX_CACHED_ORIGINS) openApiTexts.set(origin, text)
  return text
}

developersRoutes.get(
  developersApi.openApi.path,
  cachedPublicRead(async ({ origin }) => ({
    body: openApiText(origin),
    headers: { 'content-type': 'application/json' },
    hasCounters: false,
  })),
)

developersRoutes.get(developersApi.tokens.path, async (c) => c.json(await listTokens(c.var.db, c.var.now())))
developersRoutes.post(
  developersApi.createToken.path,
  rateLimit('LIMIT_WRITES'),
  validateBody(developersApi.createToken),
  async (c) => c.json(await createToken(depsOf(c), c.req.valid('json'), await actorOf(c)), 201),
)
developersRoutes.delete(developersApi.revokeToken.path, rateLimit('LIMIT_WRITES'), async (c) => {
  await revokeToken(c.var.db, c.req.param('id'), await actorOf(c))
  return c.body(null, 204)
})

developersRoutes.get(developersApi.webhooks.path, async (c) => c.json(await listWebhooks(c.var.db, c.var.now())))
developersRoutes.post(
  developersApi.addWebhook.path,
  rateLimit('LIMIT_WRITES'),
  validateBody(developersApi.addWebhook),
  async (c) =>
    c.json(await addWebhook(depsOf(c), c.req.valid('json'), toUrlRules(c.var.config), await actorOf(c)), 201),
)
developersRoutes.patch(
  developersApi.changeWebhook.path,
  rateLimit('LIMIT_WRITES'),
  validateBody(developersApi.changeWebhook),
  async (c) => {
    const change = { ...c.req.valid('json'), id: c.req.param('id') }
    await changeWebhook(c.var.db, change, toUrlRules(c.var.config), await actorOf(c))
    return c.body(null, 204)
  },
)
developersRoutes.delete(developersApi.removeWebhook.path, rateLimit('LIMIT_WRITES'), async (c) => {
  await removeWebhook(c.var.db, c.req.param('id'), await actorOf(c))
  return c.body(null, 204)
})
developersRoutes.post(developersApi.rotateSecret.path, rateLimit('LIMIT_WRITES'), async (c) =>
  c.json({ secret: await rotateSecret(depsOf(c), c.req.param('id'), await actorOf(c)) }),
)
developersRoutes.get(developersApi.deliveries.path, async (c) =>
  c.json(await listDeliveries(c.var.db, c.req.param('id'))),
)
developersRoutes.post(developersApi.testWebhook.path, rateLimit('LIMIT_WRITES'), async (c) => {
  await sendTestEvent(c.var.db, c.req.param('id'), await actorOf(c))
  return c.body(null, 202)
})
developersRoutes.post(developersApi.replay.path, rateLimit('LIMIT_WRITES'), async (c) => {
  await replayDelivery(c.var.db, c.req.param('id'), await actorOf(c))
  return c.body(null, 202)
})
