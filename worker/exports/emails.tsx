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
    subject: `The ballots of the challenge, from ${siteName}`,
    from: siteName,
    paragraphs: [
      `${sender} sends you the ballots of the verse challenge as a CSV file.`,
      'The link opens a page; its button starts the download.',
    ],
    action: { label: 'Go to the download', url: `${origin}/csv-link?token=${token}` },
    after: [`The link works for ${hours} hours, ${downloads} times. Please do not pass it on.`],
  })
}
