import { Link } from '@tanstack/react-router'
import { EmailLinkConfirmation, useLinkToken } from '../auth/EmailLinkConfirmation'
import { useConfirmVerse, useWithdrawByToken } from './challenge.queries'

/** /challenge/confirm: confirms a verse from the emailed link. */
export function ConfirmVersePage() {
  const token = useLinkToken()
  return (
    <EmailLinkConfirmation
      title="Is this your verse?"
      buttonLabel="Confirm my verse"
      pendingLabel="Confirming"
      mutation={useConfirmVerse()}
      success={{
        title: 'Your verse is in',
        text: 'The team will listen to it. We’ll email you if you become a finalist.',
      }}
    >
      A verse was sent with your address. Confirm it, and it counts; nothing of it is public unless you are named a
      finalist. If you did not send it, please{' '}
      <Link to="/challenge/withdraw" search={{ token }} className="text-gold underline underline-offset-4">
        withdraw it
      </Link>
      .
    </EmailLinkConfirmation>
  )
}

/** /challenge/withdraw: the page of the emailed link that withdraws a verse. */
export function WithdrawVersePage() {
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
