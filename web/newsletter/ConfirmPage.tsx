import { EmailLinkConfirmation } from '../auth/CardPage'
import { useConfirmAlert, useConfirmNewsletter } from './newsletter.queries'

/** /alerts/confirm: the second step of the double opt-in for show alerts. */
export function ConfirmAlertPage() {
  return (
    <EmailLinkConfirmation
      title="Show alerts"
      buttonLabel="Yes, tell me"
      pendingLabel="Noting it"
      mutation={useConfirmAlert()}
      success={{ title: 'Noted', text: 'When a show is announced, you hear of it first.' }}
    >
      One press, and a mail tells you of each new show, once. Every mail has a way out.
    </EmailLinkConfirmation>
  )
}

/** /newsletter/confirm: the second step of the double opt-in. */
export function ConfirmNewsletterPage() {
  return (
    <EmailLinkConfirmation
      title="Join the list"
      buttonLabel="Yes, put me on the list"
      pendingLabel="Joining"
      mutation={useConfirmNewsletter()}
      success={{
        title: 'You are on it',
        text: 'New drops, new music and new shows reach you first. A welcome is on its way.',
      }}
    >
      One press, and you hear first of new merch, music and shows. You stay on the list if an account whose address was
      never confirmed is deleted. Every mail has a way out.
    </EmailLinkConfirmation>
  )
}
