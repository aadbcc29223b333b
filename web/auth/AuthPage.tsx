import '../styles/account.css'
import { Link, useNavigate, useRouterState } from '@tanstack/react-router'
import { Tabs } from 'radix-ui'
import { type FormEvent, useEffect, useId, useState } from 'react'
import { authApi } from '../../worker/contract/auth'
import { returnPath } from '../../worker/contract/pages'
import { AGE_NOTICE } from '../../worker/contract/retention'
import { ApiError, errorMessage } from '../api/call'
import { useSite } from '../site/site.queries'
import { Button, buttonClass } from '../ui/Button'
import { PasswordField, TextField } from '../ui/Field'
import { toast, toastError } from '../ui/toast'
import { type FieldErrors, focusInvalidField, missingFields, SecondFactorField, toastFormError } from './AccountFields'
import { useLogIn, useMe } from './auth.queries'
import { PasskeyButton } from './PasskeyButton'
import {
  cancelPasskeyRequest,
  isPasskeyCancelled,
  supportsPasskeyAutofill,
  useLogInWithPasskey,
} from './passkeys.queries'
import { SignUpForm } from './SignUpForm'

/** `return` is the path to go to afterwards, `ref` a referral code. */
export type AuthSearch = { return?: string; ref?: string; error?: 'google' | 'signups' }

const PERKS = [
  'Vote on what happens next, and ask the crowd yourself',
  'Points for every listen, vote and show',
  'A code of your own to bring friends along',
] as const

/** /login, /auth and /signup: one screen; /signup opens the sign-up tab. */
export function AuthPage() {
  const { pathname, search } = useRouterState({ select: ({ location }) => location })
  const { return: back, ref = '', error } = parseSearch(search)
  const [tab, setTab] = useState(pathname === '/signup' ? 'signup' : 'login')
  const [referralCode, setReferralCode] = useState(ref)
  // Read once: while the next screen loads, the location is already its own.
  const [destination] = useState(() => returnPath(back))
  const me = useMe()
  const navigate = useNavigate()

  useEffect(() => {
    if (me) void navigate({ href: destination, replace: true })
  }, [me, destination, navigate])
  useEffect(() => {
    if (error === 'google')
      toast({ title: 'Google sign-in failed', text: 'Please try again, or use your password.', tone: 'destructive' })
    if (error === 'signups')
      toast({
        title: 'Many accounts were made from this network today',
        text: 'Please try again tomorrow, or from another network.',
        tone: 'destructive',
      })
  }, [error])

  return (
    <main id="content" className="auth-page">
      <div aria-hidden="true" className="disc auth-page-disc" />
      <div className="page-grid items-start gap-y-10 py-10 md:py-20">
        <header className="col-span-full lg:col-span-6 lg:pr-8">
          <h1 className="font-display text-title">{tab === 'signup' ? 'Sign the sleeve' : 'Back for side B'}</h1>
          <ol className="mt-10 hidden max-w-xl lg:block">
            {PERKS.map((perk, place) => (
              <li key={perk} className="flex gap-5 border-t border-rule py-4">
                <span aria-hidden="true" className="figures font-label leading-7 text-gold">
                  A{place + 1}
                </span>
                {perk}
              </li>
            ))}
          </ol>
        </header>
        <section
          aria-label="Your account"
          className="auth-form col-span-full md:col-span-8 md:col-start-3 lg:col-span-6 lg:col-start-7"
        >
          <Tabs.Root value={tab} onValueChange={setTab}>
            <Tabs.List aria-label="Login or sign up" className="mb-8 grid grid-cols-2">
              <Tabs.Trigger value="login" className="auth-tab font-label">
                Login
              </Tabs.Trigger>
              <Tabs.Trigger value="signup" className="auth-tab font-label">
                Sign Up
              </Tabs.Trigger>
            </Tabs.List>
            <Tabs.Content value="login">
              <LogInForm />
            </Tabs.Content>
            <Tabs.Content value="signup">
              <SignUpForm referralCode={referralCode} onReferralCode={setReferralCode} />
            </Tabs.Content>
          </Tabs.Root>
          <p className="or-divider my-6 text-sm">or</p>
          <GoogleButton referralCode={referralCode.trim()} back={back} />
          <p className="mt-6 text-sm text-muted">
            {AGE_NOTICE} How we treat your data is written in the{' '}
            <Link to="/privacy-policy" className="text-ivory underline underline-offset-4 hover:text-gold-bright">
              Privacy Policy
            </Link>
            .
          </p>
        </section>
      </div>
    </main>
  )
}

function parseSearch(search: Record<string, unknown>): AuthSearch {
  const back = returnPath(search.return)
  return {
    ...(back !== '/' && { return: back }),
    ...(typeof search.ref === 'string' && /^[\w-]{1,40}$/.test(search.ref) && { ref: search.ref }),
    ...((search.error === 'google' || search.error === 'signups') && { error: search.error }),
  }
}

