import type { Context } from 'hono'
import { createMiddleware } from 'hono/factory'
import { contract } from '../contract'
import { pathPattern, type Who } from '../contract/endpoint'
import type { AppEnv, Session } from '../http/app-env'
import { Refused } from '../lib/refused'
import { ownCookie, SESSION_COOKIE } from './cookies'
import { signedOut } from './joined'
import { type Caller, type Standing, standingOf } from './people'
import { type Claim, claimOf, needsRenewal, renew, type SessionKind } from './sessions'

/**
 * Lays the request's session on the context. Nothing is read before somebody asks, and a visitor without a cookie
 * costs nothing when they do: KV and D1 are asked once a request at the most.
 */
export const session = createMiddleware<AppEnv>(async (c, next) => {
  c.set('session', sessionOf(c))
  await next()
})

function sessionOf(c: Context<AppEnv>): Session {
  const claim = perKind((kind) => claimOf(c.env.SESSIONS, kind, ownCookie(c, SESSION_COOKIE[kind]), c.var.now()))
  const claimedHere = perKind(async (kind) => {
    const known = await c.var.remembered.find(ownCookie(c, SESSION_COOKIE[kind]), c.var.now())
    const claimed = known ?? (await claim(kind))
    if (claimed && !known) c.var.remembered.keep(claimed, c.var.now())
    return claimed
  })
  const standing = perKind(async (kind): Promise<Standing | null> => {
    const claimed = await claim(kind)
    if (!claimed) return null
    const found = await standingOf(c.env.DB, claimed)
    if ('caller' in found && needsRenewal(claimed, c.var.now())) c.executionCtx.waitUntil(keepAlive(c, claimed))
    return found
  })
  return {
    claim: () => claimedHere('supporter'),
    claimed: async () => {
      const claimed = await claimedHere('supporter')
      if (!claimed) throw signedOut(null)
      return claimed
    },
    reader: () => claim('supporter').catch(() => null),
    caller: async () => {
      const found = await standing('supporter')
      return found && 'caller' in found ? found.caller : null
    },
    supporter: async () => {
      const found = await standing('supporter')
      if (found && 'caller' in found) return found.caller
      if (found?.refused === 'banned') throw new Refused('forbidden', 'This account has been suspended.')
      throw signedOut(null)
    },
    administrator: () => administrator(c, claim, standing),
  }
}

/** Ruling 7: 403 for a supporter, 401 for everybody whose admin session is missing or over. */
async function administrator(
  c: Context<AppEnv>,
  claim: (kind: SessionKind) => Promise<Claim | null>,
  standing: (kind: SessionKind) => Promise<Standing | null>,
): Promise<Caller> {
  const found = await standing('administrator')
  if (found && 'caller' in found) return found.caller
  if (found && found.refused !== 'over') throw new Refused('forbidden', 'This account is no administrator any more.')
  if (ownCookie(c, SESSION_COOKIE.administrator) !== undefined)
    throw new Refused('session_expired', 'Your session has expired. Please log in again.')
  if (await claim('supporter')) throw new Refused('forbidden', 'This is for administrators.')
  throw new Refused('signed_out', 'Please log in as an administrator.')
}

/** What a session in use writes, once a day: KV's idle limit and the account's last sign of life (ruling 28). */
async function keepAlive(c: Context<AppEnv>, claim: Claim): Promise<void> {
  const now = c.var.now()
  await renew(c.env.SESSIONS, claim, now)
  await c.env.DB.prepare('UPDATE users SET last_active_at = max(last_active_at, ?2) WHERE id = ?1')
    .bind(claim.userId, now)
    .run()
}

type Row = { method: string; path: string; who: Who; signIn: string | null; joinsSession: boolean }
const endpoints: readonly Row[] = Object.values(contract).flatMap((api) => Object.values(api))
const guarded = endpoints
  .filter(({ who }) => who !== 'visitor')
  .map(({ path, ...row }) => ({ ...row, pattern: pathPattern(path) }))

/**
 * Holds every endpoint to its `who` in the contract: what a row says is what is enforced, and no handler can forget.
 * HEAD is held to GET's row. Asked before bodies are read and before anything is counted. Where a row joins the session
 * to its own statement, a visitor is turned away here and the statement decides about everybody else (`mustStand`).
 */
export const guard = createMiddleware<AppEnv>(async (c, next) => {
  const method = c.req.method === 'HEAD' ? 'GET' : c.req.method
  const row = guarded.find((it) => it.method === method && it.pattern.test(c.req.path))
  if (row?.who === 'supporter') await supporter(c, row)
  if (row?.who === 'administrator') await c.var.session.administrator()
  await next()
})

async function supporter(c: Context<AppEnv>, { signIn, joinsSession }: Pick<Row, 'signIn' | 'joinsSession'>) {
  const stands = joinsSession
    ? (await c.var.session.claim()) !== null
    : await c.var.session.supporter().catch((error) => {
        if (error instanceof Refused && error.code === 'signed_out') return false
        throw error
      })
  if (!stands) throw signedOut(signIn)
}

/** Remembers the answer for each kind of session: asked twice, read once. */
function perKind<T>(read: (kind: SessionKind) => Promise<T>): (kind: SessionKind) => Promise<T> {
  const answers = new Map<SessionKind, Promise<T>>()
  return (kind) => {
    const answer = answers.get(kind) ?? read(kind)
    answers.set(kind, answer)
    return answer
  }
}
