import { Button } from '../ui/Button'
import { useResendVerification, useVerifyEmail } from './account.queries'
import { useMe } from './auth.queries'
import { EmailLinkConfirmation } from './CardPage'

/** /verify-email: confirms the account's email address. */
export function VerifyEmailPage() {
  const resend = useResendVerification()
  const me = useMe()
  return (
    <EmailLinkConfirmation
      title="Confirm your address"
      buttonLabel="Confirm my address"
      pendingLabel="Confirming"
      mutation={useVerifyEmail()}
      success={{ title: 'It is yours', text: 'Your address is confirmed. Thank you.' }}
      fallback={
        me &&
        !me.emailVerified && (
          <Button aria-disabled={resend.isPending} onClick={() => resend.mutate(me.email)} className="mt-4 w-full">
            Send a new link
          </Button>
        )
      }
    >
      One press, and we know that this address is yours. A friend who brought you gets their points with it.
    </EmailLinkConfirmation>
  )
}
