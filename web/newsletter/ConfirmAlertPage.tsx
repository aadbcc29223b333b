import { EmailLinkConfirmation } from './EmailLinkConfirmation'
import { useConfirmAlert } from './email-preferences.queries'

/** /alerts/confirm: whoever reads the mailbox wants to be told of shows. */
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
