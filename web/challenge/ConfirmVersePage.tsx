import { Link } from '@tanstack/react-router'
import { EmailLinkConfirmation, useLinkToken } from '../auth/CardPage'
import { useConfirmVerse } from './challenge.queries'

/** /challenge/confirm: confirms a verse from the emailed link. */
export function ConfirmVersePage() {
  const token = useLinkToken()
  return (
    <EmailLinkConfirmation
      title="Is it yours?"
      buttonLabel="Confirm my verse"
      pendingLabel="Confirming"
      mutation={useConfirmVerse()}
      success={{ title: 'Your verse is in', text: 'The team listens to it. We write to you if you are a finalist.' }}
    >
      A verse was sent with your address. Confirm it, and it counts; nothing of it is public unless you are named a
      finalist. If you did not send it, please{' '}
      <Link to="/challenge/withdraw" search={{ token }} className="text-gold underline underline-offset-4">
        take it back
      </Link>
      .
    </EmailLinkConfirmation>
  )
}
