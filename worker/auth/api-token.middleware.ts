import type { Context } from 'hono'
import { createMiddleware } from 'hono/factory'
import type { Endpoint } from '../contract/endpoint'
import { isPublicRead, tokenScope } from '../contract/token-scopes'
import { openDb } from '../db/client'
import type { AppEnv } from '../http/app-env'
import { clientAddress64 } from '../http/client-address'
import { AppError } from '../lib/app-error'
import { logError } from '../lib/log'
import { checkToken, hashToken, recordTokenUse, type TokenCaller } from './api-tokens'

declare module 'hono' {
  interface ContextVariableMap {
    /** Set if the request has an access token; its session cookies are then ignored. */
    apiToken?: TokenCaller
  }
}

/**
 * Authenticates `Authorization: Bearer` on API paths and checks the token's scope. Other schemes are ignored: a staging
 * site may use HTTP basic authentication.
 * @throws AppError `bad_api_token`, `scope_required`, `token_not_allowed`, `rate_limited`.
 */
export const apiTokenAuth = createMiddleware<AppEnv>(async (c, next) => {
  const [, token] = /^Bearer\s+(\S+)\s*$/i.exec(c.req.header('authorization') ?? '') ?? []
  if (token === undefined || !c.req.path.startsWith('/api/')) return next()
  const hash = await hashToken(c.var.config.signingSecret, token).catch((error) => countFailureAndRethrow(c, error))
  const limit = await c.env.LIMIT_API.limit({ key: `token ${hash}` }).catch(() => null)
  if (limit?.success === false)
    throw new AppError('rate_limited', 'This access token has made too many requests. Please wait a minute.')
  const { isUseRecorded, ...tokenCaller } = await checkToken(c.var.db, hash, c.var.now()).catch((error) =>
    countFailureAndRethrow(c, error),
  )
  requireScope(c.var.endpoint, tokenCaller)
  c.set('db', openDb(c.env.DB, tokenCaller.tokenName))
  c.set('apiToken', tokenCaller)
  if (!isUseRecorded)
    c.executionCtx.waitUntil(
      recordTokenUse(c.var.db, tokenCaller.tokenId, c.var.now()).catch((error: unknown) =>
        logError('api-token', error),
      ),
    )
  await next()
})

/** Counts an invalid token in the rate limit of its sender. @throws `error`, or AppError `rate_limited`. */
async function countFailureAndRethrow(c: Context<AppEnv>, error: unknown): Promise<never> {
  if (!(error instanceof AppError)) throw error
  const limit = await c.env.LIMIT_AUTH.limit({ key: `token-failures ${clientAddress64(c)}` }).catch(() => null)
  if (limit?.success === false)
    throw new AppError('rate_limited', 'Too many requests with an invalid access token. Please wait a minute.')
  throw error
}

function requireScope(endpoint: Endpoint | null, { scopes }: TokenCaller): void {
  if (!endpoint || isPublicRead(endpoint)) return
  const needed = tokenScope(endpoint)
  if (needed === null)
    throw new AppError('token_not_allowed', 'An access token cannot be used for this. Please use the dashboard.')
  if (!scopes.includes(needed))
    throw new AppError('scope_required', `This access token lacks the permission ${needed}.`)
}
