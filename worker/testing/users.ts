import { env } from 'cloudflare:test'
import { Buffer } from 'node:buffer'
import { scryptSync } from 'node:crypto'
import { SESSION_COOKIE } from '../auth/cookies'
import { createSession, type SessionKind } from '../auth/sessions'
import { normalizeKey } from '../lib/email'
import { usernameKey } from '../users/username'
import type { users } from '../users/users.table'
import { newBrowser } from './browser'
import { addUser } from './rows'

/** The password of everybody whom `addPerson` adds. */
export const PASSWORD = 'a long enough password'
const salt = Buffer.alloc(16, 7)
const key = scryptSync(PASSWORD, salt, 32, { N: 2, r: 8, p: 5 })
/** Of PASSWORD at next to no cost: a wrong guess at it takes a millisecond, and the right one has it made anew. */
export const CHEAP_HASH = `scrypt$1$8$5$${salt.toString('base64url')}$${key.toString('base64url')}`
let ipCount = 0

/** An address nobody else in the test file has: limits count by it. */
export const uniqueIp = () => `198.51.${100 + Math.floor(++ipCount / 250)}.${ipCount % 250}`

/** Somebody who can log in with PASSWORD, with a verified address. */
export async function addVerifiedUser(username: string, row: Partial<typeof users.$inferInsert> = {}) {
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

/**
 * A browser of its own address with somebody's session in it, and the desk's as well `as: 'administrator'`. The door is
 * not asked, and nothing is hashed: whoever tests the door goes through it with `loggedIn`.
 */
export async function browserWithSession(username: string, { as = 'supporter', ...options }: Options = {}) {
  const browser = newBrowser({ address: uniqueIp(), ...options })
  const user = await env.DB.prepare('SELECT id AS userId, session_epoch AS epoch FROM users WHERE username_key = ?')
    .bind(usernameKey(username))
    .first<{ userId: number; epoch: number }>()
  if (!user) throw new Error(`Nobody is called ${username}.`)
  const kinds: SessionKind[] = as === 'administrator' ? ['supporter', as] : [as]
  for (const kind of kinds) {
    const { token } = await createSession(options.env?.SESSIONS ?? env.SESSIONS, kind, user, options.at ?? Date.now())
    browser.cookies.set(`__Host-${SESSION_COOKIE[kind]}`, token)
  }
  return browser
}

/** As `entered`, but by name and password: a hash or two, with a device that is known from then on. */
export async function logInWithPassword(username: string, { as = 'supporter', ...options }: Options = {}) {
  const browser = newBrowser({ address: uniqueIp(), ...options })
  for (const path of ['/api/auth/login', ...(as === 'administrator' ? ['/api/admin/login'] : [])]) {
    const answer = await browser.send('POST', path, { username, password: PASSWORD })
    if (!answer.ok) throw new Error(`${username} could not log in: ${answer.status} ${await answer.text()}`)
  }
  return browser
}
