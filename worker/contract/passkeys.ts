import * as z from 'zod/mini'
import { AdminSession } from './admin'
import { Me } from './auth'
import { del, get, patch, post, team, user, visitor } from './endpoint'
import { line, timestamp } from './fields'

/** A passkey of the caller's account. */
export const Passkey = z.object({
  id: z.string(),
  name: z.string(),
  createdAt: timestamp,
  /** Null before its first use. */
  lastUsedAt: z.nullable(timestamp),
})
export type Passkey = z.infer<typeof Passkey>

/** Options of `navigator.credentials.create` or `.get` in their JSON form (WebAuthn level 3). */
const PasskeyOptions = z.looseObject({ challenge: z.string() })

const INVALID_PASSKEY = 'That passkey is not for this site.'
const base64url = z
  .string(INVALID_PASSKEY)
  .check(z.regex(/^[\w-]+$/, INVALID_PASSKEY), z.maxLength(8192, INVALID_PASSKEY))
const Credential = z.strictObject({
  id: base64url,
  rawId: base64url,
  type: z.literal('public-key', INVALID_PASSKEY),
  authenticatorAttachment: z.optional(z.enum(['platform', 'cross-platform'], INVALID_PASSKEY)),
  clientExtensionResults: z.record(z.string(), z.unknown(), INVALID_PASSKEY),
})

/** The browser's response for a new passkey (RegistrationResponseJSON). */
const NewPasskey = z.strictObject({
  ...Credential.shape,
  response: z.strictObject(
    {
      clientDataJSON: base64url,
      attestationObject: base64url,
      authenticatorData: z.optional(base64url),
      transports: z.optional(z.array(z.string().check(z.maxLength(20))).check(z.maxLength(8))),
      publicKeyAlgorithm: z.optional(z.int()),
      publicKey: z.optional(base64url),
    },
    INVALID_PASSKEY,
  ),
})
export type NewPasskey = z.infer<typeof NewPasskey>

/** The browser's response when a passkey is used (AuthenticationResponseJSON). */
export const PasskeyAssertion = z.strictObject(
  {
    ...Credential.shape,
    response: z.strictObject(
      {
        clientDataJSON: base64url,
        authenticatorData: base64url,
        signature: base64url,
        userHandle: z.optional(base64url),
      },
      INVALID_PASSKEY,
    ),
  },
  INVALID_PASSKEY,
)
export type PasskeyAssertion = z.infer<typeof PasskeyAssertion>

const name = line(60, 'The name')
const assertion = z.strictObject({ passkey: PasskeyAssertion })

const recentUser = { ...user, recentAuth: true } as const

/** A WebAuthn challenge is valid once, for five minutes, in the browser that requested it. */
export const passkeysApi = {
  list: get('/api/account/passkeys', z.array(Passkey), user),
  addOptions: post('/api/account/passkey-options', null, PasskeyOptions, recentUser),
  add: post('/api/account/passkeys', z.strictObject({ name, passkey: NewPasskey }), Passkey, {
    ...recentUser,
    status: 201,
  }),
  rename: patch('/api/account/passkeys/:id', z.strictObject({ name }), Passkey, user),
  remove: del('/api/account/passkeys/:id', null, null, recentUser),
  options: post('/api/auth/passkey/options', null, PasskeyOptions, {
    ...visitor,
    description: 'Options to log in or to re-authenticate.',
  }),
  login: post('/api/auth/passkey', assertion, Me, visitor),
  reauthenticate: post('/api/auth/confirm/passkey', assertion, null, user),
  adminLogin: post('/api/admin/login/passkey', assertion, AdminSession, visitor),
  reauthenticateAdmin: post('/api/admin/confirm/passkey', assertion, null, team),
}
