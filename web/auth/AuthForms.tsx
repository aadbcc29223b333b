import '../styles/account.css'
import { Link } from '@tanstack/react-router'
import { Tabs } from 'radix-ui'
import { type FormEvent, useEffect, useState } from 'react'
import { MAX_EMAIL_CHARS } from '../../worker/contract/credential-rules'
import { AGE_NOTICE } from '../../worker/contract/retention'
import { errorMessage, hasCode } from '../api/call'
import { Button } from '../ui/Button'
import { PasswordField, TextField } from '../ui/Field'
import { toast, toastError } from '../ui/toast'
import {
  type FieldErrors,
  focusInvalidField,
  missingFieldsError,
  SecondFactorField,
  toastFormError,
} from './AccountFields'
import { type NewSupporter, useLogIn } from './auth.queries'
import { GoogleButton } from './GoogleButton'
import { PasskeyButton } from './PasskeyButton'
import {
  cancelPasskeyRequest,
  isPasskeyCanceled,
  supportsPasskeyAutofill,
  useLogInWithPasskey,
} from './passkeys.queries'
import { SignUpForm } from './SignUpForm'

export type AuthTab = 'login' | 'signup'

type Props = {
  tab: AuthTab
  onTab: (tab: AuthTab) => void
  initialReferralCode?: string
  /** The path that a sign-in with Google returns to. */
  back?: string | undefined
  onSignedUp?: (newSupporter: NewSupporter) => void
}

/** Login and sign-up in two tabs, with Google where it is configured. */
export function AuthForms({ tab, onTab, initialReferralCode = '', back, onSignedUp }: Props) {
  const [typedCode, setTypedCode] = useState<string | null>(null)
  const referralCode = typedCode ?? initialReferralCode
  return (
    <>
      <Tabs.Root value={tab} onValueChange={(value) => onTab(value === 'signup' ? 'signup' : 'login')}>
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
          <SignUpForm referralCode={referralCode} onReferralCode={setTypedCode} onSignedUp={onSignedUp} />
        </Tabs.Content>
      </Tabs.Root>
      <GoogleButton query={{ referralCode: referralCode.trim(), return: back }} />
      <p className="mt-6 text-sm text-muted">
        {AGE_NOTICE} The{' '}
        <Link to="/privacy-policy" className="text-ivory underline underline-offset-4 hover:text-gold-bright">
          Privacy Policy
        </Link>{' '}
        explains how we treat your data.
      </p>
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
    const formError = missing.length > 0 ? missingFieldsError(missing) : null
    setErrors(formError?.fields ?? {})
    if (formError) {
      toastFormError(formError)
      focusInvalidField(form, formError.fields)
      return
    }
    // `mutateAsync`, because the callbacks of `mutate` do not run after the login has unmounted the form.
    logIn.mutateAsync(code ? { ...values, code } : values).then(
      ({ username }) => toast({ title: 'Welcome back!', text: `You are logged in as ${username}.` }),
      (error: Error) => {
        if (hasCode(error, 'second_factor_required')) {
          setNeedsCode(true)
          return setErrors({ code: errorMessage(error) })
        }
        // With a code, the error may be about the code or the password: only its message says which.
        const areCredentialsWrong = code === '' && hasCode(error, 'bad_credentials')
        const isAboutCode = code !== '' && (hasCode(error, 'bad_credentials') || hasCode(error, 'rate_limited'))
        const field = isAboutCode ? 'code' : 'password'
        form.querySelector<HTMLInputElement>(`[name=${field}]`)?.focus()
        setErrors({ [field]: areCredentialsWrong ? 'That username or password is not right.' : errorMessage(error) })
        toast({
          title: 'Login failed',
          text: areCredentialsWrong ? 'Invalid credentials' : error.message,
          tone: 'destructive',
        })
      },
    )
  }

  // noValidate: toasts and field errors replace the browser's messages.
  return (
    <form noValidate method="post" onSubmit={submit} className="grid gap-6">
      <TextField
        label="Username or email"
        name="username"
        autoComplete="username webauthn"
        autoCapitalize="none"
        spellCheck={false}
        maxLength={MAX_EMAIL_CHARS}
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

/** Login with a passkey, by the button or, if the browser supports it, from the username field's autofill. */
function usePasskeyLogIn() {
  const { mutate } = useLogInWithPasskey()
  const [isPending, setIsPending] = useState(false)
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
    setIsPending(true)
    mutate(
      {},
      {
        onError: (error) => isPasskeyCanceled(error) || toastError('Login failed')(error),
        onSettled: () => setIsPending(false),
      },
    )
  }
  return { isPending, start }
}
