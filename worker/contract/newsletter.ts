import * as z from 'zod/mini'
import { del, get, patch, post, user, visitor } from './endpoint'
import { emailAddress, optionalLine, turnstileToken } from './fields'
import { CompletedMissions } from './points'

/** `missions` only if the subscription completed some. */
export const SubscribeResult = z.object({ pointsEarned: z.int(), missions: z.optional(CompletedMissions) })
export type SubscribeResult = z.infer<typeof SubscribeResult>

export const newsletterApi = {
  subscribe: post(
    '/api/newsletter/subscribe',
    z.strictObject({ email: emailAddress, turnstileToken }),
    SubscribeResult,
    visitor,
  ),
}

/** The token of an emailed link. */
export const LinkToken = z.strictObject({ token: z.string().check(z.minLength(1), z.maxLength(1000)) })

/** What the holder of a link may see; the address is masked. */
export const Preferences = z.object({
  list: z.enum(['newsletter', 'alerts', 'stock']),
  email: z.string(),
  subscribed: z.boolean(),
  /** City of the subscriber, or of a show alert. */
  city: z.nullable(z.string()),
})
export type Preferences = z.infer<typeof Preferences>

export const MyNewsletter = z.object({
  /**
   * `unconfirmed`: the account's address is not confirmed; `asked`: a confirmation email is pending; `bounced`: emails
   * are suppressed.
   */
  state: z.enum(['unconfirmed', 'off', 'asked', 'on', 'bounced']),
  /** A confirmation email can be requested now. */
  canAsk: z.boolean(),
  city: z.nullable(z.string()),
  /** Path of the preferences page, with its token; null unless `state` is `on`. */
  preferences: z.nullable(z.string()),
})
export type MyNewsletter = z.infer<typeof MyNewsletter>

/** Confirmation, preferences and unsubscription of the mailing lists. */
export const mailingListsApi = {
  confirm: post('/api/newsletter/confirm', LinkToken, z.object({ confirmed: z.literal(true) }), {
    ...visitor,
    description: '400 `bad_token` for an expired or invalid link, or one older than the last unsubscribe.',
  }),
  unsubscribe: post('/api/newsletter/unsubscribe', LinkToken, z.object({ unsubscribed: z.literal(true) }), {
    ...visitor,
    description:
      "Unsubscribes from the link's list. The token may be in the URL (RFC 8058: email clients post a form without Origin or cookies).",
    anyOrigin: true,
  }),
  unsubscribePage: get('/api/newsletter/unsubscribe', null, {
    ...visitor,
    description: 'Redirects to the page with the button; changes nothing.',
    status: 303,
  }),
  preferences: post('/api/newsletter/preferences', LinkToken, Preferences, {
    ...visitor,
    description: 'A read by POST, which keeps the token out of URLs and logs.',
  }),
  updatePreferences: patch(
    '/api/newsletter/preferences',
    z.extend(LinkToken, {
      city: z.optional(optionalLine(80, 'The city')),
      subscribed: z.optional(z.boolean()),
    }),
    Preferences,
    visitor,
  ),
  myNewsletter: get('/api/account/newsletter', MyNewsletter, user),
  unsubscribeMe: del('/api/account/newsletter', null, null, {
    ...user,
    description: "Unsubscribes the account's address. 403 until it is confirmed.",
  }),
  confirmAlert: post('/api/shows/alerts/confirm', LinkToken, z.object({ confirmed: z.literal(true) }), {
    ...visitor,
    description: '400 `bad_token`.',
  }),
}
