import { Button } from '../ui/Button'
import { useResendVerification } from './account.queries'

/** Emails a new confirmation link to the account's unconfirmed address. */
export function ResendLinkButton({ email, className }: { email: string; className?: string }) {
  const resend = useResendVerification()
  return (
    <Button
      className={className}
      aria-disabled={resend.isPending}
      onClick={() => resend.isPending || resend.mutate(email)}
    >
      {resend.isPending ? 'Sending' : 'Send a new link'}
    </Button>
  )
}
