// What may be typed about oneself, as plain functions: the forms use them without the library that checks the wire.

export const REQUIRED_FIELDS_MESSAGE = 'Please fill in all required fields.'
export const PASSWORD_LENGTH = { min: 8, max: 128 } as const

/** What is wrong with a new username (ruling 12), as a sentence; null when it can be had. */
export function usernameError(username: string): string | null {
  if (username === '') return REQUIRED_FIELDS_MESSAGE
  if (!/^[A-Za-z0-9._-]{3,30}$/.test(username))
    return 'A username has 3 to 30 letters, numbers, dots, dashes or underscores.'
  return /[A-Za-z0-9]/.test(username) ? null : 'A username needs at least one letter or number.'
}

/** What is wrong with an address, as a sentence; null for one that mail can be sent to. */
export function emailError(email: string): string | null {
  if (email === '') return REQUIRED_FIELDS_MESSAGE
  return EMAIL_PATTERN.test(email) && email.length <= 254 ? null : 'Please enter a valid email address.'
}

/** What is wrong with a new password, as a sentence; null for one of 8 to 128 characters. The worker knows more. */
export function passwordError(password: string): string | null {
  if (password === '') return REQUIRED_FIELDS_MESSAGE
  if (!password.isWellFormed() || /[\u0000-\u001f\u007f]/.test(password))
    return 'That password holds a character that cannot be used.'
  const length = [...password].length
  if (length < PASSWORD_LENGTH.min) return `A password needs at least ${PASSWORD_LENGTH.min} characters.`
  return length > PASSWORD_LENGTH.max ? `A password has at most ${PASSWORD_LENGTH.max} characters.` : null
}

// In a file of its own, because the home page's forms use it without the library behind text.ts.

/**
 * One e-mail address as typed: a local part, an @ and a dotted domain, at most 254 characters.
 * Deliberately simple (specification section 5): whether a mailbox exists is proved by a mail to it.
 */
export const EMAIL_PATTERN = /^[^\s@,;:<>()[\]\\"]+@[^\s@,;:<>()[\]\\"]+\.[^\s@,;:<>()[\]\\".]{2,}$/
