import { recordAuditIfChanged, recordAuditWithCount } from '../audit/audit'
import type { Db } from '../db/client'
import type { Actor } from '../deps'
import { AppError } from '../lib/app-error'
import { MINUTE_MS, type Millis } from '../lib/clock'
import { limits } from '../limits'
import { requireChallenge } from './challenge-state'

export const BURST_WINDOW_MS: Millis = limits.voteBurstWindowMinutes * MINUTE_MS

/** Statement that stores network and device of a ballot, if the previous statement of the batch inserted it. */
export const insertBallotFingerprint = (
  db: Db,
  fingerprint: { challengeId: string; pseudonym: string; network: string; device: string | null; at: Millis },
): D1PreparedStatement =>
  db.$client
    .prepare(
      `INSERT INTO ballot_marks (ballot_id, challenge_id, network, device, cast_at)
       SELECT id, challenge_id, ?3, ?4, ?5 FROM challenge_ballots
       WHERE changes() > 0 AND challenge_id = ?1 AND voter_pseudonym = ?2 ON CONFLICT DO NOTHING`,
    )
    .bind(fingerprint.challengeId, fingerprint.pseudonym, fingerprint.network, fingerprint.device, fingerprint.at)

/** SQL condition: the ballot was accepted and now gets another kind of flag, so it must be reviewed again. */
const REOPENS_REVIEW = `(decision = 'kept' AND (excluded.is_burst > is_burst OR excluded.is_shared_device > is_shared_device
  OR excluded.is_new_account > is_new_account))`

/**
 * ?1 challenge, ?2 pseudonym, ?3 whether the account is new, ?4 now: the `cast_at` of the ballot that this batch
 * inserted. The ballot that reaches the burst threshold, or is the second of its device, also flags the earlier
 * ballots of its network or device; each later ballot flags only itself.
 */
const FLAG_SQL = `
  WITH new_ballot AS (
    SELECT m.* FROM challenge_ballots b JOIN ballot_marks m ON m.ballot_id = b.id AND m.cast_at = ?4
    WHERE b.challenge_id = ?1 AND b.voter_pseudonym = ?2),
  same_network AS (
    SELECT m.ballot_id, new_ballot.ballot_id AS new_id FROM new_ballot JOIN ballot_marks m
      ON m.challenge_id = new_ballot.challenge_id AND m.network = new_ballot.network AND m.cast_at > ?4 - ${BURST_WINDOW_MS}),
  same_device AS (
    SELECT m.ballot_id, new_ballot.ballot_id AS new_id FROM new_ballot JOIN ballot_marks m
      ON m.challenge_id = new_ballot.challenge_id AND m.device = new_ballot.device),
  flags AS (
    SELECT ballot_id, 1 AS burst, 0 AS shared_device, 0 AS new_account FROM same_network
      WHERE (SELECT count(*) FROM same_network) = ${limits.voteBurstThreshold}
        OR ((SELECT count(*) FROM same_network) > ${limits.voteBurstThreshold} AND ballot_id = new_id)
    UNION ALL SELECT ballot_id, 0, 1, 0 FROM same_device
      WHERE (SELECT count(*) FROM same_device) = 2 OR ((SELECT count(*) FROM same_device) > 2 AND ballot_id = new_id)
    UNION ALL SELECT ballot_id, 0, 0, 1 FROM new_ballot WHERE ?3)
  INSERT INTO ballot_flags (ballot_id, challenge_id, is_burst, is_shared_device, is_new_account)
  SELECT ballot_id, ?1, max(burst), max(shared_device), max(new_account) FROM flags WHERE true GROUP BY ballot_id
  ON CONFLICT (ballot_id) DO UPDATE SET is_burst = max(is_burst, excluded.is_burst),
    is_shared_device = max(is_shared_device, excluded.is_shared_device),
    is_new_account = max(is_new_account, excluded.is_new_account),
    ${['decision', 'decided_at', 'decided_by'].map((column) => `${column} = iif(${REOPENS_REVIEW}, NULL, ${column})`).join(', ')},
    reason = iif(${REOPENS_REVIEW}, '', reason)`