/** The worker sends the browser back logged in, or with `?error=`. */
function GoogleButton({ referralCode, back = '' }: { referralCode: string; back?: string }) {
  const available = useSite()?.google ?? true
  const id = useId()
  const query = new URLSearchParams({ ...(referralCode && { referralCode }), ...(back && { return: back }) }).toString()
  return (
    <>
      <a
        href={query ? `${authApi.google.path}?${query}` : authApi.google.path}
        aria-describedby={available ? undefined : id}
        className={buttonClass('outline', 'w-full')}
      >
        <svg viewBox="0 0 24 24" width="20" height="20" aria-hidden="true" focusable="false">
          <path
            d="M19.5 7.2A9 9 0 1 0 21 12.6h-8.4"
            fill="none"
            stroke="currentColor"
            strokeWidth="2.4"
            strokeLinecap="square"
          />
        </svg>
        Continue with Google
      </a>
      {!available && (
        <p id={id} className="mt-2 text-sm text-muted">
          Google sign-in is not set up on this site yet.
        </p>
      )}
    </>
  )
}

function LogInForm() {
  const logIn = useLogIn()
  const [errors, setErrors] = useState<FieldErrors<'username' | 'password' | 'code'>>({})
  const [needsCode, setNeedsCode] = useState(false)
  const passkeyLogIn = usePasskeyLogIn()

  function submit(event: FormEvent<HTMLFormElement>) {
    event.preventDefault()
    if (logIn.isPending) return
    const form = event.currentTarget
    const data = new FormData(form)
    const values = { username: String(data.get('username')), password: String(data.get('password')) }
    const code = String(data.get('code') ?? '').trim()
    const missing: ('username' | 'password' | 'code')[] = (['username', 'password'] as const).filter(
      (name) => values[name].trim() === '',
    )
    if (needsCode && code === '') missing.push('code')
    const invalid = missing.length > 0 ? missingFields(missing) : null
    setErrors(invalid?.fields ?? {})
    if (invalid) {
      toastFormError(invalid)
      focusInvalidField(form, invalid.fields)
      return
    }
    logIn.mutate(code ? { ...values, code } : values, {
      onSuccess: ({ username }) => toast({ title: 'Welcome back!', text: `You are logged in as ${username}.` }),
      onError: (error) => {
        if (error instanceof ApiError && error.code === 'second_factor_required') {
          setNeedsCode(true)
          return setErrors({ code: errorMessage(error) })
        }
        const isWrong = error instanceof ApiError && error.code === 'bad_credentials'
        form.querySelector<HTMLInputElement>('[name=password]')?.focus()
        setErrors({ password: isWrong ? 'The name or the password is not right.' : errorMessage(error) })
        toast({ title: 'Login failed', text: error.message || 'Invalid credentials', tone: 'destructive' })
      },
    })
  }

  // noValidate: toasts and field messages replace the browser's bubbles.
  return (
    <form noValidate method="post" onSubmit={submit} className="grid gap-6">
      <TextField
        label="Username or email"
        name="username"
        autoComplete="username webauthn"
        autoCapitalize="none"
        spellCheck={false}
        maxLength={254}
        required
        error={errors.username}
      />
      <PasswordField
        label="Password"
        name="password"
        autoComplete="current-password"
        required
        error={errors.password}
      />
      {needsCode && <SecondFactorField autoFocus error={errors.code} />}
      <Link
        to="/reset-password"
        className="-my-2 flex min-h-11 items-center justify-self-start text-sm text-muted underline underline-offset-4 hover:text-gold-bright"
      >
        Forgot your password?
      </Link>
      <Button type="submit" variant="primary" aria-disabled={logIn.isPending} className="min-h-14">
        {logIn.isPending ? 'Logging in' : 'Login'}
      </Button>
      <PasskeyButton pending={passkeyLogIn.isPending} onClick={passkeyLogIn.start} />
    </form>
  )
}

/** Log-in with a passkey: by the button, or where the browser can, from the username field. */
function usePasskeyLogIn() {
  const { mutate } = useLogInWithPasskey()
  const [isPending, setPending] = useState(false)
  useEffect(() => {
    let isMounted = true
    void supportsPasskeyAutofill().then((supported) => {
      if (supported && isMounted) mutate({ autofill: true })
    })
    return () => {
      isMounted = false
      void cancelPasskeyRequest()
    }
  }, [mutate])
  const start = () => {
    setPending(true)
    mutate(
      {},
      {
        onError: (error) => isPasskeyCancelled(error) || toastError('Login failed')(error),
        onSettled: () => setPending(false),
      },
    )
  }
  return { isPending, start }
}
