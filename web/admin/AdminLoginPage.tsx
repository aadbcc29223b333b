import '../styles/utilities.css'
import { Link, useNavigate, useRouterState } from '@tanstack/react-router'
import { ArrowLeft } from 'lucide-react'
import { type FormEvent, useEffect, useRef, useState } from 'react'
import { adminReturnPath } from '../../worker/contract/pages'
import { errorMessage, hasCode } from '../api/call'
import { GoogleButton } from '../auth/GoogleButton'
import { PasskeyButton } from '../auth/PasskeyButton'
import { isPasskeyCanceled } from '../auth/passkeys.queries'
import { useSite } from '../site/site.queries'
import { Button, buttonClass } from '../ui/Button'
import { PasswordField, TextField } from '../ui/Field'
import { toast } from '../ui/toast'
import { useAdminGoogleLogIn, useAdminLogIn, useAdminPasskeyLogIn } from './admin-session'
import '../styles/account.css'

export function AdminLoginPage() {
  // The worker sends `demoAdmin` in demo mode only.
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

const INVALID_CREDENTIALS = 'Invalid username or password'

export function AdminLoginForm() {
  const logIn = useAdminLogIn()
  const passkeyLogIn = useAdminPasskeyLogIn()
  const googleLogIn = useAdminGoogleLogIn()
  const navigate = useNavigate()
  // Parsed once: the URL changes before the dashboard's code has loaded.
  const [{ isFromGoogle, hasGoogleFailed, destination }] = useState(parseSearch(useRouterState().location.search))
  const [errorText, setErrorText] = useState<string>()
  // 'google' completes a login after the return from Google; 'google-expired' offers to begin it again.
  const [step, setStep] = useState<'password' | 'code' | 'google' | 'google-code' | 'google-expired'>(
    isFromGoogle ? 'google' : 'password',
  )
  const isCodeStep = step === 'code' || step === 'google-code'
  const isPending = logIn.isPending || googleLogIn.isPending
  const form = useRef<HTMLFormElement>(null)

  useEffect(() => {
    if (isCodeStep) form.current?.querySelector<HTMLInputElement>('[name=code]')?.focus()
  }, [isCodeStep])
  const hasStarted = useRef(false)
  useEffect(() => {
    if (hasStarted.current) return
    hasStarted.current = true
    if (isFromGoogle) logInWithGoogle({})
    if (hasGoogleFailed)
      showError('Google sign-in failed, or no administrator uses that account. Please try another way.')
  })

  function submit(event: FormEvent<HTMLFormElement>) {
    event.preventDefault()
    if (isPending) return
    const fields = new FormData(event.currentTarget)
    const text = (name: string) => String(fields.get(name) ?? '')
    const credentials = { username: text('username').trim(), password: text('password') }
    const code = text('code').trim()
    if (isCodeStep && code === '') return showError('Please enter the code of your authenticator app.')
    setErrorText(undefined)
    if (step === 'google-code') return logInWithGoogle({ code })
    if (credentials.username === '' || credentials.password === '') return showError(INVALID_CREDENTIALS)
    logIn.mutate(step === 'code' ? { ...credentials, code } : credentials, {
      onSuccess: openDashboard,
      onError: (error) => {
        if (hasCode(error, 'second_factor_required')) return setStep('code')
        showError(hasCode(error, 'bad_credentials') && step === 'password' ? INVALID_CREDENTIALS : errorMessage(error))
      },
    })
  }

  function openDashboard() {
    toast({ title: 'Login Successful', text: 'You’re logged in for 24 hours.' })
    void navigate({ href: destination, replace: isFromGoogle })
  }

  const logInWithGoogle = (input: { code?: string }) =>
    googleLogIn.mutate(input, {
      onSuccess: openDashboard,
      onError: (error) => {
        if (hasCode(error, 'second_factor_required')) return setStep('google-code')
        if (hasCode(error, 'bad_token') && input.code) setStep('google-expired')
        // After a wrong code, the field for the code remains.
        else if (!input.code) setStep('password')
        showError(errorMessage(error))
      },
    })

  const logInWithPasskey = () =>
    passkeyLogIn.mutate(undefined, {
      onSuccess: openDashboard,
      onError: (error) => isPasskeyCanceled(error) || showError(errorMessage(error)),
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
      {/* Hidden, not removed: the request with the code also sends username and password. */}
      <div hidden={step !== 'password'} className={step === 'password' ? 'grid gap-6' : undefined}>
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
      {isCodeStep && (
        <>
          <p role="status">{step === 'code' ? 'Password' : 'Google sign-in'} accepted. One more step.</p>
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
      {step === 'google-expired' ? (
        <p role="alert">{errorText}</p>
      ) : (
        <Button type="submit" variant="primary" aria-disabled={isPending} className="min-h-14">
          {isPending || step === 'google' ? 'Logging in' : 'Login'}
        </Button>
      )}
      {(step === 'password' || step === 'google-expired') && (
        <div>
          {step === 'password' && <PasskeyButton pending={passkeyLogIn.isPending} onClick={logInWithPasskey} />}
          <GoogleButton query={{ for: 'admin', return: destination === '/admin' ? '' : destination }} />
        </div>
      )}
      {(isCodeStep || step === 'google-expired') && (
        <Button variant="text" className="-my-2 justify-self-start px-0!" onClick={startOver}>
          Another account
        </Button>
      )}
    </form>
  )
}

/** `google=confirmed` or `error=google` comes from the worker after Google; `return` is the path to open. */
function parseSearch(search: Record<string, unknown>) {
  return {
    isFromGoogle: search.google === 'confirmed',
    hasGoogleFailed: search.error === 'google',
    destination: adminReturnPath(search.return),
  }
}
