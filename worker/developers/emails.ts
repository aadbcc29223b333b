import { RETENTION } from '../contract/retention'
import type { Email } from '../email/outbox'
import { renderEmail } from '../email/render-email'

/** For the owners. `host` is the receiver's, as an owner entered it. */
export function webhookDisabledEmail({
  siteName,
  origin,
  host,
  isGone,
}: {
  siteName: string
  origin: string
  host: string
  isGone: boolean
}): Email {
  return renderEmail({
    kind: 'webhook_disabled',
    subject: `A webhook of ${siteName} was turned off`,
    from: siteName,
    paragraphs: [
      isGone
        ? `The receiver at ${host} answered that it is gone, so we turned the webhook off.`
        : `For three days no event could be delivered to ${host}, so we turned the webhook off.`,
      `Once the receiver works, turn the webhook on again. Failed deliveries can be replayed for ${RETENTION.webhookDeliveryDays} days.`,
    ],
    action: { label: 'Open the Developers screen', url: `${origin}/admin/developers` },
  })
}
