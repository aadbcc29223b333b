import { EmailLinkConfirmation } from '../auth/CardPage'
import { useWithdrawByToken } from './challenge.queries'

/** /challenge/withdraw: confirms a withdrawal from an emailed link. */
export function WithdrawPage() {
  return (
    <EmailLinkConfirmation
      title="Withdraw your verse?"
      buttonLabel="Withdraw my verse"
      pendingLabel="Withdrawing"
      mutation={useWithdrawByToken()}
      success={{ title: 'Your verse is withdrawn', text: 'Your verse, its recording and your details are deleted.' }}
    >
      This deletes your verse, its recording, your name, email address and phone number. It cannot be undone.
    </EmailLinkConfirmation>
  )
}
