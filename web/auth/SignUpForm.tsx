import { type FormEvent, useState } from 'react'
import { emailError, passwordError, usernameError } from '../../worker/contract/credential-rules'
import { AGE_NOTICE_VERSION } from '../../worker/contract/retention'
import { ApiError, errorMessage } from '../api/call'
import { useTurnstile } from '../turnstile/useTurnstile'
import { Button } from '../ui/Button'
import { TextField } from '../ui/Field'
import { toast } from '../ui/toast'
import {
  EmailField,
  type FieldErrors,
  focusInvalidField,
  missingFieldsError,
  NewPasswordFields,
  PASSWORD_MISMATCH,
  PhoneField,
  toastFormError,
  UsernameField,
  type ValidationErrors,
} from './AccountFields'
import { type NewSupporter, useSignUp } from './auth.queries'

type Field = 'username' | 'email' | 'phoneNumber' | 'password' | 'confirm' | 'referralCode'
type Props = {
  referralCode: string
  onReferralCode: (code: string) => void
  onSignedUp?: ((newSupporter: NewSupporter) => void) | undefined
}

/** The sign-up form. The parent has the state of the referral code, because the Google button sends it too. */
export function SignUpForm({ referralCode, onReferralCode, onSignedUp }: Props) {
  const turnstile = useTurnstile('sign_up')
  const signUp = useSignUp(turnstile)
  const [errors, setErrors] = useState<FieldErrors<Field>>({})

  function submit(event: FormEvent<HTMLFormElement>) {
    event.preventDefault()
    if (signUp.isPending) return
    const form = event.currentTarget
    const values = Object.fromEntries(new FormData(form)) as Record<Field, string>
    const formError = validate(values)
    setErrors(formError?.fields ?? {})
    if (formError) {
      toastFormError(formError)
      focusInvalidField(form, formError.fields)
      return
    }
    const { confirm: _, ...body } = values
    // `mutateAsync`, because the callbacks of `mutate` do not run after the login has unmounted the form.
    signUp.mutateAsync({ ...body, ageWording: AGE_NOTICE_VERSION }).then(
      (newSupporter) => {
        toast({ title: 'Account created!', text: welcomeText(newSupporter) })
        onSignedUp?.(newSupporter)
      },
      (error: Error) => {
        const fields = serverFieldErrors(error)
        setErrors(fields)
        focusInvalidField(form, fields)
        toast({ title: 'Signup failed', text: error.message || 'Failed to create account', tone: 'destructive' })
      },
    )
  }

  return (
    <form noValidate method="post" onSubmit={submit} className="grid gap-6">
      <p className="-mb-2 text-sm text-muted">Every field is required, except the referral code.</p>
      <UsernameField error={errors.username} />
      <EmailField error={errors.email} />
      <PhoneField showsRequired error={errors.phoneNumber} />
      <NewPasswordFields label="Password" errors={errors} />
      <TextField
        label="Referral code"
        name="referralCode"
        autoComplete="off"
        autoCapitalize="characters"
        spellCheck={false}
        maxLength={64}
        value={referralCode}
        onChange={(event) => onReferralCode(event.target.value)}
        error={errors.referralCode}
        hint="Optional. A friend’s code gives you 50 bonus points."
      />
      {turnstile.widget}
      <Button type="submit" variant="primary" aria-disabled={signUp.isPending} className="min-h-14">
        {signUp.isPending ? 'Creating your account' : 'Sign Up'}
      </Button>
    </form>
  )
}

/** Text of the toast after a sign-up: points, and how to confirm the email. */
function welcomeText({ username, points, email, emailSent }: NewSupporter): string {
  const pointsText = points > 0 ? ` You start with ${points} points.` : ''
  const linkText = emailSent
    ? `We sent a link to ${email}. Open it to confirm your email.`
    : `We could not send a link to ${email}. Request one on your account page to confirm your email.`
  return `Welcome, ${username}.${pointsText} ${linkText}`
}

function validate(values: Record<Field, string>): ValidationErrors<Field> | null {
  const missing = (['username', 'email', 'phoneNumber', 'password'] as const).filter((name) => !values[name].trim())
  if (missing.length > 0) return missingFieldsError(missing)
  if (values.password !== values.confirm) return PASSWORD_MISMATCH
  const checks: [Field, string | null][] = [
    ['username', usernameError(values.username.trim())],
    ['email', emailError(values.email.trim())],
    ['password', passwordError(values.password.normalize('NFC'))],
  ]
  const errors = checks.filter((check): check is [Field, string] => check[1] !== null)
  const [firstError] = errors
  return firstError
    ? { toast: { title: 'Signup failed', text: firstError[1] }, fields: Object.fromEntries(errors) }
    : null
}

/** Patterns that find the field which a `bad_input` message is about. */
const FIELD_PATTERNS: readonly [Field, RegExp][] = [
  ['phoneNumber', /phone/i],
  ['password', /password/i],
  ['email', /email/i],
  ['username', /username/i],
]

/** The server's message under the field that caused the error; empty if no field did. */
function serverFieldErrors(error: Error): FieldErrors<Field> {
  if (!(error instanceof ApiError)) return {}
  const message = errorMessage(error)
  switch (error.code) {
    case 'name_taken':
      return { username: message }
    case 'email_taken':
      return { email: message }
    case 'unknown_code':
      return { referralCode: message }
    case 'bad_input': {
      const [field] = FIELD_PATTERNS.find(([, pattern]) => pattern.test(message)) ?? []
      return field ? { [field]: message } : {}
    }
    default:
      return {}
  }
}
