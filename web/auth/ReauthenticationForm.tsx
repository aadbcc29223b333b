import { type FormEvent, useState } from 'react'
import { type Account, authApi } from '../../worker/contract/auth'
import { ApiError, errorMessage } from '../api/call'
import { Button, buttonClass } from '../ui/Button'
import { PasswordField, TextField } from '../ui/Field'
import { toast, toastError } from '../ui/toast'
import { SecondFactorField } from './AccountFields'
import { type ReauthenticationInput, useSendEmailCode } from './account.queries'
import { isPasskeyCancelled, supportsPasskeys, useConfirmByPasskey } from './passkeys.queries'

type Props = {
  account: Pick<Account, 'hasPassword' | 'google' | 'email'>
  /** Label of the submit button. */
  action: string
  /** The action cannot be undone. */
  isFinal?: boolean
  /** Runs the action; its error is shown at the field. */
  onSubmit: (input: ReauthenticationInput) => Promise<unknown>
  /** Runs the action after a passkey has re-authenticated the session; without it passkeys are not offered. */
  onPasskey?: () => Promise<unknown>
  onCancel: () => void
}

/** Re-authentication by password, passkey or an emailed six-digit code. */
export function ReauthenticationForm({ account, action, isFinal = false, onSubmit, onPasskey, onCancel }: Props) {
  const { hasPassword, google, email } = account
  const mailCode = useSendEmailCode()
  const [byCode, setByCode] = useState(!hasPassword)
  const [isPending, setPending] = useState(false)
  const [error, setError] = useState<string>()
  const [needsCode, setNeedsCode] = useState(false)
  const confirmByPasskey = useConfirmByPasskey()

  async function submit(event: FormEvent<HTMLFormElement>) {
    event.preventDefault()
    if (isPending) return
    const data = new FormData(event.currentTarget)
    const value = String(data.get('proof')).trim()
    const secondFactorCode = String(data.get('code') ?? '').trim()
    if (value === '') return setError('Please fill this in.')
    setPending(true)
    setError(undefined)
    await onSubmit({
      ...(byCode ? { code: value } : { password: value }),
      ...(secondFactorCode && { secondFactorCode }),
    })
      .catch((error: Error) => {
        if (error instanceof ApiError && error.code === 'second_factor_required') setNeedsCode(true)
        else setError(errorMessage(error))
      })
      .finally(() => setPending(false))
  }

  function confirmWithPasskey() {
    if (confirmByPasskey.isPending) return
    setError(undefined)
    confirmByPasskey.mutate(undefined, {
      onSuccess: onPasskey,
      onError: (error) => isPasskeyCancelled(error) || setError(errorMessage(error)),
    })
  }

  function send() {
    setByCode(true)
    mailCode.mutate(undefined, {
      onSuccess: () => toast({ title: 'Mail sent', text: `Six digits are on their way to ${email}.` }),
      onError: toastError('Mail not sent'),
    })
  }

  return (
    <form noValidate method="post" onSubmit={submit} className="mt-6 grid max-w-xl gap-5 border-l-4 border-gold pl-5">
      {byCode ? (
        <TextField
          key="code"
          label="Six digits from our mail"
          name="proof"
          inputMode="numeric"
          autoComplete="one-time-code"
          maxLength={6}
          required
          error={error}
        />
      ) : (
        <PasswordField
          key="password"
          label="Your password"
          name="proof"
          autoComplete="current-password"
          required
          error={error}
        />
      )}
      {needsCode && <SecondFactorField autoFocus />}
      <div className="flex flex-wrap gap-3">
        <Button
          type="submit"
          variant={isFinal ? 'outline' : 'primary'}
          aria-disabled={isPending}
          className={isFinal ? 'border-sunset! text-sunset' : undefined}
        >
          {action}
        </Button>
        <Button onClick={onCancel}>Cancel</Button>
        <Button variant="text" aria-disabled={mailCode.isPending} onClick={send} className="px-0!">
          {byCode ? 'Mail me six digits' : 'Mail me a code instead'}
        </Button>
        {onPasskey && supportsPasskeys() && (
          <Button
            variant="text"
            aria-disabled={confirmByPasskey.isPending}
            onClick={confirmWithPasskey}
            className="px-0!"
          >
            Use a passkey instead
          </Button>
        )}
        {google && !isFinal && (
          <a href={`${authApi.google.path}?return=/account`} className={buttonClass('text', 'px-0!')}>
            Log in with Google again instead
          </a>
        )}
      </div>
    </form>
  )
}
