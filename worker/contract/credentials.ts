import * as z from 'zod/mini'
import { emailError, MAX_EMAIL_CHARS, passwordError, REQUIRED_FIELDS_MESSAGE, usernameError } from './credential-rules'
import { line, turnstileToken } from './fields'
import { AGE_NOTICE_VERSION } from './retention'

/** Text that is normalized, then validated by a function that returns an error message or null. */
function validatedText(normalize: (text: string) => string, findError: (text: string) => string | null) {
  return z.string(REQUIRED_FIELDS_MESSAGE).check(
    z.overwrite(normalize),
    z.check(({ value, issues }) => {
      const message = findError(value)
      if (message) issues.push({ code: 'custom', input: value, message })
    }),
  )
}

/** 3 to 30 of A-Z a-z 0-9 . _ - */
export const username = validatedText((text) => text.trim(), usernameError)
const email = validatedText((text) => text.normalize('NFC').trim(), emailError)
/** May contain spaces. The worker also rejects common passwords. */
export const newPassword = validatedText((text) => text.normalize('NFC'), passwordError)

/** A password to compare: any text, normalized to NFC. */
export const currentPassword = z.string(REQUIRED_FIELDS_MESSAGE).check(
  z.minLength(1, REQUIRED_FIELDS_MESSAGE),
  z.maxLength(1024, 'Invalid credentials.'),
  z.overwrite((value) => value.normalize('NFC')),
)

export const SignUp = z.strictObject({
  username,
  email,
  password: newPassword,
  /** Case-insensitive; may be empty. */
  referralCode: z.optional(z.string('A referral code is text.').check(z.trim(), z.maxLength(64))),
  /** Stored as a keyed hash and the last two digits; may be empty. */
  phoneNumber: z.optional(z.string('A phone number is text.').check(z.trim(), z.maxLength(40))),
  /** Version of the age notice shown with the form; optional for API clients. */
  ageWording: z.optional(z.literal(AGE_NOTICE_VERSION, 'That age notice is out of date. Please reload the page.')),
  turnstileToken,
})

/** The digits of an emailed re-authentication code. */
export const reauthenticationCode = z.string().check(z.trim(), z.regex(/^\d{6}$/, 'The code has six digits.'))

/** Six digits of the authenticator app, or a recovery code. */
export const secondFactorCode = line(20, 'The code')

/**
 * Login to the site or the dashboard. `username` may be the email address. An admin with a second factor must send
 * `code`; without it the error is `second_factor_required`.
 */
export const LogIn = z.strictObject({
  username: line(MAX_EMAIL_CHARS, 'The username'),
  password: currentPassword,
  code: z.optional(secondFactorCode),
})
