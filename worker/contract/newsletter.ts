import * as z from 'zod/mini'
import { del, get, patch, post } from './endpoint'
import { emailAddress, optionalLine } from './fields'

export const newsletterApi = {
  subscribe: post(
    '/api/newsletter/subscribe',
    z.strictObject({ email: emailAddress }),
    z.object({ pointsEarned: z.int() }),
  ),
}

/** The secret of a mailed link. */
export const LinkToken = z.strictObject({ token: z.string().check(z.minLength(1), z.maxLength(1000)) })

/** What the holder of a link may see: their own address, masked, and what it gets. */
export const Preferences = z.object({
  list: z.enum(['newsletter', 'alerts']),
  email: z.string(),
  subscribed: z.boolean(),
  /** Where the reader lives, or the city whose shows they asked for. */
  city: z.nullable(z.string()),
})
export type Preferences = z.infer<typeof Preferences>

/**
 * The account's own address and the newsletter. `unconfirmed`: the account has not shown that the address is its own,
 * and nothing is said; `asked`: a mail whose button still works waits in the mailbox; `bounced`: our mail came back, and
 * nothing is sent. `canAsk`: asking for that mail, once more too, would send one today. `preferences` is the page where
 * more can be changed.
 */
export const MyNewsletter = z.object({
  state: z.enum(['unconfirmed', 'off', 'asked', 'on', 'bounced']),
  canAsk: z.boolean(),
  city: z.nullable(z.string()),
  preferences: z.nullable(z.string()),
})
export type MyNewsletter = z.infer<typeof MyNewsletter>

/** What the links of list mail lead to. Apart from the forms' own calls: the home page needs none of it. */
export const mailingListsApi = {
  /** 400 `bad_token` for a link that is too old, tampered with, or from before the reader last left. */
  confirm: post('/api/newsletter/confirm', LinkToken, z.object({ confirmed: z.literal(true) })),
  /**
   * Ends the list that the link is of. The token may stand in the address instead (RFC 8058: a mail program posts there
   * without Origin or cookies, and a form instead of JSON).
   */
  unsubscribe: post('/api/newsletter/unsubscribe', LinkToken, z.object({ unsubscribed: z.literal(true) })),
  /** Opening that address changes nothing: it leads to the page with the button. */
  unsubscribePage: get('/api/newsletter/unsubscribe', null),
  /** A read, by POST so that the secret stays out of addresses and logs. */
  preferences: post('/api/newsletter/preferences', LinkToken, Preferences),
  updatePreferences: patch(
    '/api/newsletter/preferences',
    z.extend(LinkToken, {
      city: z.optional(optionalLine(80, 'The city')),
      subscribed: z.optional(z.boolean()),
    }),
    Preferences,
  ),
  /** What the account page shows; subscribing is the form's own call. */
  myNewsletter: get('/api/account/newsletter', MyNewsletter, { role: 'supporter' }),
  /** Takes the account's own address off the list. 403 while it is not confirmed. */
  unsubscribeMe: del('/api/account/newsletter', null, null, { role: 'supporter' }),
  /** The reader of the mailbox wants to be told of shows. 400 `bad_token`. */
  confirmAlert: post('/api/shows/alerts/confirm', LinkToken, z.object({ confirmed: z.literal(true) })),
}
