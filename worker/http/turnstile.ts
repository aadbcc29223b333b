import { createMiddleware } from 'hono/factory'
import * as z from 'zod/mini'
import { AppError } from '../lib/app-error'
import { type Millis, SECOND_MS } from '../lib/clock'
import { logError } from '../lib/log'
import type { AppEnv } from './app-env'
import { siteOrigin } from './deps'

const VERIFY_TIMEOUT_MS: Millis = 5 * SECOND_MS

/** Cloudflare's response; a token is valid once, for five minutes. */
const Verification = z.object({
  success: z.boolean(),
  hostname: z.optional(z.string()),
  action: z.optional(z.string()),
  'error-codes': z.optional(z.array(z.string())),
})
/** Codes of errors in the deployment or at Cloudflare, which a new token does not solve. */
const OUTAGE_CODES = ['internal-error', 'missing-input-secret', 'invalid-input-secret', 'bad-request']

/**
 * Checks the `turnstileToken` of the validated body while Turnstile is on. `action` names the form of the widget.
 * @throws AppError `turnstile_failed` for a missing, used or foreign token; `unavailable` if it cannot be verified.
 */
export const requireTurnstile = (action: string) =>
  createMiddleware<AppEnv, string, { out: { json: { turnstileToken?: string | undefined } } }>(async (c, next) => {
    const { turnstile } = c.var.config
    if (turnstile) {
      const { turnstileToken } = c.req.valid('json')
      if (turnstileToken === undefined) throw turnstileError()
      const verification = await verifyToken(turnstile, turnstileToken, c.req.header('cf-connecting-ip'))
      const isForThisForm = verification.hostname === new URL(siteOrigin(c)).hostname && verification.action === action
      if (verification['error-codes']?.includes('timeout-or-duplicate')) throw expiredTokenError()
      if (!verification.success || !isForThisForm) throw turnstileError()
    }
    await next()
  })

async function verifyToken(
  { secretKey, verifyUrl }: { secretKey: string; verifyUrl: string },
  token: string,
  ip: string | undefined,
): Promise<z.infer<typeof Verification>> {
  try {
    const response = await fetch(verifyUrl, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ secret: secretKey, response: token, remoteip: ip }),
      signal: AbortSignal.timeout(VERIFY_TIMEOUT_MS),
      redirect: 'manual',
    })
    const verification = Verification.parse(await response.json())
    const outageCode = verification['error-codes']?.find((code) => OUTAGE_CODES.includes(code))
    if (outageCode) throw new Error(outageCode)
    return verification
  } catch (cause) {
    logError('turnstile', cause)
    throw new AppError('unavailable', 'We could not check that you are human. Please try again in a moment.', { cause })
  }
}

const turnstileError = () =>
  new AppError('turnstile_failed', 'Please confirm that you are human, then send the form again.')

const expiredTokenError = () =>
  new AppError('turnstile_failed', 'The check that you are human has expired. Please send the form again.')
