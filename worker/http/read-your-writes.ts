import type { Context } from 'hono'
import { createMiddleware } from 'hono/factory'
import { readCookie, SESSION_COOKIE, writeCookie } from '../auth/cookies'
import { openDb } from '../db/client'
import { nearestReplica, primarySession } from '../db/replicas'
import { MINUTE_MS } from '../lib/clock'
import { signValue, verifySignedValue } from '../lib/crypto'
import type { AppEnv } from './app-env'

const COOKIE_NAME = 'bookmark'
const SIGNATURE_PURPOSE = 'bookmark'
/** A copy that lags longer than this is not read from at all. */
const BOOKMARK_TTL_MS = 10 * MINUTE_MS
const READ_METHODS = new Set(['GET', 'HEAD', 'OPTIONS'])

/**
 * A write goes to the primary, and leaves a bookmark with whoever is logged in: their next public read is answered by a
 * copy that knows it. A visitor gets none, for a cookie would keep them from the kept answers.
 */
export const bookmarkWrites = createMiddleware<AppEnv>(async (c, next) => {
  if (READ_METHODS.has(c.req.method)) return next()
  const { DB, bookmark } = primarySession(c.env.DB)
  c.env = { ...c.env, DB }
  c.set('db', openDb(DB))
  await next()
  if (!c.res.ok || !isLoggedIn(c)) return
  const writeBookmark = c.get('writeBookmark') ?? bookmark()
  if (writeBookmark)
    writeCookie(
      c,
      COOKIE_NAME,
      await signValue(c.var.config.signingSecret, SIGNATURE_PURPOSE, writeBookmark),
      BOOKMARK_TTL_MS,
    )
})

/** Public reads of this request go to the nearest copy that knows what its sender has written. True where they have. */
export async function selectNearestReplica(c: Context<AppEnv>): Promise<boolean> {
  const cookie = readCookie(c, COOKIE_NAME)
  const minBookmark =
    cookie === undefined ? null : await verifySignedValue(c.var.config.signingSecret, SIGNATURE_PURPOSE, cookie)
  c.set('db', openDb(nearestReplica(c.env.DB, minBookmark)))
  return minBookmark !== null
}

/** Whoever came with a session, or has just been given one. */
const isLoggedIn = (c: Context<AppEnv>) =>
  Object.values(SESSION_COOKIE).some((name) => readCookie(c, name) !== undefined) ||
  c.res.headers.getSetCookie().some((cookie) => /^(__Host-)?(session|admin)=[^;]/.test(cookie))
