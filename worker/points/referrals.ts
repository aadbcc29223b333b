import {
  CALLER_CTE,
  callerBinds,
  requireActiveSession,
  SESSION_STATUS_SQL,
  type SessionPayload,
  type SessionStatusRow,
} from '../auth/sessions'
import type { Referral } from '../contract/points'
import type { Db } from '../db/client'
import { type Millis, toIso } from '../lib/clock'
import { limits } from '../limits'

export const SELECT_REFERRALS = `
  WITH ${CALLER_CTE} SELECT n.created_at AS joinedAt, n.email_verified_at IS NULL AS waits,
    EXISTS (SELECT 1 FROM standing_acts s WHERE s.user_id = n.referred_by AND s.key = 'referral_bonus:' || n.id) AS paid
  FROM users n WHERE n.referred_by = (SELECT id FROM caller) ORDER BY n.id DESC LIMIT ${limits.maxReferralsShown}`

type Row = { joinedAt: Millis; waits: number; paid: number }

/**
 * Sign-ups with the caller's referral code, latest first, and whether each was rewarded. One round trip.
 * @throws AppError `signed_out`, `forbidden`.
 */
export async function listReferrals(db: Db, session: SessionPayload): Promise<Referral[]> {
  const d1 = db.$client
  const [rows, explanation] = await d1.batch([
    d1.prepare(SELECT_REFERRALS).bind(...callerBinds(session)),
    d1.prepare(SESSION_STATUS_SQL).bind(...callerBinds(session)),
  ])
  requireActiveSession(explanation?.results[0] as SessionStatusRow | undefined, null)
  return ((rows?.results ?? []) as Row[]).map(({ joinedAt, waits, paid }) => ({
    joinedAt: toIso(joinedAt),
    state: paid ? 'rewarded' : waits ? 'waiting' : 'unrewarded',
  }))
}
