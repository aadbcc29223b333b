import type { UnsubscribeLinks } from '../email/render-email'
import { createLinkToken } from './link-tokens'

type LinkDeps = { secret: string; origin: string }

/** How a reader of the newsletter leaves it: by a page, and in one press of their mail program (RFC 8058). */
export async function newsletterUnsubscribeLinks(
  { secret, origin }: LinkDeps,
  emailKey: string,
): Promise<UnsubscribeLinks> {
  return unsubscribeLinks(
    origin,
    await createLinkToken(secret, 'newsletter-out', emailKey, 0),
    UNSUBSCRIBE_REASON.newsletter,
  )
}

/** The same for somebody who is told of shows: it ends all of their alerts. */
export async function alertUnsubscribeLinks({ secret, origin }: LinkDeps, emailKey: string): Promise<UnsubscribeLinks> {
  return unsubscribeLinks(origin, await createLinkToken(secret, 'alert-out', emailKey, 0), UNSUBSCRIBE_REASON.alerts)
}

export const UNSUBSCRIBE_REASON = {
  newsletter: 'You get this because you confirmed our list.',
  alerts: 'You get this because you asked to be told of new shows.',
}

const unsubscribeLinks = (origin: string, token: string, why: string): UnsubscribeLinks => ({
  reason: why,
  pageUrl: `${origin}/newsletter/unsubscribe?token=${token}`,
  oneClickUrl: `${origin}/api/newsletter/unsubscribe?token=${token}`,
})
