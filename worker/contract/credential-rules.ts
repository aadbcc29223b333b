// Plain functions, so that forms do not load zod.

export const REQUIRED_FIELDS_MESSAGE = 'Please fill in all required fields.'
/** In UTF-16 code units. */
export const MAX_EMAIL_CHARS = 254
export const PASSWORD_LENGTH = { min: 8, max: 128 } as const

/** Error message for a new username; null if valid. */
export function usernameError(username: string): string | null {
  if (username === '') return REQUIRED_FIELDS_MESSAGE
  if (!/^[A-Za-z0-9._-]{3,30}$/.test(username))
    return 'A username has 3 to 30 letters, numbers, dots, dashes or underscores.'
  return /[A-Za-z0-9]/.test(username) ? null : 'A username needs at least one letter or number.'
}

/** Error message for an email address; null if valid. */
export function emailError(email: string): string | null {
  if (email === '') return REQUIRED_FIELDS_MESSAGE
  return isEmail(email) ? null : 'Please enter a valid email address.'
}

/** Error message for a new password (8 to 128 characters); null if valid. The worker also rejects common ones. */
export function passwordError(password: string): string | null {
  if (password === '') return REQUIRED_FIELDS_MESSAGE
  if (!password.isWellFormed() || CONTROL_CHARACTER.test(password))
    return 'That password contains a character that is not allowed.'
  const length = [...password].length
  if (length < PASSWORD_LENGTH.min) return `A password needs at least ${PASSWORD_LENGTH.min} characters.`
  return length > PASSWORD_LENGTH.max ? `A password has at most ${PASSWORD_LENGTH.max} characters.` : null
}

/**
 * A local part, an @ and a dotted domain, without invisible characters or URL delimiters. Deliberately simple: a
 * confirmation email proves that the mailbox exists.
 */
const EMAIL_PATTERN =
  /^(?!.*[\p{Default_Ignorable_Code_Point}\p{Cf}])[^\s@,;:<>()[\]\\"]+@[^\s@,;:<>()[\]\\"/?#%]+\.[^\s@,;:<>()[\]\\"./?#%]{2,}$/u

const CONTROL_CHARACTER = /[\u0000-\u001f\u007f]/

/** Whether a trimmed text can be an email address. */
export const isEmail = (text: string): boolean =>
  text.length <= MAX_EMAIL_CHARS && text.isWellFormed() && !CONTROL_CHARACTER.test(text) && EMAIL_PATTERN.test(text)
