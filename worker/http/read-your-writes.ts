import type { Context } from 'hono'
import { createMiddleware } from 'hono/factory'
import { readCookie, writeCookie } from '../auth/cookies'
import { openDb } from '../db/client'
import { nearestReplica, primarySession } from '../db/replicas'
import { MINUTE_MS } from '../lib/clock'
import { signValue, verifySignedValue } from '../lib/crypto'
import type { AppEnv } from './app-env'
import { isReadMethod } from './origin'

const COOKIE_NAME = 'bookmark'
const SIGNATURE_PURPOSE = 'bookmark'
/** Longer than the maximum replication lag. */
const BOOKMARK_TTL_MS = 10 * MINUTE_MS

/**
 * Writes go to the primary and give users a bookmark cookie, so that their next public read uses a replica that has the
 * write. Visitors get none: a cookie would bypass the response cache.
 */
export const bookmarkWrites = createMiddleware<AppEnv>(async (c, next) => {
  if (isReadMethod(c)) return next()
  const { DB, bookmark } = primarySession(c.env.DB)
  c.env = { ...c.env, DB }
  c.set('db', openDb(DB, c.var.db.tokenName))
  await next()
  if (!c.res.ok || !isLoggedIn(c)) return
  const writeBookmark = c.get('writeBookmark') ?? bookmark()
  if (writeBookmark)
    writeCookie(
      c,
      COOKIE_NAME,
      await signValue(c.get('config').signingSecret, SIGNATURE_PURPOSE, writeBookmark),
      BOOKMARK_TTL_MS,
    )
})

/** Sends the request's reads to the nearest replica that has the caller's writes. True if there is a bookmark. */
export async function selectNearestReplica(c: Context<AppEnv>): Promise<boolean> {
  const cookie = readCookie(c, COOKIE_NAME)
  const minBookmark =
    cookie === undefined ? null : await verifySignedValue(c.get('config').signingSecret, SIGNATURE_PURPOSE, cookie)
  c.set('db', openDb(nearestReplica(c.env.DB, minBookmark), c.var.db.tokenName))
  return minBookmark !== null
}

const hasSession = (cookies: string) => /(^|;\s*)(__Host-)?(session|admin)=[^;]/.test(cookies)

/** True if the request or the response carries a session cookie. */
const isLoggedIn = (c: Context<AppEnv>) =>
  hasSession(c.req.header('cookie') ?? '') || c.res.headers.getSetCookie().some(hasSession)
