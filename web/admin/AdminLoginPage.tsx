import { useNavigate } from '@tanstack/react-router'
import { type FormEvent, useEffect, useRef, useState } from 'react'
import { ApiError, errorMessage } from '../api/call'
import { PasskeyButton } from '../auth/PasskeyButton'
import { isPasskeyCancelled } from '../auth/passkeys.queries'
import { Button } from '../ui/Button'
import { PasswordField, TextField } from '../ui/Field'
import { toast } from '../ui/toast'
import { useAdminLogIn, useAdminPasskeyLogIn } from './admin-session'
import '../styles/account.css'
import { Link } from '@tanstack/react-router'
import { ArrowLeft } from 'lucide-react'
import { useSite } from '../site/site.queries'
import { buttonClass } from '../ui/Button'

/** The demo's credentials come from the server, which sends them in the demo only. */
export function AdminLoginPage() {
  const demo = useSite()?.demoAdmin
  return (
    <main id="content" className="auth-page">
      <div className="page-grid gap-y-10 py-10 md:py-20">
        <header className="col-span-full lg:col-span-5">
          <p className="font-label text-gold">Backstage</p>
          <h1 className="mt-4 font-display text-title">Admin login</h1>
        </header>
        <div className="col-span-full md:col-span-8 md:col-start-3 lg:col-span-6 lg:col-start-7">
          <AdminLoginForm />
          {demo && (
            <section aria-labelledby="demo-credentials" className="mt-6 border border-dashed border-rule-strong p-5">
              <h2 id="demo-credentials" className="font-label text-muted">
                Demo credentials
              </h2>
              <dl className="mt-3 grid grid-cols-[auto_1fr] gap-x-6 gap-y-2">
                <dt className="text-muted">Username</dt>
                <dd className="font-semibold">{demo.username}</dd>
                <dt className="text-muted">Password</dt>
                <dd className="font-semibold">{demo.password}</dd>
              </dl>
            </section>
          )}
          <Link to="/" className={buttonClass('text', 'mt-6 px-0!')}>
            <ArrowLeft size={18} aria-hidden />
            Back to Home
          </Link>
        </div>
      </div>
    </main>
  )
}

const INVALID = 'Invalid username or password'

export function AdminLoginForm() {
  const logIn = useAdminLogIn()
  const passkeyLogIn = useAdminPasskeyLogIn()
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
      onSuccess: openDashboard,
      onError: (error) => {
        const code = error instanceof ApiError ? error.code : undefined
        if (code === 'second_factor_required') return setStep('code')
        showError(code === 'bad_credentials' && step === 'password' ? INVALID : errorMessage(error))
      },
    })
  }

  function openDashboard() {
    toast({ title: 'Login Successful', text: 'You’re logged in for 24 hours.' })
    void navigate({ to: '/admin' })
  }

  const logInWithPasskey = () =>
    passkeyLogIn.mutate(undefined, {
      onSuccess: openDashboard,
      onError: (error) => isPasskeyCancelled(error) || showError(errorMessage(error)),
    })

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
    <form ref={form} noValidate method="post" onSubmit={submit} className="auth-form grid gap-6">
      {/* Stays mounted: the server takes all three values in one request. */}
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
          <p role="status">Password accepted. One more step.</p>
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
      <Button type="submit" variant="primary" aria-disabled={logIn.isPending} className="min-h-14">
        {logIn.isPending ? 'Logging in' : 'Login'}
      </Button>
      {step === 'password' && <PasskeyButton pending={passkeyLogIn.isPending} onClick={logInWithPasskey} />}
      {step === 'code' && (
        <Button variant="text" className="-my-2 justify-self-start px-0!" onClick={startOver}>
          Another account
        </Button>
      )}
    </form>
  )
}
