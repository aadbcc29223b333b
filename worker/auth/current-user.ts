import { eq, isNotNull, type SQL, sql } from 'drizzle-orm'
import type { Me } from '../contract/auth'
import type { TeamRole } from '../contract/endpoint'
import type { Db } from '../db/client'
import type { Millis } from '../lib/clock'
import { usesEmailedCode } from '../users/account'
import { MAX_REWARDED_REFERRALS } from '../users/referrals'
import { users } from '../users/users.table'
import { revokedSessions } from './auth.table'
import type { SessionPayload } from './sessions'

/** The logged-in user of a request, verified against D1. */
export type Caller = Omit<UserRow, 'id' | 'epoch' | 'banned'> & { userId: number; session: SessionPayload }

/** The caller, or why the session is rejected: it has ended, or the account is banned or not an administrator. */
export type SessionCheck = { caller: Caller } | { rejected: 'ended' | 'banned' | 'not_administrator' }

const asBoolean = (condition: SQL) => condition.mapWith(Boolean)

/** The columns of a user that `checkSession` and `toMe` need. */
export const userColumns = {
  id: users.id,
  username: users.username,
  email: sql<string>`coalesce(${users.email}, '')`,
  emailVerified: asBoolean(isNotNull(users.emailVerifiedAt)),
  tier: users.tier,
  role: users.role,
  teamRole: sql<TeamRole | null>`(SELECT team_members.role FROM team_members WHERE team_members.user_id = users.id)`,
  points: users.points,
  referralCode: sql<string>`coalesce(${users.referralCode}, '')`,
  mailboxKey: users.mailboxKey,
  hasPassword: asBoolean(isNotNull(users.passwordHash)),
  hasGoogle: asBoolean(sql`EXISTS (SELECT 1 FROM identities WHERE identities.user_id = users.id)`),
  usesEmailedCode,
  epoch: users.sessionEpoch,
  banned: asBoolean(isNotNull(users.bannedAt)),
  referralsUsed: sql<number>`(SELECT count(*) FROM ledger
    WHERE ledger.user_id = users.id AND ledger.action = 'referral_bonus' AND ledger.points > 0)`,
}

const usersQuery = (db: Db) => db.select(userColumns).from(users)
export type UserRow = Awaited<ReturnType<typeof usersQuery>>[number]

/** The user who matches; undefined if there is none. Also finds erased users. */
export async function findUserWhere(db: Db, condition: SQL | undefined): Promise<UserRow | undefined> {
  const [user] = await usersQuery(db).where(condition)
  return user
}

/** Reads the user and checks the session in one query. */
export async function checkSession(db: Db, session: SessionPayload): Promise<SessionCheck> {
  const [row] = await db
    .select({ ...userColumns, erasedAt: users.erasedAt, revokedSid: revokedSessions.sid })
    .from(users)
    .leftJoin(revokedSessions, eq(revokedSessions.sid, session.sid))
    .where(eq(users.id, session.userId))
  if (!row) return { rejected: 'ended' }
  const { id, banned, epoch, erasedAt, revokedSid, ...user } = row
  if (banned) return { rejected: 'banned' }
  if (session.kind === 'administrator' && user.role !== 'administrator') return { rejected: 'not_administrator' }
  if (epoch !== session.epoch || erasedAt !== null || revokedSid !== null) return { rejected: 'ended' }
  return { caller: { ...user, userId: id, session } }
}

/** The user as returned to their own browser. */
export function toMe(
  user: Omit<UserRow, 'epoch' | 'banned' | 'mailboxKey' | 'hasPassword' | 'hasGoogle' | 'usesEmailedCode'>,
): Me {
  const { id, username, points, email, emailVerified, tier, role, teamRole, referralCode, referralsUsed } = user
  return {
    id,
    username,
    points,
    email,
    emailVerified,
    tier,
    role,
    teamRole,
    referralCode,
    referralsUsed: Math.min(referralsUsed, MAX_REWARDED_REFERRALS),
    referralLimit: MAX_REWARDED_REFERRALS,
  }
}

export const callerToMe = (caller: Caller): Me => toMe({ ...caller, id: caller.userId })

/** Query that sets when the user was last active, unless a later time is stored. */
export const updateLastActive = (db: Db, userId: number, now: Millis) =>
  db
    .update(users)
    .set({ lastActiveAt: sql`max(last_active_at, ${now})` })
    .where(eq(users.id, userId))
