import { useNavigate } from '@tanstack/react-router'
import { type FormEvent, useState } from 'react'
import { emailError } from '../../worker/contract/credential-rules'
import { errorMessage, hasCode } from '../api/call'
import { useTurnstile } from '../turnstile/useTurnstile'
import { Button } from '../ui/Button'
import { FormError } from '../ui/FormError'
import { toast, toastError } from '../ui/toast'
import {
  EmailField,
  type FieldErrors,
  NewPasswordFields,
  SecondFactorField,
  toastFormError,
  validateNewPassword,
} from './AccountFields'
import { useRequestPasswordReset, useResetPassword } from './account.queries'
import { CardPage } from './CardPage'
import { useLinkToken } from './EmailLinkConfirmation'

/** Sets a new password with the token of an emailed link; without a valid token, it offers to email such a link. */
export function ResetPasswordPage() {
  const token = useLinkToken()
  const [expiredToken, setExpiredToken] = useState<string>()
  return (
    <CardPage title="New password">
      {token !== '' && token !== expiredToken ? (
        <NewPasswordForm token={token} onExpired={() => setExpiredToken(token)} />
      ) : (
        <RequestResetForm isAfterExpiredLink={token !== ''} />
      )}
    </CardPage>
  )
}

function NewPasswordForm({ token, onExpired }: { token: string; onExpired: () => void }) {
  const reset = useResetPassword()
  const navigate = useNavigate()
  const [errors, setErrors] = useState<FieldErrors<'password' | 'confirm' | 'code'>>({})
  const [needsCode, setNeedsCode] = useState(false)

  function submit(event: FormEvent<HTMLFormElement>) {
    event.preventDefault()
    if (reset.isPending) return
    const data = new FormData(event.currentTarget)
    const formError = validateNewPassword(data)
    setErrors(formError?.fields ?? {})
    if (formError) return void toastFormError(formError)
    const secondFactorCode = String(data.get('code') ?? '').trim()
    reset.mutate(
      { token, password: String(data.get('password')), ...(secondFactorCode && { secondFactorCode }) },
      {
        onSuccess: () => {
          toast({ title: 'Password changed', text: 'Log in with your new password.' })
          void navigate({ to: '/login' })
        },
        onError: (error) => {
          if (hasCode(error, 'second_factor_required')) {
            setNeedsCode(true)
            return setErrors({ code: errorMessage(error) })
          }
          if (hasCode(error, 'bad_token')) onExpired()
          const isAboutCode = needsCode && (hasCode(error, 'bad_credentials') || hasCode(error, 'rate_limited'))
          setErrors({ [isAboutCode ? 'code' : 'password']: errorMessage(error) })
          toastError('Password not changed')(error)
        },
      },
    )
  }

  return (
    <form noValidate method="post" onSubmit={submit} className="grid gap-6">
      <NewPasswordFields errors={errors} />
      {needsCode && <SecondFactorField autoFocus error={errors.code} />}
      <Button type="submit" variant="primary" aria-disabled={reset.isPending} className="min-h-14">
        {reset.isPending ? 'Saving' : 'Save the new password'}
      </Button>
    </form>
  )
}

function RequestResetForm({ isAfterExpiredLink }: { isAfterExpiredLink: boolean }) {
  const turnstile = useTurnstile('forgot_password')
  const requestReset = useRequestPasswordReset(turnstile)
  const [error, setError] = useState<string>()

  function submit(event: FormEvent<HTMLFormElement>) {
    event.preventDefault()
    if (requestReset.isPending) return
    const email = String(new FormData(event.currentTarget).get('email')).trim()
    const text = emailError(email) ? 'Please enter a valid email address.' : undefined
    setError(text)
    if (text) return void toast({ title: 'Invalid email', text, tone: 'destructive' })
    requestReset.mutate(email, { onError: toastError('Email not sent') })
  }

  if (requestReset.isSuccess)
    return (
      <p role="status">
        If there is an account with that address, an email with a link is on its way. The link works for one hour.
      </p>
    )
  return (
    <form noValidate method="post" onSubmit={submit} className="grid gap-6">
      <FormError>
        {isAfterExpiredLink &&
          'That link no longer works. Each link works once, for an hour, and a newer one replaces it.'}
      </FormError>
      <p>
        Enter the email address of your account, and we will send you a {isAfterExpiredLink ? 'new ' : ''}link to choose
        a new password.
      </p>
      <EmailField error={error} />
      {turnstile.widget}
      <Button type="submit" variant="primary" aria-disabled={requestReset.isPending} className="min-h-14">
        {requestReset.isPending ? 'Sending' : 'Email me a link'}
      </Button>
    </form>
  )
}
