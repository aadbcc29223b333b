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
      `You can now run ${siteName} from the admin dashboard. Log in there with your own account. For your safety, we logged you out on all your devices.`,
    ],
    action: { label: 'Open the dashboard', url: `${origin}/admin-login` },
    smallPrint: ['If you did not expect this, tell the site’s owner: another admin can remove the role right away.'],
  })
}

/** For the owners. `problems` are the messages of `findProblems`. */
export function systemNoticeEmail({
  siteName,
  origin,
  problems,
}: {
  siteName: string
  origin: string
  problems: readonly string[]
}): Email {
  return renderEmail({
    kind: 'system_notice',
    subject: `${siteName} needs your attention`,
    from: siteName,
    paragraphs: ['Something on your site needs your attention:', ...problems],
    action: { label: 'Open the System screen', url: `${origin}/admin/system` },
    smallPrint: ['We send at most one email a day about each kind of problem.'],
  })
}
