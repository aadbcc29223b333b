import { sql } from 'drizzle-orm'
import {
  CALLER_CTE,
  callerBinds,
  requireActiveSession,
  type SessionPayload,
  type SessionStatusRow,
  withSessionStatus,
} from '../auth/sessions'
import { readShow } from '../concerts/concerts'
import { checkInApi } from '../contract/check-in'
import { POINTS, type PointsAward } from '../contract/points'
import { AppError } from '../lib/app-error'
import type { Millis } from '../lib/clock'
import { limits } from '../limits'
import { completedMissionsSql, parseCompletedMissions } from '../missions/missions'
import {
  QUOTAS,
  type QuotaUse,
  quotaStatement,
  quotaUse,
  rateLimitedError,
  resetQuotaStatement,
} from '../quotas/quotas'
import {
  type CheckInDeps,
  checkInClosedError,
  checkInWindow,
  codeGuessStatement,
  secretVersionSql,
  verifyCheckInCode,
  wrongCodeError,
} from './check-in-code'
import { scanCodePrefix, verifyCheckInToken } from './check-in-tokens'

/** SQL condition: user ?1 has checked in. @param id SQL of the show's id. */
const isCheckedInSql = (id: string) => `EXISTS (SELECT 1 FROM check_ins WHERE concert_id = ${id} AND user_id = ?1)`

/** ?4 show. */
export const PRECHECK_SQL = withSessionStatus(`
  ${secretVersionSql('?4')} AS version,
  (SELECT created_at FROM users WHERE id = ?1) AS signedUpAt,
  ${isCheckedInSql('?4')} AS isCheckedIn`)

/**
 * ?4 show, ?5 now, ?6 scan id or null, ?7 prefix of the code's scans, ?8 maximum check-ins per code. The `+` makes
 * SQLite search by `arrival_id` (the backtick follows `_` in ASCII), which finds fewer rows than a search by show.
 */
export const CHECK_IN_SQL = `
  WITH ${CALLER_CTE} INSERT INTO check_ins (concert_id, user_id, checked_in_at, arrival_id)
  SELECT c.id, caller.id, ?5, ?6 FROM concerts c JOIN caller
  WHERE c.id = ?4 AND (?6 IS NULL OR ?8 > (
    SELECT count(*) FROM check_ins WHERE +concert_id = ?4 AND arrival_id > ?7 || '_' AND arrival_id < ?7 || '\`'))
  ON CONFLICT DO NOTHING RETURNING concert_id`

/** ?4 show, ?5 now, ?6 scan id or null. */
export const RESULT_SQL = withSessionStatus(`
  (SELECT points FROM caller) AS total,
  ${isCheckedInSql('?4')} AS isCheckedIn,
  EXISTS (SELECT 1 FROM check_ins WHERE arrival_id = ?6) AS isScanUsed,
  ${completedMissionsSql("'check_in:' || ?4", '?5')} AS missions`)

type PrecheckRow = SessionStatusRow & { version: number; signedUpAt: Millis; isCheckedIn: number }
type ResultRow = SessionStatusRow & { total: number; isCheckedIn: number; isScanUsed: number; missions: string }

type CheckInCredential = { code?: string | undefined; arrivalToken?: string | undefined }
type CheckInInput = {
  session: SessionPayload
  id: string
  credential: CheckInCredential
  /** The browser's check-in cookie, if any. */
  cookie: string | undefined
  /** The client's network (`clientNetwork48`). */
  network: string
  at: Millis
}

/**
 * Checks the caller in, once per show, with a code or a check-in token. Wrong codes count per user and, with a higher
 * limit, per network, because a venue shares one address.
 * @throws AppError `signed_out`, `forbidden`, `not_found`, `conflict` if checked in already, `closed` for a code
 * outside the window, `rate_limited`, `bad_input` for a wrong code, `bad_token` for an invalid token or exhausted code.
 */
export async function checkIn(deps: CheckInDeps, input: CheckInInput): Promise<PointsAward> {
  const { db, secret } = deps
  const { session, id, credential, cookie, at } = input
  const row = await readShow(db, id)
  const d1 = db.$client
  const accountUse = await quotaUse(secret, QUOTAS.checkInCodesPerAccount, id, String(session.userId))
  const precheck = await d1
    .prepare(PRECHECK_SQL)
    .bind(...callerBinds(session), id)
    .first<PrecheckRow>()
  const { isCheckedIn, version, signedUpAt } = requireActiveSession(
    precheck ?? undefined,
    checkInApi.checkIn.signInMessage,
  )
  if (isCheckedIn) throw alreadyCheckedInError()
  if (credential.code !== undefined) {
    const { opensAt, closesAt } = checkInWindow(row)
    if (at < opensAt || at >= closesAt) throw checkInClosedError(row, at)
    await requireCorrectCode(deps, input, { code: credential.code, version, accountUse })
  }
  const scanId =
    credential.arrivalToken === undefined
      ? null
      : await verifyCheckInToken(secret, { token: credential.arrivalToken, id, version, cookie, signedUpAt, at })
  const [entry, resultRows] = await d1.batch([
    d1
      .prepare(CHECK_IN_SQL)
      .bind(...callerBinds(session), id, at, scanId, scanId && scanCodePrefix(scanId), limits.maxCheckInsPerCode),
    d1.prepare(RESULT_SQL).bind(...callerBinds(session), id, at, scanId),
    ...(scanId === null ? [resetQuotaStatement(db, accountUse)] : []),
  ])
  const result = requireActiveSession(resultRows?.results[0] as ResultRow | undefined, checkInApi.checkIn.signInMessage)
  if (entry?.results.length === 1)
    return {
      pointsAwarded: POINTS.check_in,
      totalPoints: result.total,
      missions: parseCompletedMissions(result.missions),
    }
  if (result.isCheckedIn) throw alreadyCheckedInError()
  if (!result.isScanUsed) throw codeExhaustedError()
  throw new AppError('bad_token', 'That scan has already been used. Please scan the code at the door again.')
}

/**
 * Counts each code for the account, until a check-in resets the counter, and a wrong one for the network.
 * @throws AppError `rate_limited`, `bad_input`.
 */
async function requireCorrectCode(
  { db, secret }: CheckInDeps,
  { id, network, at }: CheckInInput,
  { code, version, accountUse }: { code: string; version: number; accountUse: QuotaUse },
): Promise<void> {
  const networkUse = await quotaUse(secret, QUOTAS.checkInGuessesByAccounts, id, network)
  const step = await verifyCheckInCode(secret, { concertId: id, version, code, at })
  const [withinAccountQuota, withinNetworkQuota] = await db.$client.batch([
    quotaStatement(db, [accountUse], at),
    codeGuessStatement(db, [networkUse], step !== null, at, sql`changes() > 0`),
  ])
  if (!withinAccountQuota?.results.length)
    throw rateLimitedError('Too many wrong codes. Please wait a few minutes.', accountUse.quota)
  if (!withinNetworkQuota?.results.length)
    throw rateLimitedError('Too many wrong codes from this network. Please try your mobile network.', networkUse.quota)
  if (step === null) throw wrongCodeError()
}

const alreadyCheckedInError = () => new AppError('conflict', 'You are already checked in.')
/** The check-ins through scans of one code are limited. */
const codeExhaustedError = () =>
  new AppError('bad_token', 'That code has been used too often. Please enter the one on the screen at the door.')
