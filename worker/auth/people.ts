import type { Me } from '../contract/auth'
import type { TierId } from '../contract/site'
import { CALLER, type Claim, callerBinds } from './sessions'

/** Who is calling, as D1 has just confirmed. */
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
  /** What the session says of itself. */
  claim: Claim
}

/** Why a claim does not stand: the session is over, or the account may not be used. */
export type Standing = { caller: Caller } | { refused: 'over' | 'banned' | 'not_administrator' }

/** At most so many referrals earn a bonus (ruling 19). */
export const REFERRAL_LIMIT = 3

/** The columns that make a Me, of a row named `users`. */
export const PERSON = `users.id, users.username, coalesce(users.email, '') AS email,
  users.email_verified_at IS NOT NULL AS emailVerified, users.tier, users.role, users.points,
  coalesce(users.referral_code, '') AS referralCode, users.session_epoch AS epoch,
  users.banned_at IS NOT NULL AS banned,
  (SELECT count(*) FROM ledger WHERE ledger.user_id = users.id AND ledger.action = 'referral_bonus' AND ledger.points > 0)
    AS referralsUsed`

export type PersonRow = {
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

/** One query reads the person and decides whether the claim stands (ruling 11). */
export async function standingOf(db: D1Database, claim: Claim): Promise<Standing> {
  const row = await db
    .prepare(`WITH ${CALLER} SELECT ${PERSON}, EXISTS (SELECT 1 FROM caller) AS stands FROM users WHERE users.id = ?1`)
    .bind(...callerBinds(claim))
    .first<PersonRow & { stands: number }>()
  if (row?.banned) return { refused: 'banned' }
  if (row && claim.kind === 'administrator' && row.role !== 'administrator') return { refused: 'not_administrator' }
  if (!row?.stands) return { refused: 'over' }
  const { id, banned: _, epoch: __, stands: ___, emailVerified, ...person } = row
  return { caller: { ...person, userId: id, emailVerified: emailVerified === 1, claim } }
}

/** A person's row as their own browser sees it. */
export function meOf(
  person: Pick<PersonRow, keyof PersonRow & Exclude<keyof Me, 'referralLimit' | 'emailVerified'>> & {
    emailVerified: number | boolean
  },
): Me {
  const { id, username, points, email, tier, role, referralCode, referralsUsed } = person
  return {
    id,
    username,
    points,
    email,
    emailVerified: Boolean(person.emailVerified),
    tier,
    role,
    referralCode,
    referralsUsed: Math.min(referralsUsed, REFERRAL_LIMIT),
    referralLimit: REFERRAL_LIMIT,
  }
}

/** The caller as a Me. */
export const meOfCaller = (caller: Caller): Me => meOf({ ...caller, id: caller.userId })
