import { env } from 'cloudflare:test'
import { Buffer } from 'node:buffer'
import { scryptSync } from 'node:crypto'
import { SESSION_COOKIE } from '../auth/cookies'
import { createSession, revokeSessionStatement, type SessionKind } from '../auth/sessions'
import { communityApi, type Post } from '../contract/community'
import { DAY_MS, type Millis } from '../lib/clock'
import { normalizeKey } from '../lib/email'
import { usernameKey } from '../users/username'
import { newBrowser, send } from './client'
import { addUser, db, pointsOf } from './fixtures'
import { NOON } from './seed'

/** Password of users from addNamedUser(). */
export const PASSWORD = 'a long enough password'
const PASSWORD_SALT = Buffer.alloc(16, 7)
const PASSWORD_KEY = scryptSync(PASSWORD, PASSWORD_SALT, 32, { N: 2, r: 8, p: 5 })
/** A cheap hash of PASSWORD; a login replaces it. */
export const CHEAP_HASH = `scrypt$1$8$5$${PASSWORD_SALT.toString('base64url')}$${PASSWORD_KEY.toString('base64url')}`
let ipCount = 0

/** An address unique within the test file: rate limits count by it. */
export const uniqueIp = () => `198.${18 + Math.floor(++ipCount / 250)}.${ipCount % 250}.7`

/** A user with a confirmed address who can log in with PASSWORD, unless `row` changes that. */
export async function addNamedUser(username: string, row: Parameters<typeof addUser>[0] = {}) {
  const email = row.email === undefined ? `${username}@fan.example` : row.email
  return addUser({
    username,
    usernameKey: usernameKey(username),
    email,
    emailKey: email && normalizeKey(email),
    emailVerifiedAt: 0,
    passwordHash: CHEAP_HASH,
    ...row,
  })
}

type Options = Parameters<typeof newBrowser>[0] & { as?: SessionKind }

/** A browser holding a session, without a login request. `as: 'administrator'` adds an admin session. */
export async function browserWithSession(username: string, { as = 'supporter', ...options }: Options = {}) {
  const browser = newBrowser({ address: uniqueIp(), ...options })
  const user = await env.DB.prepare(
    'SELECT id AS userId, session_epoch AS epoch, mailbox_key AS mailboxKey FROM users WHERE username_key = ?',
  )
    .bind(usernameKey(username))
    .first<{ userId: number; epoch: number; mailboxKey: string | null }>()
  if (!user) throw new Error(`No user is named ${username}.`)
  const kinds: SessionKind[] = as === 'administrator' ? ['supporter', as] : [as]
  for (const kind of kinds) {
    const { token } = await createSession(options.env?.SESSIONS ?? env.SESSIONS, kind, user, options.at ?? Date.now())
    browser.cookies.set(`__Host-${SESSION_COOKIE[kind]}`, token)
  }
  return browser
}

/** Logs in over HTTP, which hashes the password and stores a known device. */
export async function logInWithPassword(username: string, { as = 'supporter', ...options }: Options = {}) {
  const browser = newBrowser({ address: uniqueIp(), ...options })
  for (const path of ['/api/auth/login', ...(as === 'administrator' ? ['/api/admin/login'] : [])]) {
    const response = await browser.send('POST', path, { username, password: PASSWORD })
    if (!response.ok) throw new Error(`${username} could not log in: ${response.status} ${await response.text()}`)
  }
  return browser
}

/**
 * `otherSupporter` does not own the resources of `supporter`. The sessions of `loggedOutAdmin` and `bannedAdmin` are
 * still in KV.
 */
export const ROLES = [
  'visitor',
  'supporter',
  'otherSupporter',
  'banned',
  'administrator',
  'expiredAdmin',
  'loggedOutAdmin',
  'bannedAdmin',
] as const
export type Role = (typeof ROLES)[number]

/**
 * The Cookie header of a user of this role, logged in at NOON; empty for a visitor. Adds a user unless
 * `existingUserId` is given.
 */
export async function cookieHeaderFor(role: Role, existingUserId?: number): Promise<string> {
  if (role === 'visitor') return ''
  const isAdministrator = ['administrator', 'expiredAdmin', 'loggedOutAdmin', 'bannedAdmin'].includes(role)
  const id =
    existingUserId ??
    (
      await addUser({
        role: isAdministrator ? 'administrator' : 'supporter',
        bannedAt: role === 'banned' || role === 'bannedAdmin' ? NOON : null,
      })
    ).id
  const cookie = async (kind: SessionKind, at: Millis) => {
    const { token, session } = await createSession(env.SESSIONS, kind, { userId: id, epoch: 0 }, at)
    if (role === 'loggedOutAdmin') await revokeSessionStatement(db, session).run()
    return `__Host-${SESSION_COOKIE[kind]}=${token}`
  }
  if (role === 'administrator') return cookie('administrator', NOON)
  if (role === 'loggedOutAdmin' || role === 'bannedAdmin')
    return `${await cookie('administrator', NOON)}; ${await cookie('supporter', NOON)}`
  if (role === 'expiredAdmin')
    return `${await cookie('administrator', NOON - DAY_MS)}; ${await cookie('supporter', NOON)}`
  return cookie('supporter', NOON)
}

const POSTS_PATH = communityApi.posts.path

/** Adds a supporter; the returned functions send community requests, at NOON unless `at` is given. */
export async function newSupporter(row: Parameters<typeof addUser>[0] = {}) {
  const user = await addUser(row)
  const { headers } = await sessionFor(user, NOON)
  const request = (method: string, path: string, json?: unknown, at = NOON) => send(method, path, json, { at, headers })
  const createPost = async (text: string, at = NOON) =>
    (await (await request('POST', POSTS_PATH, { text }, at)).json()) as { id: string; pointsAwarded: number }
  const getPoints = () => pointsOf(user.id)
  const getFeed = async () => (await (await request('GET', POSTS_PATH)).json()) as Post[]
  return { user, request, createPost, getPoints, getFeed }
}

/** Creates a supporter session; `headers` contains its cookie. */
export async function sessionFor(
  user: { id: number; sessionEpoch: number; mailboxKey?: string | null },
  at: Millis = Date.now(),
) {
  const { token, session } = await createSession(
    env.SESSIONS,
    'supporter',
    { userId: user.id, epoch: user.sessionEpoch, mailboxKey: user.mailboxKey },
    at,
  )
  return { session, headers: { cookie: `__Host-session=${token}` } }
}
