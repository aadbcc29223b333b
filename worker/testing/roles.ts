import { env } from 'cloudflare:test'
import { SESSION_COOKIE } from '../auth/cookies'
import { openSession, type SessionKind } from '../auth/sessions'
import { DAY, type Millis } from '../lib/clock'
import { NOON } from './furnish'
import { addUser } from './rows'

/** The kinds of people who can ask. A lapsed administrator's day is over, though they are logged in as a supporter. */
export const ROLES = ['visitor', 'supporter', 'banned', 'administrator', 'lapsed'] as const
export type Role = (typeof ROLES)[number]

/** The Cookie header of a fresh person of this role, logged in at `NOON`; empty for a visitor. */
export async function cookiesOf(role: Role): Promise<string> {
  if (role === 'visitor') return ''
  const administers = role === 'administrator' || role === 'lapsed'
  const { id } = await addUser({
    role: administers ? 'administrator' : 'supporter',
    bannedAt: role === 'banned' ? NOON : null,
  })
  const cookie = async (kind: SessionKind, at: Millis) => {
    const { token } = await openSession(env.SESSIONS, kind, { userId: id, epoch: 0 }, at)
    return `__Host-${SESSION_COOKIE[kind]}=${token}`
  }
  if (role === 'administrator') return cookie('administrator', NOON)
  if (role === 'lapsed') return `${await cookie('administrator', NOON - DAY)}; ${await cookie('supporter', NOON)}`
  return cookie('supporter', NOON)
}
