import { EmailLinkConfirmation } from '../auth/CardPage'
import { useWithdrawByToken } from './challenge.queries'

/** /challenge/withdraw: whoever holds the link of the mail takes the verse back. */
export function WithdrawPage() {
  return (
    <EmailLinkConfirmation
      title="Take it back?"
      buttonLabel="Take my verse back"
      pendingLabel="Taking it back"
      mutation={useWithdrawByToken()}
      success={{ title: 'It is gone', text: 'Your verse, its recording and your details are deleted.' }}
    >
      One press, and your verse, its recording, your name, email address and phone number are deleted. This cannot be
      undone.
    </EmailLinkConfirmation>
  )
}
