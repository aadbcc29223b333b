import { EmailLinkConfirmation } from '../auth/CardPage'
import { useWithdrawByToken } from './challenge.queries'

/** /challenge/withdraw: confirms a withdrawal from an emailed link. */
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
