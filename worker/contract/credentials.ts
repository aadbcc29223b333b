import * as z from 'zod/mini'
import { emailError, passwordError, REQUIRED_FIELDS_MESSAGE, usernameError } from './credential-rules'
import { line } from './fields'
import { AGE_NOTICE_VERSION } from './retention'

/** Text that a rule has nothing to say against. */
function validatedText(prepare: (text: string) => string, problem: (text: string) => string | null) {
  return z.string(REQUIRED_FIELDS_MESSAGE).check(
    z.overwrite(prepare),
    z.check(({ value, issues }) => {
      const message = problem(value)
      if (message) issues.push({ code: 'custom', input: value, message })
    }),
  )
}

/** 3 to 30 of A-Z a-z 0-9 . _ - (ruling 12). */
export const username = validatedText((text) => text.trim(), usernameError)
const email = validatedText((text) => text.normalize('NFC').trim(), emailError)
/** A new password: spaces and all; the worker refuses the commonest besides (ruling 12). */
export const newPassword = validatedText((text) => text.normalize('NFC'), passwordError)

/** A password that is only compared: any text, folded to NFC as new ones are. */
export const currentPassword = z.string(REQUIRED_FIELDS_MESSAGE).check(
  z.minLength(1, REQUIRED_FIELDS_MESSAGE),
  z.maxLength(1024, 'Invalid credentials.'),
  z.overwrite((value) => value.normalize('NFC')),
)

export const SignUp = z.strictObject({
  username,
  email,
  password: newPassword,
  /** Any case; empty is none. */
  referralCode: z.optional(z.string('A referral code is text.').check(z.trim(), z.maxLength(64))),
  /** As typed; stored as a keyed hash and two digits (ruling 20). Empty is none. */
  phoneNumber: z.optional(z.string('A phone number is text.').check(z.trim(), z.maxLength(40))),
  /** Below which words about the person's age the form was sent; kept with the instant. Whoever calls may leave it out. */
  ageWording: z.optional(z.literal(AGE_NOTICE_VERSION, 'We do not know those words about your age.')),
})

/** `username` may be the e-mail address. */
export const LogIn = z.strictObject({ username: line(254, 'The username'), password: currentPassword })
