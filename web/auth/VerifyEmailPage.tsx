import { Link, useRouterState } from '@tanstack/react-router'
import { Button, buttonClass } from '../ui/Button'
import { toast } from '../ui/toast'
import { useResendVerification, useVerifyEmail } from './account.queries'
import { useMe } from './auth.queries'
import { CardPage } from './CardPage'
import { errorMessage } from './error-message'

/** Opened by a mailed link. Opening it does nothing: scanners press links; the button does. */
export function VerifyEmailPage() {
  const token = useRouterState({
    select: ({ location }) => String((location.search as { token?: unknown }).token ?? ''),
  })
  const verify = useVerifyEmail()
  const resend = useResendVerification()
  const me = useMe()
  if (verify.isSuccess)
    return (
      <CardPage title="It is yours">
        <p>Your address is confirmed. Thank you.</p>
        <Link to="/" className={buttonClass('foil', 'mt-8 w-full')}>
          Back to the music
        </Link>
      </CardPage>
    )
  return (
    <CardPage title="Confirm your address">
      <p>One press, and we know that this address is yours. A friend who brought you gets their points with it.</p>
      <Button
        variant="foil"
        aria-disabled={verify.isPending || token === ''}
        onClick={() => token !== '' && !verify.isPending && verify.mutate(token)}
        className="mt-8 min-h-14 w-full"
      >
        {verify.isPending ? 'Confirming' : 'Confirm my address'}
      </Button>
      {(verify.error || token === '') && (
        <p role="alert" className="mt-4 text-sunset">
          {verify.error ? errorMessage(verify.error) : 'This link is not complete.'}
        </p>
      )}
      {(verify.error || token === '') && me && !me.emailVerified && (
        <Button
          aria-disabled={resend.isPending}
          onClick={() =>
            resend.mutate(undefined, {
              onSuccess: () => toast({ title: 'Mail sent', text: `A new link is on its way to ${me.email}.` }),
              onError: ({ message }) => toast({ title: 'Mail not sent', text: message, tone: 'destructive' }),
            })
          }
          className="mt-4 w-full"
        >
          Send a new link
        </Button>
      )}
    </CardPage>
  )
}
