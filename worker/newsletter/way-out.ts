import type { Unsubscribe } from '../mail/letter'
import { linkToken } from './tokens'

type House = { secret: string; origin: string }

/** How a reader of the newsletter leaves it: by a page, and in one press of their mail program (RFC 8058). */
export async function newsletterWayOut({ secret, origin }: House, emailKey: string): Promise<Unsubscribe> {
  return links(origin, await linkToken(secret, 'newsletter-out', emailKey, 0), WHY.newsletter)
}

/** The same for somebody who is told of shows: it ends all of their alerts. */
export async function alertWayOut({ secret, origin }: House, emailKey: string): Promise<Unsubscribe> {
  return links(origin, await linkToken(secret, 'alert-out', emailKey, 0), WHY.alerts)
}

export const WHY = {
  newsletter: 'You get this because you confirmed our list.',
  alerts: 'You get this because you asked to be told of new shows.',
}

const links = (origin: string, token: string, why: string): Unsubscribe => ({
  why,
  page: `${origin}/newsletter/unsubscribe?token=${token}`,
  oneClick: `${origin}/api/newsletter/unsubscribe?token=${token}`,
})
