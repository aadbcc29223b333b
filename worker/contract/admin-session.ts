import * as z from 'zod/mini'
import { currentPassword } from './credentials'
import { administrator, get, post } from './endpoint'
import { line, timestamp } from './text'

/**
 * An administrator's session: 24 hours from log-in, whatever is done meanwhile (ruling 7). `secondsLeft` is what is left
 * of them by the server's clock: a device whose own clock is wrong counts these down.
 */
export const AdminSession = z.object({ username: z.string(), expiresAt: timestamp, secondsLeft: z.int() })
export type AdminSession = z.infer<typeof AdminSession>

/** Six digits of the authenticator app, or a recovery code. */
const code = line(20, 'The code')

/** `code` is asked for with `second_factor_required` where the account has a second factor. */
export const AdminLogIn = z.strictObject({
  username: line(254, 'The username'),
  password: currentPassword,
  code: z.optional(code),
})

export const adminSessionApi = {
  login: post('/api/admin/login', AdminLogIn, AdminSession),
  logout: post('/api/admin/logout', null, null),
  session: get('/api/admin/session', AdminSession, administrator),
  secondFactor: get(
    '/api/admin/second-factor',
    z.object({ enabled: z.boolean(), recoveryCodesLeft: z.int() }),
    administrator,
  ),
  /** The secret for the app, as text, as `otpauth:` address and as a QR code (SVG). Within 15 minutes of the log-in. */
  beginSecondFactor: post(
    '/api/admin/second-factor/begin',
    null,
    z.object({ secret: z.string(), uri: z.string(), qr: z.string() }),
    administrator,
  ),
  /** The recovery codes are answered this once. */
  confirmSecondFactor: post(
    '/api/admin/second-factor/confirm',
    z.strictObject({ code }),
    z.object({ recoveryCodes: z.array(z.string()) }),
    administrator,
  ),
  endSecondFactor: post('/api/admin/second-factor/end', z.strictObject({ code }), null, administrator),
}
