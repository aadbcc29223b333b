import { EmailLinkConfirmation } from './EmailLinkConfirmation'
import { useConfirmNewsletter } from './email-preferences.queries'

/** /newsletter/confirm: the second half of the double opt-in. */
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
      One press, and you hear first of new merch, music and shows. Every mail has a way out.
    </EmailLinkConfirmation>
  )
}
