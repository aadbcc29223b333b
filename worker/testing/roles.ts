import { env } from 'cloudflare:test'
import { SESSION_COOKIE } from '../auth/cookies'
import { createSession, revokeSessionStatement, type SessionKind } from '../auth/sessions'
import { DAY_MS, type Millis } from '../lib/clock'
import { addUser } from './rows'
import { NOON } from './seed'

/**
 * The kinds of people who can ask. `other` is a second supporter, who comes after the first and owns nothing of theirs;
 * a lapsed administrator's day is over, though they are logged in as a supporter; a thief holds both cookies of an
 * administrator who has logged out, and KV still answers to them; an expelled one holds those of an administrator who was
 * banned.
 */
export const ROLES = [
  'visitor',
  'supporter',
  'other',
  'banned',
  'administrator',
  'lapsed',
  'thief',
  'expelled',
] as const
export type Role = (typeof ROLES)[number]

/** The Cookie header of a person of this role, logged in at `NOON`: a fresh one, or `who`. Empty for a visitor. */
export async function cookieHeaderFor(role: Role, existingUserId?: number): Promise<string> {
  if (role === 'visitor') return ''
  const isAdministrator = ['administrator', 'lapsed', 'thief', 'expelled'].includes(role)
  const id =
    existingUserId ??
    (
      await addUser({
        role: isAdministrator ? 'administrator' : 'supporter',
        bannedAt: role === 'banned' || role === 'expelled' ? NOON : null,
      })
    ).id
  const cookie = async (kind: SessionKind, at: Millis) => {
    const { token, session } = await createSession(env.SESSIONS, kind, { userId: id, epoch: 0 }, at)
    if (role === 'thief') await revokeSessionStatement(env.DB, session).run()
    return `__Host-${SESSION_COOKIE[kind]}=${token}`
  }
  if (role === 'administrator') return cookie('administrator', NOON)
  if (role === 'thief' || role === 'expelled')
    return `${await cookie('administrator', NOON)}; ${await cookie('supporter', NOON)}`
  if (role === 'lapsed') return `${await cookie('administrator', NOON - DAY_MS)}; ${await cookie('supporter', NOON)}`
  return cookie('supporter', NOON)
}
