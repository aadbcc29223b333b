import '../styles/account.css'
import { type ComponentProps, useState } from 'react'
import { MAX_EMAIL_CHARS, PASSWORD_LENGTH, passwordError } from '../../worker/contract/credential-rules'
import { PasswordField, TextField } from '../ui/Field'
import { toast } from '../ui/toast'

export type FieldErrors<Name extends string> = Partial<Record<Name, string>>
/** Validation errors of a form: a toast, and a message for each invalid field. */
export type ValidationErrors<Name extends string> = {
  toast: { title: string; text: string }
  fields: FieldErrors<Name>
}

export const PASSWORD_MISMATCH: ValidationErrors<'confirm'> = {
  toast: { title: 'Password mismatch', text: "Passwords don't match!" },
  fields: { confirm: 'The passwords don’t match.' },
}

/** The error of required fields that are empty. */
export const missingFieldsError = <Name extends string>(names: readonly Name[]): ValidationErrors<Name> => ({
  toast: { title: 'Missing fields', text: 'Please fill in all required fields' },
  fields: Object.fromEntries(names.map((name) => [name, 'Please fill this in.'])) as FieldErrors<Name>,
})

/** Validates the values of `NewPasswordFields`; null if they are valid. */
export function validateNewPassword(data: FormData): ValidationErrors<'password' | 'confirm'> | null {
  const password = String(data.get('password'))
  const confirm = String(data.get('confirm'))
  if (password === '') return missingFieldsError(['password'])
  if (password !== confirm) return PASSWORD_MISMATCH
  const text = passwordError(password.normalize('NFC'))
  return text ? { toast: { title: 'Password not changed', text }, fields: { password: text } } : null
}

export const toastFormError = (error: ValidationErrors<string>) => toast({ ...error.toast, tone: 'destructive' })

/** Focuses the form's first invalid field. */
export function focusInvalidField(form: HTMLFormElement, fields: FieldErrors<string>): void {
  const selectors = Object.keys(fields).map((name) => `[name=${name}]`)
  if (selectors.length > 0) form.querySelector<HTMLInputElement>(selectors.join())?.focus()
}

type FieldProps = Partial<ComponentProps<typeof TextField>>

export function UsernameField(props: FieldProps) {
  return (
    <TextField
      label="Username"
      name="username"
      autoComplete="username"
      autoCapitalize="none"
      spellCheck={false}
      maxLength={30}
      required
      {...props}
    />
  )
}

export function EmailField(props: FieldProps) {
  return (
    <TextField
      label="Email"
      name="email"
      type="email"
      inputMode="email"
      autoComplete="email"
      maxLength={MAX_EMAIL_CHARS}
      required
      {...props}
    />
  )
}

export function PhoneField(props: FieldProps) {
  return (
    <TextField
      label="Phone number"
      name="phoneNumber"
      type="tel"
      inputMode="tel"
      autoComplete="tel"
      maxLength={40}
      required
      hint="For verification and referral security. We store its last two digits and a scrambled form, not the number."
      {...props}
    />
  )
}

export function SecondFactorField(props: FieldProps) {
  return (
    <TextField
      label="Code from your authenticator app"
      name="code"
      inputMode="numeric"
      autoComplete="one-time-code"
      autoCapitalize="characters"
      maxLength={20}
      required
      hint="Six digits, or a recovery code."
      {...props}
    />
  )
}

type NewPasswordProps = { label?: string; errors: FieldErrors<'password' | 'confirm'> }

/** Fields for a new password, with its strength, and for repeating it. */
export function NewPasswordFields({ label = 'New password', errors }: NewPasswordProps) {
  const [password, setPassword] = useState('')
  return (
    <>
      <PasswordField
        label={label}
        name="password"
        autoComplete="new-password"
        required
        value={password}
        onChange={(event) => setPassword(event.target.value)}
        error={errors.password}
        hint={<StrengthMeter password={password} />}
      />
      <PasswordField
        label={`Confirm ${label.toLowerCase()}`}
        name="confirm"
        autoComplete="new-password"
        required
        error={errors.confirm}
      />
    </>
  )
}

const STRENGTH_LABELS = [
  `At least ${PASSWORD_LENGTH.min} characters`,
  'Easily guessed',
  'Fair',
  'Good',
  'Strong',
] as const

function StrengthMeter({ password }: { password: string }) {
  const strength = passwordStrength(password)
  return (
    <>
      <div className="strength" aria-hidden="true">
        {[1, 2, 3, 4].map((bar) => (
          <span key={bar} data-lit={bar <= strength || undefined} />
        ))}
      </div>
      <p className="mt-2 flex justify-between gap-4">
        <span>Three or four words you remember are best.</span>
        <span aria-live="polite" className="shrink-0 text-ivory">
          {password !== '' && STRENGTH_LABELS[strength]}
        </span>
      </p>
    </>
  )
}

/** Estimates the strength, an index of STRENGTH_LABELS. The worker also rejects common passwords. */
function passwordStrength(password: string): 0 | 1 | 2 | 3 | 4 {
  const characters = [...password]
  if (characters.length < PASSWORD_LENGTH.min) return 0
  const distinctCount = new Set(characters.map((character) => character.toLowerCase())).size
  if (distinctCount < 5 || /^\d+$|^(?:pass|qwert|12345)/i.test(password)) return 1
  const kinds = [/\p{Ll}/u, /\p{Lu}/u, /\p{Nd}/u, /[^\p{L}\p{Nd}]/u].filter((kind) => kind.test(password)).length
  const score = characters.length + 2 * (kinds - 1)
  if (score < 12) return 2
  return score < 17 ? 3 : 4
}
