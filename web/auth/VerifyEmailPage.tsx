import { Link } from '@tanstack/react-router'
import { type FormEvent, useState } from 'react'
import { errorMessage, hasCode } from '../api/call'
import { awardText } from '../points/award-text'
import { Button, buttonClass } from '../ui/Button'
import { PasswordField } from '../ui/Field'
import { FormError } from '../ui/FormError'
import { useDisownAddress, useVerifyEmail } from './account.queries'
import { useSession } from './auth.queries'
import { CardPage } from './CardPage'
import { ResendLinkButton } from './ConfirmEmailNotice'
import { useLinkToken } from './EmailLinkConfirmation'

/**
 * /verify-email: confirms the account's email address, in a browser that is logged in to the account or with its
 * password. Only buttons have an effect, because link scanners open the page.
 */
export function VerifyEmailPage() {
  const token = useLinkToken()
  const { me, isPending } = useSession()
  const verify = useVerifyEmail()
  const disown = useDisownAddress()
  const needsPassword = !isPending && (!me || hasCode(verify.error, 'password_required') || verify.variables?.password)

  const missions = verify.data?.missions ?? []
  if (verify.isSuccess)
    return (
      <CardPage title="Email confirmed">
        <p role="status">
          Thank you. Your email address is confirmed.
          {missions.length > 0 && (
            <strong className="tabular-figures mt-3 block font-semibold text-gold-bright">
              {awardText({ missions })}
            </strong>
          )}
        </p>
        {!me && <p className="mt-3 text-muted">You can go on where you left off, or log in here.</p>}
        <Link to={me ? '/' : '/login'} className={buttonClass('primary', 'mt-8 w-full')}>
          {me ? 'Back to the music' : 'Log in'}
        </Link>
      </CardPage>
    )
  if (disown.isSuccess)
    return (
      <CardPage title="Done">
        <p role="status">
          The account or email change that someone made with your address is gone. You won’t hear from us about it
          again.
        </p>
        <Link to="/" className={buttonClass('primary', 'mt-8 w-full')}>
          Back to the music
        </Link>
      </CardPage>
    )
  if (token === '')
    return (
      <CardPage title="Confirm your email">
        <FormError>This link is not complete. Please open it from the email again.</FormError>
      </CardPage>
    )
  return (
    <CardPage title="Confirm your email">
      {needsPassword ? (
        <PasswordForm
          isPending={verify.isPending}
          error={hasCode(verify.error, 'password_required') ? null : verify.error}
          isOtherAccount={Boolean(me)}
          onSubmit={(password) => verify.mutate({ token, password })}
        />
      ) : (
        <>
          <p>Press the button to confirm that this email address is yours.</p>
          <Button
            variant="primary"
            aria-disabled={verify.isPending || isPending}
            onClick={() => !verify.isPending && !isPending && verify.mutate({ token })}
            className="mt-8 min-h-14 w-full"
          >
            {verify.isPending ? 'Confirming' : 'Confirm my email'}
          </Button>
          {verify.error && <LinkError error={verify.error} />}
        </>
      )}
      <DisownAddress disown={disown} token={token} />
    </CardPage>
  )
}

type PasswordFormProps = {
  isPending: boolean
  error: Error | null
  /** Whether the browser is logged in to another account. */
  isOtherAccount: boolean
  onSubmit: (password: string) => void
}

function PasswordForm({ isPending, error, isOtherAccount, onSubmit }: PasswordFormProps) {
  const [isPasswordMissing, setIsPasswordMissing] = useState(false)
  const isPasswordWrong = hasCode(error, 'bad_credentials')
  const wrongPasswordText = isPasswordWrong ? 'That password is not right.' : undefined

  function submit(event: FormEvent<HTMLFormElement>) {
    event.preventDefault()
    const password = String(new FormData(event.currentTarget).get('password'))
    setIsPasswordMissing(password === '')
    if (password !== '' && !isPending) onSubmit(password)
  }

  return (
    <form noValidate method="post" onSubmit={submit} className="grid gap-6">
      <p>
        {isOtherAccount
          ? 'You are logged in to another account. Enter the password of the account this email is about.'
          : 'Enter the password you chose when you signed up. Any device will do.'}
      </p>
      <PasswordField
        label="Your password"
        name="password"
        autoComplete="current-password"
        required
        error={isPasswordMissing ? 'Please fill this in.' : wrongPasswordText}
      />
      <Link
        to="/reset-password"
        className="-my-2 flex min-h-11 items-center justify-self-start text-sm text-muted underline underline-offset-4 hover:text-gold-bright"
      >
        Forgot your password?
      </Link>
      <Button type="submit" variant="primary" aria-disabled={isPending} className="min-h-14">
        {isPending ? 'Confirming' : 'Confirm my email'}
      </Button>
      {error && !isPasswordWrong && <LinkError error={error} />}
    </form>
  )
}

/** Error of an invalid link; a logged-in supporter can request a new one. */
function LinkError({ error }: { error: Error }) {
  const { me } = useSession()
  return (
    <>
      <FormError className="mt-4">{errorMessage(error)}</FormError>
      {me && !me.emailVerified && <ResendLinkButton email={me.email} className="mt-4 w-full" />}
    </>
  )
}

/** Lets the owner of the address delete, in two steps, an account or email change that someone else made with it. */
function DisownAddress({ disown, token }: { disown: ReturnType<typeof useDisownAddress>; token: string }) {
  const [isOpen, setIsOpen] = useState(false)
  return (
    <section className="mt-12 border-t border-rule pt-6">
      {isOpen ? (
        <>
          <p>Didn’t do this? We’ll delete the account or email change that was made with your address, for good.</p>
          <div className="mt-5 flex flex-wrap gap-3">
            <Button
              className="border-sunset! text-sunset"
              aria-disabled={disown.isPending}
              onClick={() => !disown.isPending && disown.mutate(token)}
            >
              Delete it
            </Button>
            <Button onClick={() => setIsOpen(false)}>Cancel</Button>
          </div>
          <FormError className="mt-4">{disown.error && errorMessage(disown.error)}</FormError>
        </>
      ) : (
        <Button variant="text" className="px-0!" onClick={() => setIsOpen(true)}>
          This was not me
        </Button>
      )}
    </section>
  )
}
