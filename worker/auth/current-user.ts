import type { Me } from '../contract/auth'
import type { TierId } from '../contract/site'
import { MAX_PAID_REFERRALS } from '../users/referrals'
import { CALLER_CTE, callerBinds, type SessionPayload } from './sessions'

/** The logged-in user of a request, verified against D1. */
export type Caller = {
  userId: number
  username: string
  email: string
  emailVerified: boolean
  tier: TierId
  role: 'supporter' | 'administrator'
  points: number
  referralCode: string
  referralsUsed: number
  session: SessionPayload
}

/** Why a session is rejected: it has ended, or the account is suspended. */
export type SessionCheck = { caller: Caller } | { rejected: 'ended' | 'banned' | 'not_administrator' }

/** Columns of `users` for `toMe`. */
export const USER_COLUMNS = `users.id, users.username, coalesce(users.email, '') AS email,
  users.email_verified_at IS NOT NULL AS emailVerified, users.tier, users.role, users.points,
  coalesce(users.referral_code, '') AS referralCode, users.session_epoch AS epoch,
  users.banned_at IS NOT NULL AS banned,
  (SELECT count(*) FROM ledger WHERE ledger.user_id = users.id AND ledger.action = 'referral_bonus' AND ledger.points > 0)
    AS referralsUsed`

export type UserRow = {
  id: number
  username: string
  email: string
  emailVerified: number
  tier: TierId
  role: 'supporter' | 'administrator'
  points: number
  referralCode: string
  epoch: number
  banned: number
  referralsUsed: number
}

/** Reads the user and checks the session in one query. */
export async function checkSession(db: D1Database, session: SessionPayload): Promise<SessionCheck> {
  const row = await db
    .prepare(
      `WITH ${CALLER_CTE} SELECT ${USER_COLUMNS}, EXISTS (SELECT 1 FROM caller) AS isActive FROM users WHERE users.id = ?1`,
    )
    .bind(...callerBinds(session))
    .first<UserRow & { isActive: number }>()
  if (row?.banned) return { rejected: 'banned' }
  if (row && session.kind === 'administrator' && row.role !== 'administrator') return { rejected: 'not_administrator' }
  if (!row?.isActive) return { rejected: 'ended' }
  const { id, banned: _, epoch: __, isActive: ___, emailVerified, ...user } = row
  return { caller: { ...user, userId: id, emailVerified: emailVerified === 1, session } }
}

/** The user as their own browser sees it. */
export function toMe(
  user: Pick<UserRow, keyof UserRow & Exclude<keyof Me, 'referralLimit' | 'emailVerified'>> & {
    emailVerified: number | boolean
  },
): Me {
  const { id, username, points, email, tier, role, referralCode, referralsUsed } = user
  return {
    id,
    username,
    points,
    email,
    emailVerified: Boolean(user.emailVerified),
    tier,
    role,
    referralCode,
    referralsUsed: Math.min(referralsUsed, MAX_PAID_REFERRALS),
    referralLimit: MAX_PAID_REFERRALS,
  }
}

export const callerToMe = (caller: Caller): Me => toMe({ ...caller, id: caller.userId })
