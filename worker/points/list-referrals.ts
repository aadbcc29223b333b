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

/** `standing_acts` is a view of the ledger without reversals and reversed entries. */
export const SELECT_REFERRALS = `
  WITH ${CALLER_CTE} SELECT referred.created_at AS joinedAt, referred.email_verified_at IS NULL AS isUnconfirmed,
    EXISTS (SELECT 1 FROM standing_acts bonus
      WHERE bonus.user_id = referred.referred_by AND bonus.key = 'referral_bonus:' || referred.id) AS isRewarded
  FROM users referred WHERE referred.referred_by = (SELECT id FROM caller)
  ORDER BY referred.id DESC LIMIT ${limits.maxReferralsShown}`

type ReferralRow = { joinedAt: Millis; isUnconfirmed: number; isRewarded: number }

/**
 * Sign-ups with the caller's referral code, latest first, and whether each was rewarded. One round trip.
 * @throws AppError `signed_out`, `forbidden`.
 */
export async function listReferrals(db: Db, session: SessionPayload): Promise<Referral[]> {
  const d1 = db.$client
  const [rows, sessionStatus] = await d1.batch([
    d1.prepare(SELECT_REFERRALS).bind(...callerBinds(session)),
    d1.prepare(SESSION_STATUS_SQL).bind(...callerBinds(session)),
  ])
  requireActiveSession(sessionStatus?.results[0] as SessionStatusRow | undefined, null)
  return ((rows?.results ?? []) as ReferralRow[]).map((row) => ({ joinedAt: toIso(row.joinedAt), state: stateOf(row) }))
}

function stateOf({ isRewarded, isUnconfirmed }: ReferralRow): Referral['state'] {
  if (isRewarded) return 'rewarded'
  return isUnconfirmed ? 'waiting' : 'unrewarded'
}
