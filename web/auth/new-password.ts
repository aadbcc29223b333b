import { passwordError } from '../../worker/contract/credential-rules'

/** What is wrong with a new password that was typed twice: the toast, and a sentence beside the field; null when nothing. */
export function validateNewPassword(data: FormData): {
  toast: { title: string; text: string }
  fields: { password?: string; confirm?: string }
} | null {
  const [password, confirm] = [String(data.get('password')), String(data.get('confirm'))]
  if (password === '')
    return {
      toast: { title: 'Missing fields', text: 'Please fill in all required fields' },
      fields: { password: 'Please fill this in.' },
    }
  if (password !== confirm)
    return {
      toast: { title: 'Password mismatch', text: "Passwords don't match!" },
      fields: { confirm: 'This is not the password above.' },
    }
  const problem = passwordError(password.normalize('NFC'))
  return problem ? { toast: { title: 'Password not changed', text: problem }, fields: { password: problem } } : null
}
