import { useNavigate, useRouterState } from '@tanstack/react-router'
import { type FormEvent, useState } from 'react'
import { emailError } from '../../worker/contract/credential-rules'
import { ApiError, errorMessage } from '../api/call'
import { Button } from '../ui/Button'
import { TextField } from '../ui/Field'
import { toast } from '../ui/toast'
import { useRequestPasswordReset, useResetPassword } from './account.queries'
import { CardPage } from './CardPage'
import { NewPasswordFields } from './NewPasswordFields'
import { validateNewPassword } from './new-password'

/** With the secret of a mail: a new password. Without one, or with one that is dead: asks for that mail. */
export function ResetPasswordPage() {
  const token = useRouterState({
    select: ({ location }) => String((location.search as { token?: unknown }).token ?? ''),
  })
  const [expiredToken, setExpiredToken] = useState('')
  return (
    <CardPage title="New password">
      {token !== expiredToken ? (
        <NewPasswordForm token={token} onDead={() => setExpiredToken(token)} />
      ) : (
        <RequestResetForm over={token !== ''} />
      )}
    </CardPage>
  )
}

function NewPasswordForm({ token, onDead: onExpired }: { token: string; onDead: () => void }) {
  const reset = useResetPassword()
  const navigate = useNavigate()
  const [problems, setProblems] = useState<{ password?: string; confirm?: string }>({})

  function submit(event: FormEvent<HTMLFormElement>) {
    event.preventDefault()
    if (reset.isPending) return
    const data = new FormData(event.currentTarget)
    const found = validateNewPassword(data)
    setProblems(found?.fields ?? {})
    if (found) return void toast({ ...found.toast, tone: 'destructive' })
    reset.mutate(
      { token, password: String(data.get('password')) },
      {
        onSuccess: () => {
          toast({ title: 'Password changed', text: 'Log in with the new one.' })
          void navigate({ to: '/login' })
        },
        onError: (error) => {
          if (error instanceof ApiError && error.code === 'bad_token') onExpired()
          setProblems({ password: errorMessage(error) })
          toast({ title: 'Password not changed', text: error.message, tone: 'destructive' })
        },
      },
    )
  }

  return (
    <form noValidate method="post" onSubmit={submit} className="grid gap-6">
      <NewPasswordFields problems={problems} />
      <Button type="submit" variant="foil" aria-disabled={reset.isPending} className="min-h-14">
        {reset.isPending ? 'Saving' : 'Save the new password'}
      </Button>
    </form>
  )
}

function RequestResetForm({ over: afterExpiredLink }: { over: boolean }) {
  const forgot = useRequestPasswordReset()
  const [problem, setProblem] = useState<string>()

  function submit(event: FormEvent<HTMLFormElement>) {
    event.preventDefault()
    if (forgot.isPending) return
    const email = String(new FormData(event.currentTarget).get('email')).trim()
    const found = emailError(email)
    setProblem(found ? 'Please enter a valid email address.' : undefined)
    if (found)
      return void toast({ title: 'Invalid email', text: 'Please enter a valid email address.', tone: 'destructive' })
    forgot.mutate(email, {
      onError: ({ message }) => toast({ title: 'Mail not sent', text: message, tone: 'destructive' }),
    })
  }

  if (forgot.isSuccess)
    return (
      <p role="status">
        If there is an account with that address, a mail with a link is on its way. The link works for one hour.
      </p>
    )
  return (
    <form noValidate method="post" onSubmit={submit} className="grid gap-6">
      {afterExpiredLink && (
        <p role="alert" className="text-sunset">
          That link does not work any more: each opens once, within an hour, and a newer one replaces it.
        </p>
      )}
      <p>
        Tell us the address of your account, and we mail you a {afterExpiredLink ? 'new ' : ''}link to choose a new
        password.
      </p>
      <TextField
        label="Email"
        name="email"
        type="email"
        inputMode="email"
        autoComplete="email"
        maxLength={254}
        required
        error={problem}
      />
      <Button type="submit" variant="foil" aria-disabled={forgot.isPending} className="min-h-14">
        {forgot.isPending ? 'Sending' : 'Mail me a link'}
      </Button>
    </form>
  )
}
