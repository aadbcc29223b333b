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
    subject: `You are now an admin of ${siteName}`,
    from: siteName,
    paragraphs: [
      `Hi ${username},`,
      `You can now run ${siteName} from the admin dashboard. Log in there with your own username and password. For your safety, we logged you out on all your devices.`,
    ],
    action: { label: 'Open the dashboard', url: `${origin}/admin-login` },
    after: ['If you did not expect this, tell the site’s owner: another admin can remove the role right away.'],
  })
}
