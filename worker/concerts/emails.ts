import { showPath } from '../contract/concerts'
import { POINTS } from '../contract/points'
import type { Email } from '../email/outbox'
import { renderEmail, type UnsubscribeLinks } from '../email/render-email'
import type { Millis } from '../lib/clock'
import { formatPrice } from '../lib/price'

type EmailContext = { siteName: string; origin: string }
/** `city` as the recipient typed it; null for alerts of all cities, or if a stranger may have typed it. */
type AlertContext = EmailContext & { city: string | null }

const inCity = (city: string | null) => (city === null ? '' : ` in ${city}`)

/** Confirmation request for an alert about shows in one city, or everywhere. */
export function confirmAlertEmail({ siteName, origin, token, city }: AlertContext & { token: string }): Email {
  return renderEmail({
    kind: 'alert_confirm',
    subject: 'Confirm your show alert',
    from: siteName,
    paragraphs: [
      `Someone, hopefully you, asked ${siteName} to email this address when a new show${inCity(city)} is announced.`,
      'Confirm, and you will be the first to know. If you do not, we will not email you again.',
    ],
    action: { label: 'Confirm my alert', url: `${origin}/alerts/confirm?token=${token}` },
    smallPrint: ['The link works for seven days. If this was not you, you can ignore this email.'],
  })
}

/** Replies to a repeated request by email: the HTTP response must not reveal whether an address has an alert. */
export function alreadyAlertedEmail({
  siteName,
  origin,
  city,
  unsubscribe,
}: AlertContext & { unsubscribe: UnsubscribeLinks }): Email {
  return renderEmail({
    kind: 'alert_already',
    subject: 'Your show alert is already on',
    from: siteName,
    paragraphs: [
      `Someone just asked again for alerts about new shows${inCity(city)}. Your alert is already on, so there is nothing you need to do.`,
    ],
    action: { label: 'See the shows', url: `${origin}/shows` },
    unsubscribe,
  })
}

export type AnnouncedShow = {
  id: string
  slug: string
  city: string
  venue: string
  address: string
  startsAt: Millis
  timeZone: string
  priceCents: number
}

/** Announces a new show. */
export function showAlertEmail({
  siteName,
  origin,
  show,
  currency,
  unsubscribe,
}: EmailContext & { show: AnnouncedShow; currency: string; unsubscribe: UnsubscribeLinks }): Email {
  const { city, venue, address, startsAt, timeZone, priceCents } = show
  const ticketText = priceCents === 0 ? '' : 'Tickets are sold at the door only. '
  return renderEmail({
    kind: 'show_alert',
    subject: `${siteName} is coming to ${city}`,
    from: siteName,
    paragraphs: [`You asked to be the first to know: we just announced a new show in ${city}.`],
    details: [
      { label: 'When', value: formatShowTime(startsAt, timeZone), strong: true },
      { label: 'Where', value: `${venue}, ${address}` },
      { label: 'At the door', value: priceCents === 0 ? 'Free' : formatPrice(priceCents, currency) },
    ],
    action: { label: 'See the show', url: origin + showPath(show.slug) },
    smallPrint: [`${ticketText}Check in at the show for ${POINTS.check_in} points.`],
    unsubscribe,
  })
}

/** 'Saturday, July 4, 2026, 8:00 PM', in the venue's time zone. */
function formatShowTime(at: Millis, timeZone: string): string {
  const day = new Intl.DateTimeFormat('en-US', { dateStyle: 'full', timeZone }).format(at)
  const time = new Intl.DateTimeFormat('en-US', { timeStyle: 'short', timeZone }).format(at)
  // ICU puts a narrow no-break space before AM and PM.
  return `${day}, ${time.replace('\u202f', ' ')}`
}
