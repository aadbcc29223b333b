import { useNavigate } from '@tanstack/react-router'
import { type FormEvent, useEffect, useRef, useState } from 'react'
import { ApiError } from '../api/call'
import { errorMessage } from '../auth/error-message'
import { Button } from '../ui/Button'
import { PasswordField, TextField } from '../ui/Field'
import { toast } from '../ui/toast'
import { useAdminLogIn } from './admin-session.queries'

const INVALID = 'Invalid username or password'

/** Name and password, and a code as well once the server asks for one. */
export function AdminLoginForm() {
  const logIn = useAdminLogIn()
  const navigate = useNavigate()
  const [errorText, setErrorText] = useState<string>()
  const [step, setStep] = useState<'password' | 'code'>('password')
  const form = useRef<HTMLFormElement>(null)

  useEffect(() => {
    if (step === 'code') form.current?.querySelector<HTMLInputElement>('[name=code]')?.focus()
  }, [step])

  function submit(event: FormEvent<HTMLFormElement>) {
    event.preventDefault()
    if (logIn.isPending) return
    const data = new FormData(event.currentTarget)
    const text = (name: string) => String(data.get(name) ?? '')
    const values = { username: text('username').trim(), password: text('password') }
    const code = text('code').trim()
    if (values.username === '' || values.password === '') return showError(INVALID)
    if (step === 'code' && code === '') return showError('Please enter the code of your authenticator app.')
    setErrorText(undefined)
    logIn.mutate(step === 'code' ? { ...values, code } : values, {
      onSuccess: () => {
        toast({ title: 'Login Successful', text: 'The desk is yours for 24 hours.' })
        void navigate({ to: '/admin' })
      },
      onError: (error) => {
        const code = error instanceof ApiError ? error.code : undefined
        if (code === 'second_factor_required') return setStep('code')
        showError(code === 'bad_credentials' && step === 'password' ? INVALID : errorMessage(error))
      },
    })
  }

  function showError(text: string) {
    setErrorText(text)
    toast({ title: 'Login Failed', text, tone: 'destructive' })
  }

  function startOver() {
    setStep('password')
    setErrorText(undefined)
    form.current?.reset()
  }

  return (
    <form ref={form} noValidate method="post" onSubmit={submit} className="entrance-form grid gap-6">
      {/* Kept while the code is asked for: the server takes all three at once. */}
      <div hidden={step === 'code'} className={step === 'code' ? undefined : 'grid gap-6'}>
        <TextField
          label="Username"
          name="username"
          autoComplete="username"
          autoCapitalize="none"
          spellCheck={false}
          required
        />
        <PasswordField label="Password" name="password" autoComplete="current-password" required error={errorText} />
      </div>
      {step === 'code' && (
        <>
          <p role="status">Your password is right. One more proof that it is you.</p>
          <TextField
            label="Code"
            name="code"
            inputMode="text"
            autoComplete="one-time-code"
            autoCapitalize="characters"
            spellCheck={false}
            maxLength={20}
            required
            error={errorText}
            hint="Six digits from your authenticator app, or one of your recovery codes."
          />
        </>
      )}
      <Button type="submit" variant="foil" aria-disabled={logIn.isPending} className="min-h-14">
        {logIn.isPending ? 'Logging in' : 'Login'}
      </Button>
      {step === 'code' && (
        <Button variant="quiet" className="-my-2 justify-self-start px-0!" onClick={startOver}>
          Another account
        </Button>
      )}
    </form>
  )
}
