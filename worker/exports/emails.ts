import type { Email } from '../email/outbox'
import { renderEmail } from '../email/render-email'

export function csvLinkEmail({
  siteName,
  origin,
  token,
  sender,
  hours,
  downloads,
}: {
  siteName: string
  origin: string
  token: string
  /** Username of the administrator. */
  sender: string
  hours: number
  downloads: number
}): Email {
  return renderEmail({
    kind: 'csv_link',
    subject: `Verse challenge ballots from ${siteName}`,
    from: siteName,
    paragraphs: [
      `${sender} shared the ballots of the verse challenge with you as a CSV file.`,
      'Open the link below, then choose Download.',
    ],
    action: { label: 'Go to the download', url: `${origin}/csv-link?token=${token}` },
    after: [`The link works for ${hours} hours and ${downloads} downloads. Please do not share it.`],
  })
}
