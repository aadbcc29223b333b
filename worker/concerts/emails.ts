import { POINTS } from '../contract/points'
import type { Email } from '../email/outbox'
import { renderEmail, type UnsubscribeLinks } from '../email/render-email'
import { utcToZonedTime } from '../lib/clock'

/** Asks whoever reads the mailbox whether they want to hear of shows: of those in one city, or of all. */
export function confirmAlertEmail({
  siteName,
  origin,
  token,
  city,
}: {
  siteName: string
  origin: string
  token: string
  city: string | null
}): Email {
  const inCity = city === null ? '' : ` in ${city}`
  return renderEmail({
    kind: 'alert_confirm',
    subject: `Shall we tell you of shows${inCity}?`,
    from: siteName,
    paragraphs: [
      `Somebody, we hope you, asked ${siteName} to tell this address when a new show${inCity} is announced.`,
      'One press, and you hear of it first. Without it nothing more is sent to you.',
    ],
    action: { label: 'Yes, tell me', url: `${origin}/alerts/confirm?token=${token}` },
    after: ['The link works for seven days. If this was not you, ignore this mail and nothing happens.'],
  })
}

/** To somebody who asks again although they are told already: the prompt's answer may not tell, the mailbox may. */
export function alreadyAlertedEmail({
  siteName,
  origin,
  city,
  unsubscribe,
}: {
  siteName: string
  origin: string
  city: string | null
  unsubscribe: UnsubscribeLinks
}): Email {
  const inCity = city === null ? '' : ` in ${city}`
  return renderEmail({
    kind: 'alert_already',
    subject: `We tell you of new shows${inCity} already`,
    from: siteName,
    paragraphs: [
      `This address asked again just now to be told of new shows${inCity}. It is, so there is nothing to do.`,
    ],
    action: { label: 'See the shows', url: `${origin}/#concerts` },
    unsubscribe,
  })
}

export type AnnouncedShow = {
  id: string
  city: string
  venue: string
  address: string
  startsAt: number
  timeZone: string
  priceCents: number
}

/** Tells somebody who asked for it of a new show. */
export function showAlertEmail({
  siteName,
  origin,
  show,
  unsubscribe,
}: {
  siteName: string
  origin: string
  show: AnnouncedShow
  unsubscribe: UnsubscribeLinks
}): Email {
  const { city, venue, address, startsAt, timeZone, priceCents } = show
  return renderEmail({
    kind: 'show_alert',
    subject: `${siteName} comes to ${city}`,
    from: siteName,
    paragraphs: [`You asked to hear of it first: there is a new show in ${city}.`],
    facts: [
      { label: 'When', value: formatShowTime(startsAt, timeZone), strong: true },
      { label: 'Where', value: `${venue}, ${address}` },
      { label: 'At the door', value: priceCents === 0 ? 'Free' : formatDollars(priceCents) },
    ],
    action: { label: 'See the show', url: `${origin}/#concerts` },
    after: [`Tickets are sold at the door only. Check in there for ${POINTS.check_in} points.`],
    unsubscribe,
  })
}

const formatDollars = (cents: number) => `$${(cents / 100).toFixed(2)}`

/** 'Saturday, July 4, 2026, 20:00', on the venue's own clock. */
function formatShowTime(at: number, timeZone: string): string {
  const day = new Intl.DateTimeFormat('en-US', { dateStyle: 'full', timeZone }).format(at)
  return `${day}, ${utcToZonedTime(at, timeZone).time}`
}
