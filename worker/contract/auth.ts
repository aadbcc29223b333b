import * as z from 'zod/mini'
import { get, post } from './endpoint'
import { TIERS } from './site'
import { emailAddress, line } from './text'

/** The logged-in person as their own browser sees them. */
export const Me = z.object({
  id: z.int(),
  username: z.string(),
  points: z.int(),
  email: z.string(),
  emailVerified: z.boolean(),
  tier: z.enum(TIERS),
  role: z.enum(['supporter', 'administrator']),
  referralCode: z.string(),
  /** Bonuses paid for this code; never above the limit. */
  referralsUsed: z.int(),
  referralLimit: z.int(),
})
export type Me = z.infer<typeof Me>

const MISSING = 'Please fill in all required fields.'
export const PASSWORD_LENGTH = { min: 8, max: 128 } as const

/** 3 to 30 of A-Z a-z 0-9 . _ - with a letter or digit among them (ruling 12). */
export const username = z
  .string(MISSING)
  .check(
    z.trim(),
    z.minLength(1, MISSING),
    z.regex(/^[A-Za-z0-9._-]{3,30}$/, 'A username has 3 to 30 letters, numbers, dots, dashes or underscores.'),
    z.regex(/[A-Za-z0-9]/, 'A username needs at least one letter or number.'),
  )

/** A new password: 8 to 128 characters, spaces and all; the worker refuses the commonest besides (ruling 12). */
export const newPassword = z.string(MISSING).check(
  z.minLength(1, MISSING),
  z.refine((value) => value.isWellFormed() && !/[\u0000-\u001f\u007f]/.test(value), {
    error: 'That password holds a character that cannot be used.',
  }),
  z.overwrite((value) => value.normalize('NFC')),
  z.refine((value) => [...value].length >= PASSWORD_LENGTH.min, {
    error: `A password needs at least ${PASSWORD_LENGTH.min} characters.`,
  }),
  z.refine((value) => [...value].length <= PASSWORD_LENGTH.max, {
    error: `A password has at most ${PASSWORD_LENGTH.max} characters.`,
  }),
)

/** A password that is only compared: any text, folded to NFC as new ones are. */
export const givenPassword = z.string(MISSING).check(
  z.minLength(1, MISSING),
  z.maxLength(1024, 'Invalid credentials.'),
  z.overwrite((value) => value.normalize('NFC')),
)

export const SignUp = z.strictObject({
  username,
  email: z.pipe(z.string(MISSING).check(z.trim(), z.minLength(1, MISSING)), emailAddress),
  password: newPassword,
  /** Any case; empty is none. */
  referralCode: z.optional(z.string('A referral code is text.').check(z.trim(), z.maxLength(64))),
  /** As typed; stored as a keyed hash and two digits (ruling 20). Empty is none. */
  phoneNumber: z.optional(z.string('A phone number is text.').check(z.trim(), z.maxLength(40))),
})

/** `username` may be the e-mail address. */
export const LogIn = z.strictObject({ username: line(254, 'The username'), password: givenPassword })

export const authApi = {
  status: get('/api/auth/status', z.nullable(Me)),
  user: get('/api/auth/user', Me, { who: 'supporter' }),
  signup: post('/api/auth/signup', SignUp, Me),
  login: post('/api/auth/login', LogIn, Me),
  logout: post('/api/auth/logout', null, null),
  /** Leaves for Google; `?referralCode=` and `?return=` come back with the browser. */
  google: get('/api/auth/google', null),
}
