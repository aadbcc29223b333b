import { EmailLinkConfirmation } from '../auth/EmailLinkConfirmation'
import { useConfirmAlert, useConfirmNewsletter, useConfirmStockAlert } from './newsletter.queries'

/** /alerts/confirm: the second step of the double opt-in for show alerts. */
export function ConfirmAlertPage() {
  return (
    <EmailLinkConfirmation
      title="Show alerts"
      buttonLabel="Confirm my alert"
      pendingLabel="Saving"
      mutation={useConfirmAlert()}
      success={{ title: 'Your alert is on', text: 'You’ll be the first to hear about new shows.' }}
    >
      We’ll email you once about each new show. Every email has an unsubscribe link.
    </EmailLinkConfirmation>
  )
}

/** /newsletter/confirm: the second step of the double opt-in for the newsletter. */
export function ConfirmNewsletterPage() {
  return (
    <EmailLinkConfirmation
      title="Confirm your subscription"
      buttonLabel="Confirm my subscription"
      pendingLabel="Joining"
      mutation={useConfirmNewsletter()}
      success={{
        title: 'You’re subscribed',
        text: 'You’ll be the first to hear about new drops, new music and new shows. A welcome email is on its way.',
      }}
    >
      Be the first to hear about new merch, music and shows. Your subscription is separate from any account, and every
      email has an unsubscribe link.
    </EmailLinkConfirmation>
  )
}

/** /stock-alerts/confirm: the second step of the double opt-in for stock alerts. */
export function ConfirmStockAlertPage() {
  return (
    <EmailLinkConfirmation
      title="Back in stock"
      buttonLabel="Confirm my alert"
      pendingLabel="Saving"
      mutation={useConfirmStockAlert()}
      success={{ title: 'Your alert is on', text: 'We’ll email you once, when it is back in stock.' }}
    >
      We’ll email you once when it is back in stock, and then the alert is off.
    </EmailLinkConfirmation>
  )
}
