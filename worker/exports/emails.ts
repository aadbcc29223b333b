import type { Email } from '../email/outbox'
import { renderEmail } from '../email/render-email'
import type { Millis } from '../lib/clock'

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
    smallPrint: [`The link works for ${hours} hours and ${downloads} downloads. Please do not share it.`],
  })
}

/** For the admin of a weekly export. Downloading the file requires a login. */
export function exportReadyEmail({
  siteName,
  origin,
  fileName,
  expiresAt,
  timeZone,
}: {
  siteName: string
  origin: string
  fileName: string
  expiresAt: Millis
  timeZone: string
}): Email {
  const until = new Date(expiresAt).toLocaleDateString('en-US', { timeZone, dateStyle: 'long' })
  return renderEmail({
    kind: 'export_ready',
    subject: `Your weekly export from ${siteName} is ready`,
    from: siteName,
    paragraphs: [`${fileName} is ready. Log in to download it.`],
    action: { label: 'Go to the exports', url: `${origin}/admin/exports` },
    smallPrint: [`The file is there until ${until}. You can stop the weekly export on the same page.`],
  })
}
