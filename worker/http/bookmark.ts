import type { Context } from 'hono'
import { createMiddleware } from 'hono/factory'
import { ownCookie, SESSION_COOKIE, setOwnCookie } from '../auth/cookies'
import { openDb } from '../db/client'
import { nearest, primary } from '../db/copies'
import { MINUTE } from '../lib/clock'
import { seal, unseal } from '../lib/signature'
import type { AppEnv } from './app-env'

const NAME = 'bookmark'
const PURPOSE = 'bookmark'
/** A copy that lags longer than this is not read from at all. */
const LIFE = 10 * MINUTE
const READS = new Set(['GET', 'HEAD', 'OPTIONS'])

/**
 * A write goes to the primary, and leaves a bookmark with whoever is logged in: their next public read is answered by a
 * copy that knows it. A visitor gets none, for a cookie would keep them from the kept answers.
 */
export const writesLeaveABookmark = createMiddleware<AppEnv>(async (c, next) => {
  if (READS.has(c.req.method)) return next()
  const { DB, bookmark } = primary(c.env.DB)
  c.env = { ...c.env, DB }
  c.set('db', openDb(DB))
  await next()
  if (!c.res.ok || !isLoggedIn(c)) return
  const left = c.get('leftBookmark') ?? bookmark()
  if (left) setOwnCookie(c, NAME, await seal(c.var.config.signingSecret, PURPOSE, left), LIFE)
})

/** Public reads of this request go to the nearest copy that knows what its sender has written. True where they have. */
export async function readNearby(c: Context<AppEnv>): Promise<boolean> {
  const cookie = ownCookie(c, NAME)
  const seen = cookie === undefined ? null : await unseal(c.var.config.signingSecret, PURPOSE, cookie)
  c.set('db', openDb(nearest(c.env.DB, seen)))
  return seen !== null
}

/** Whoever came with a session, or has just been given one. */
const isLoggedIn = (c: Context<AppEnv>) =>
  Object.values(SESSION_COOKIE).some((name) => ownCookie(c, name) !== undefined) ||
  c.res.headers.getSetCookie().some((line) => /^(__Host-)?(session|admin)=[^;]/.test(line))
