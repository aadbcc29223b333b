import type { Email } from '../email/outbox'
import { renderEmail } from '../email/render-email'

export function teamMemberAddedEmail({
  siteName,
  origin,
  username,
}: {
  siteName: string
  origin: string
  username: string
}): Email {
  return renderEmail({
    kind: 'appointed',
    subject: `You may open the desk of ${siteName}`,
    from: siteName,
    paragraphs: [
      `Hi ${username},`,
      `You are an administrator of ${siteName} from now on. Log in at the desk with your own name and password; you were logged out everywhere.`,
    ],
    action: { label: 'Open the desk', url: `${origin}/admin-login` },
    after: ['If you did not expect this, tell whoever runs the site: another administrator can take it back at once.'],
  })
}
