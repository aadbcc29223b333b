import { type Context, Hono } from 'hono'
import { LinkToken, listsApi } from '../contract/lists'
import { newsletterApi } from '../contract/newsletter'
import type { AppEnv } from '../http/app-env'
import { listHouse } from '../http/house'
import { limited } from '../http/rate-limit'
import { body } from '../http/validate'
import { subscribe } from './newsletter'
import { leaveOwn, ownNewsletter } from './own'
import { changePreferences, confirm, preferences, unsubscribe } from './preferences'
import { deadLink } from './tokens'

export const newsletterRoutes = new Hono<AppEnv>()

newsletterRoutes.post(newsletterApi.subscribe.path, limited('LIMIT_MAIL'), body(newsletterApi.subscribe), async (c) =>
  c.json(
    await subscribe(listHouse(c), {
      email: c.req.valid('json').email,
      at: c.var.now(),
      claim: await c.var.session.reader(),
    }),
  ),
)

newsletterRoutes.post(listsApi.confirm.path, limited('LIMIT_AUTH'), body(listsApi.confirm), async (c) => {
  await confirm(listHouse(c), c.req.valid('json').token, c.var.now())
  return c.json({ confirmed: true } as const)
})

// Not limited: the mail programs of a thousand readers post from a handful of addresses.
newsletterRoutes.post(listsApi.unsubscribe.path, async (c) => {
  await unsubscribe(listHouse(c), await tokenOf(c), c.var.now())
  return c.json({ unsubscribed: true } as const)
})

newsletterRoutes.get(listsApi.unsubscribePage.path, (c) =>
  c.redirect(`/newsletter/unsubscribe?token=${encodeURIComponent(c.req.query('token') ?? '')}`, 303),
)

newsletterRoutes.post(listsApi.preferences.path, limited('LIMIT_WRITES'), body(listsApi.preferences), async (c) =>
  c.json(await preferences(listHouse(c), c.req.valid('json').token, c.var.now())),
)

newsletterRoutes.patch(
  listsApi.changePreferences.path,
  limited('LIMIT_WRITES'),
  body(listsApi.changePreferences),
  async (c) => c.json(await changePreferences(listHouse(c), c.req.valid('json'), c.var.now())),
)

newsletterRoutes.get(listsApi.own.path, async (c) =>
  c.json(await ownNewsletter(listHouse(c), (await c.var.session.supporter()).userId, c.var.now())),
)

newsletterRoutes.delete(listsApi.leaveOwn.path, limited('LIMIT_WRITES'), async (c) => {
  await leaveOwn(listHouse(c), (await c.var.session.supporter()).userId, c.var.now())
  return c.body(null, 204)
})

/** In the address where a mail program posts its own form, in a JSON body where our page does. */
async function tokenOf(c: Context<AppEnv>): Promise<string> {
  const inAddress = c.req.query('token')
  if (inAddress !== undefined) return inAddress
  const sent = LinkToken.safeParse(await c.req.json().catch(() => null))
  if (!sent.success) throw deadLink()
  return sent.data.token
}
