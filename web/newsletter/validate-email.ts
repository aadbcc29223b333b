import { EMAIL_PATTERN } from '../../worker/contract/email-pattern'

/** What is wrong with an address, as the toast says it (specification section 5); null when it can be sent. */
export function validateEmail(email: string): { title: string; text: string } | null {
  const text = 'Please enter a valid email address.'
  if (email.trim() === '') return { title: 'Email required', text }
  return EMAIL_PATTERN.test(email.trim()) ? null : { title: 'Invalid email', text }
}
