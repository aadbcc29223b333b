import * as z from 'zod/mini'
import {
  currentPassword,
  LogIn,
  newPassword,
  reauthenticationCode,
  SignUp,
  secondFactorCode,
  username,
} from './credentials'
import { confirmed, del, get, patch, post, TEAM_ROLES, user, visitor } from './endpoint'
import { emailAddress, turnstileToken } from './fields'
import { TIERS } from './site'

export const Me = z.object({
  id: z.int(),
  username: z.string(),
  points: z.int(),
  email: z.string(),
  emailVerified: z.boolean(),
  tier: z.enum(TIERS),
  role: z.enum(['supporter', 'administrator']),
  /** Null for a supporter. */
  teamRole: z.nullable(z.enum(TEAM_ROLES)),
  referralCode: z.string(),
  /** Number of referral bonuses awarded, at most `referralLimit`. */
  referralsUsed: z.int(),
  referralLimit: z.int(),
})
export type Me = z.infer<typeof Me>

/** Token of an emailed link: 43 characters of base64url. */
const token = z.string('This link is not complete.').check(z.regex(/^[\w-]{43}$/, 'This link is not complete.'))

const optionalCode = z.optional(secondFactorCode)
const REAUTHENTICATION_MESSAGE = 'Please enter your password or the code we emailed.'

/**
 * The password, or the six digits just emailed. An admin with a second factor also sends the code of the authenticator
 * app; without it the call fails with `second_factor_required`.
 */
export const Reauthentication = z.union(
  [
    z.strictObject({ password: currentPassword, secondFactorCode: optionalCode }),
    z.strictObject({
      code: reauthenticationCode,
      secondFactorCode: optionalCode,
    }),
  ],
  REAUTHENTICATION_MESSAGE,
)

/** Account settings, in addition to Me. */
export const Account = z.object({
  username: z.string(),
  email: z.string(),
  emailVerified: z.boolean(),
  /** New address that is not confirmed yet; null without a pending change. */
  pendingEmail: z.nullable(z.string()),
  hasPassword: z.boolean(),
  google: z.boolean(),
  /** The account has no password, Google, passkey or second factor: an emailed code re-authenticates. */
  emailedCode: z.boolean(),
  /** Last two digits of the phone number; null without one. */
  phoneEnds: z.nullable(z.string()),
  leaderboardOptOut: z.boolean(),
  createdAt: z.iso.datetime(),
  /** Sensitive actions are allowed until then: 15 minutes after login or the last re-authentication. */
  provenUntil: z.iso.datetime(),
})
export type Account = z.infer<typeof Account>

export const authApi = {
  status: get('/api/auth/status', z.nullable(Me), visitor),
  user: get('/api/auth/user', Me, user),
  signup: post('/api/auth/signup', SignUp, z.extend(Me, { emailSent: z.boolean() }), {
    ...visitor,
    description:
      "`emailSent` is false if other sign-ups used up the mailbox's daily quota of emails; `/api/auth/email/resend` has its own quota.",
    status: 201,
  }),
  login: post('/api/auth/login', LogIn, Me, visitor),
  logout: post('/api/auth/logout', null, null, visitor),
  logoutEverywhere: post('/api/auth/logout-everywhere', null, null, user),
  google: get('/api/auth/google', null, {
    ...visitor,
    description:
      "Redirects to Google; `?referralCode=` and `?return=` are restored afterwards. With `?for=admin` it leads to the dashboard's login page, which starts the admin session with `/api/admin/login/google`.",
    query: ['referralCode', 'return', 'for'],
    status: 303,
  }),
  googleCallback: get('/api/auth/google/callback', null, { ...visitor, status: 303, starts: 'deliver_webhooks' }),
  googleToken: post(
    '/api/auth/google',
    z.strictObject({ googleToken: z.string().check(z.minLength(1), z.maxLength(8192)) }),
    Me,
    { ...visitor, starts: 'deliver_webhooks' },
  ),
  forgot: post('/api/auth/password/forgot', z.strictObject({ email: emailAddress, turnstileToken }), null, {
    ...visitor,
    status: 202,
  }),
  reset: post(
    '/api/auth/password/reset',
    z.strictObject({ token, password: newPassword, secondFactorCode: optionalCode }),
    null,
    { ...visitor, starts: 'deliver_webhooks' },
  ),
  changePassword: post(
    '/api/auth/password/change',
    z.strictObject({ current: z.optional(currentPassword), password: newPassword }),
    null,
    {
      ...user,
      recentAuth: true,
      description: 'Only an account without a password may omit `current`.',
    },
  ),
  verify: post(
    '/api/auth/email/verify',
    z.strictObject({ token, password: z.optional(currentPassword) }),
    z.object({ verified: z.literal(true) }),
    {
      ...visitor,
      description: 'Needs a session of the account or its password; else `password_required`.',
      starts: 'deliver_webhooks',
    },
  ),
  notMe: post('/api/auth/email/not-me', z.strictObject({ token }), null, {
    ...visitor,
    description:
      'With the token of a confirmation link: deletes its unconfirmed account, or cancels its change of address.',
  }),
  undoEmailChange: post('/api/auth/email/undo', z.strictObject({ token, secondFactorCode: optionalCode }), null, {
    ...visitor,
    description: 'Restores the previous address with the link emailed to it.',
  }),
  resend: post('/api/auth/email/resend', null, null, { ...user, status: 202 }),
  reauthenticate: post('/api/auth/confirm', Reauthentication, null, {
    ...user,
    description:
      'Re-authenticates for 15 minutes; without it, endpoints that need a recent authentication fail with `recent_auth_required`.',
  }),
  sendReauthenticationCode: post('/api/auth/confirm/code', null, null, { ...confirmed, status: 202 }),
}

export const accountApi = {
  changeEmail: post('/api/account/email', z.strictObject({ email: emailAddress }), null, {
    ...user,
    recentAuth: true,
    description: 'Takes effect when `/api/auth/email/verify` receives the token emailed to the new address.',
    status: 202,
  }),
  account: get('/api/account', Account, user),
  settings: patch(
    '/api/account',
    z.strictObject({
      username: z.optional(username),
      leaderboardOptOut: z.optional(z.boolean()),
      /** Any common format; stored as a hash and two digits. 400 for an invalid number. */
      phoneNumber: z.optional(z.string('A phone number is text.').check(z.trim(), z.maxLength(40))),
    }),
    Account,
    user,
  ),
  export: get('/api/account/export', null, {
    ...user,
    recentAuth: true,
    description: "The caller's data as JSON, or as HTML with `?format=html`.",
    query: ['format'],
  }),
  erase: del('/api/account', z.union([Reauthentication, z.strictObject({})], REAUTHENTICATION_MESSAGE), null, {
    ...user,
    recentAuth: true,
    description: 'Recent authentication suffices, so the site sends an empty body; other bodies are for API clients.',
  }),
}
