import * as z from 'zod/mini'
import { AGE_WORDING } from './age'
import { emailProblem, MISSING, passwordProblem, usernameProblem } from './credential-rules'
import { line } from './text'

/** Text that a rule has nothing to say against. */
function ruled(prepare: (text: string) => string, problem: (text: string) => string | null) {
  return z.string(MISSING).check(
    z.overwrite(prepare),
    z.check(({ value, issues }) => {
      const message = problem(value)
      if (message) issues.push({ code: 'custom', input: value, message })
    }),
  )
}

/** 3 to 30 of A-Z a-z 0-9 . _ - (ruling 12). */
export const username = ruled((text) => text.trim(), usernameProblem)
const email = ruled((text) => text.normalize('NFC').trim(), emailProblem)
/** A new password: spaces and all; the worker refuses the commonest besides (ruling 12). */
export const newPassword = ruled((text) => text.normalize('NFC'), passwordProblem)

/** A password that is only compared: any text, folded to NFC as new ones are. */
export const givenPassword = z.string(MISSING).check(
  z.minLength(1, MISSING),
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
  ageWording: z.optional(z.literal(AGE_WORDING, 'We do not know those words about your age.')),
})

/** `username` may be the e-mail address. */
export const LogIn = z.strictObject({ username: line(254, 'The username'), password: givenPassword })
