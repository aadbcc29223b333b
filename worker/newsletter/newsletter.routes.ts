import { type Context, Hono } from 'hono'
import { emailApi } from '../contract/email'
import { LinkToken, mailingListsApi, newsletterApi } from '../contract/newsletter'
import { expiredLinkError } from '../email/link-tokens'
import type { AppEnv } from '../http/app-env'
import { clientNetwork48 } from '../http/client-address'
import { depsOf } from '../http/deps'
import { rateLimit } from '../http/rate-limit'
import { requireTurnstile } from '../http/turnstile'
import { validateBody } from '../http/validate'
import { confirmSubscription, readAccountSubscription, subscribeToNewsletter, unsubscribeAccount } from './newsletter'
import { readPreferences, unsubscribeByLink, updatePreferences } from './preferences'
import { handleResendWebhook } from './resend-webhook'

export const newsletterRoutes = new Hono<AppEnv>()

newsletterRoutes.post(
  newsletterApi.subscribe.path,
  rateLimit('LIMIT_MAIL'),
  validateBody(newsletterApi.subscribe),
  requireTurnstile('newsletter'),
  async (c) =>
    c.json(
      await subscribeToNewsletter(depsOf(c), {
        email: c.req.valid('json').email,
        at: c.var.now(),
        network: clientNetwork48(c),
        session: (await c.var.session.userIfAvailable())?.session ?? null,
      }),
    ),
)

newsletterRoutes.post(
  mailingListsApi.confirm.path,
  rateLimit('LIMIT_AUTH'),
  validateBody(mailingListsApi.confirm),
  async (c) => {
    await confirmSubscription(depsOf(c), c.req.valid('json').token, c.var.now())
    return c.json({ confirmed: true } as const)
  },
)

// No rate limit: a mail provider sends the one-click requests of many recipients from few IP addresses.
newsletterRoutes.post(mailingListsApi.unsubscribe.path, async (c) => {
  await unsubscribeByLink(depsOf(c), await readToken(c), c.var.now())
  return c.json({ unsubscribed: true } as const)
})

/** Email clients send the token in the URL, the unsubscribe page in a JSON body. */
async function readToken(c: Context<AppEnv>): Promise<string> {
  const queryToken = c.req.query('token')
  if (queryToken !== undefined) return queryToken
  const parsed = LinkToken.safeParse(await c.req.json().catch(() => null))
  if (!parsed.success) throw expiredLinkError()
  return parsed.data.token
}

newsletterRoutes.get(mailingListsApi.unsubscribePage.path, (c) =>
  c.redirect(`/newsletter/unsubscribe?token=${encodeURIComponent(c.req.query('token') ?? '')}`, 303),
)

newsletterRoutes.post(
  mailingListsApi.preferences.path,
  rateLimit('LIMIT_WRITES'),
  validateBody(mailingListsApi.preferences),
  async (c) => c.json(await readPreferences(depsOf(c), c.req.valid('json').token, c.var.now())),
)

newsletterRoutes.patch(
  mailingListsApi.updatePreferences.path,
  rateLimit('LIMIT_WRITES'),
  validateBody(mailingListsApi.updatePreferences),
  async (c) => c.json(await updatePreferences(depsOf(c), c.req.valid('json'), c.var.now())),
)

newsletterRoutes.get(mailingListsApi.myNewsletter.path, async (c) =>
  c.json(await readAccountSubscription(depsOf(c), (await c.var.session.requireSupporter()).userId, c.var.now())),
)

newsletterRoutes.delete(mailingListsApi.unsubscribeMe.path, rateLimit('LIMIT_WRITES'), async (c) => {
  await unsubscribeAccount(depsOf(c), (await c.var.session.requireSupporter()).userId, c.var.now())
  return c.body(null, 204)
})

newsletterRoutes.post(emailApi.resendWebhook.path, async (c) => {
  const { mail } = c.var.config
  const deps = { ...depsOf(c), webhookSecret: mail.resendWebhookSecret, from: mail.from }
  const signatureHeaders = {
    id: c.req.header('svix-id') ?? '',
    timestamp: c.req.header('svix-timestamp') ?? '',
    signature: c.req.header('svix-signature') ?? '',
  }
  await handleResendWebhook(deps, { payload: await c.req.text(), signatureHeaders }, c.var.now())
  return c.body(null, 200)
})