/** Statement that flags an unusual ballot for review. The ballot counts until an administrator excludes it. */
export const insertBallotFlags = (
  db: Db,
  { challengeId, pseudonym, isNewAccount, at }: FlagInput,
): D1PreparedStatement => db.$client.prepare(FLAG_SQL).bind(challengeId, pseudonym, Number(isNewAccount), at)

type FlagInput = { challengeId: string; pseudonym: string; isNewAccount: boolean; at: Millis }

/** ?2 ballot. The kinds of its flag, e.g. `burst+new_account`; the tally shows them as the reason of an exclusion. */
const FLAG_KINDS_SQL = `(SELECT ltrim(iif(is_burst, '+burst', '') || iif(is_shared_device, '+shared_device', '')
  || iif(is_new_account, '+new_account', ''), '+') FROM ballot_flags WHERE ballot_id = ?2)`

type Decision = Actor & { id: string; ballot: number; keep: boolean; reason: string }

/**
 * Accepts or excludes a flagged ballot; the decision can change until the votes are final. @throws AppError
 * `not_found` if the ballot is not flagged in this challenge, `conflict` once the votes are final.
 */
export async function decideFlag(db: Db, { id, ballot, keep, reason, actorId, at }: Decision): Promise<void> {
  const challenge = await requireChallenge(db, id)
  if (challenge.sealedAt !== null) throw alreadyFinalizedError()
  const isFlagged = `EXISTS (SELECT 1 FROM ballot_flags WHERE ballot_id = ?2 AND challenge_id = ?1)`
  const [changed, decided] = await db.$client
    .batch([
      db.$client
        .prepare(
          `UPDATE challenge_ballots SET excluded_for = iif(?3, NULL, ${FLAG_KINDS_SQL})
         WHERE id = ?2 AND challenge_id = ?1 AND ${isFlagged} RETURNING id`,
        )
        .bind(id, ballot, Number(keep)),
      db.$client
        .prepare(
          `UPDATE ballot_flags SET decision = iif(?3, 'kept', 'excluded'), reason = ?4, decided_by = ?5, decided_at = ?6
         WHERE ballot_id = ?2 AND challenge_id = ?1 RETURNING ballot_id`,
        )
        .bind(id, ballot, Number(keep), reason, actorId, at),
      recordAuditIfChanged(db, {
        actorId,
        action: keep ? 'ballot.kept' : 'ballot.excluded',
        subject: `ballot:${ballot}`,
        detail: { challenge: id, reason },
        at,
      }),
    ])
    .catch((error: unknown) => {
      // Raised by a trigger: the votes became final in between.
      if (error instanceof Error && error.message.includes('these votes are fixed')) throw alreadyFinalizedError()
      throw error
    })
  if (!changed?.results.length || !decided?.results.length)
    throw new AppError('not_found', 'No such ballot is up for review.')
}

/** SQL condition: undecided, and flagged as a new account only. */
export const OPEN_NEW_ACCOUNT_FLAG = 'decided_at IS NULL AND is_new_account AND NOT is_burst AND NOT is_shared_device'

/**
 * Accepts every undecided ballot flagged as a new account only and returns the number. @throws AppError `not_found`,
 * `conflict` once the votes are final.
 */
export async function acceptNewAccounts(
  db: Db,
  { id, reason, actorId, at }: Omit<Decision, 'ballot' | 'keep'>,
): Promise<number> {
  const [updated] = await db.$client.batch([
    db.$client
      .prepare(
        `UPDATE ballot_flags SET decision = 'kept', reason = ?2, decided_by = ?3, decided_at = ?4
         WHERE challenge_id = ?1 AND ${OPEN_NEW_ACCOUNT_FLAG}
           AND EXISTS (SELECT 1 FROM challenges WHERE id = ?1 AND sealed_at IS NULL) RETURNING ballot_id`,
      )
      .bind(id, reason, actorId, at),
    recordAuditWithCount(db, {
      actorId,
      action: 'ballots.kept',
      subject: `challenge:${id}`,
      detail: { reason },
      at,
    }),
  ])
  const count = updated?.results.length ?? 0
  if (count === 0 && (await requireChallenge(db, id)).sealedAt !== null) throw alreadyFinalizedError()
  return count
}

const alreadyFinalizedError = () => new AppError('conflict', 'The votes of this challenge are final.')
