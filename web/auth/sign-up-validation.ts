import { emailError, passwordError, usernameError } from '../../worker/contract/credential-rules'
import { ApiError } from '../api/call'

export type SignUpField = 'username' | 'email' | 'phoneNumber' | 'password' | 'confirm' | 'referralCode'
export type SignUpValues = Record<SignUpField, string>
export type FieldErrors<F extends string> = Partial<Record<F, string>>
type Toast = { title: string; text: string }

/** What stops a sign-up before it is sent: the toast of specification section 5, and a sentence for each field. */
export function validateSignUp(values: SignUpValues): { toast: Toast; fields: FieldErrors<SignUpField> } | null {
  const missing = (['username', 'email', 'phoneNumber', 'password'] as const).filter(
    (name) => values[name].trim() === '',
  )
  if (missing.length > 0)
    return {
      toast: { title: 'Missing fields', text: 'Please fill in all required fields' },
      fields: Object.fromEntries(missing.map((name) => [name, 'Please fill this in.'])),
    }
  if (values.password !== values.confirm)
    return {
      toast: { title: 'Password mismatch', text: "Passwords don't match!" },
      fields: { confirm: 'This is not the password above.' },
    }
  const found: [SignUpField, string | null][] = [
    ['username', usernameError(values.username.trim())],
    ['email', emailError(values.email.trim())],
    ['password', passwordError(values.password.normalize('NFC'))],
  ]
  const wrong = found.filter((row): row is [SignUpField, string] => row[1] !== null)
  const [first] = wrong
  return first ? { toast: { title: 'Signup failed', text: first[1] }, fields: Object.fromEntries(wrong) } : null
}

/** Which field a refusal of the server is about, with its sentence; nothing when it is about none. */
export function serverFieldErrors(error: Error): FieldErrors<SignUpField> {
  if (!(error instanceof ApiError)) return {}
  const sentence = error.message.replace(/^\d{3}: /, '')
  switch (error.code) {
    case 'name_taken':
      return { username: sentence }
    case 'email_taken':
      return { email: sentence }
    case 'unknown_code':
      return { referralCode: sentence }
    case 'bad_input':
      if (/phone/i.test(sentence)) return { phoneNumber: sentence }
      return /password/i.test(sentence) ? { password: sentence } : {}
    default:
      return {}
  }
}
