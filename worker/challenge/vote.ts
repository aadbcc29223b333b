import {
  CALLER_CTE,
  callerBinds,
  requireActiveSession,
  type SessionPayload,
  type SessionStatusRow,
  withSessionStatus,
} from '../auth/sessions'
import { challengeApi, type MyBallot } from '../contract/challenge'
import type { Deps } from '../deps'
import { AppError } from '../lib/app-error'
import { DAY_MS, type Millis } from '../lib/clock'
import { limits } from '../limits'
import { insertBallotFingerprint, insertBallotFlags } from './ballot-flags'
import { challengeNotFoundError, isFinalistHiddenSql, MIN_FINALISTS } from './challenge-state'
import { toBallot } from './my-challenge'
import { ballotFingerprint, secretFingerprint, voterPseudonym } from './pseudonyms'

/**
 * ?4 challenge, ?5 finalist, ?6 now, ?7 pseudonym, ?8 mailbox, ?9 fingerprint of the secret. Raw SQL: checks and
 * ballot are atomic. Rejects a secret other than the first ballot's, which would let everyone vote again.
 */
const INSERT_BALLOT_SQL = `
  WITH ${CALLER_CTE} INSERT INTO challenge_ballots (challenge_id, finalist_id, cast_at, voter_pseudonym)
  SELECT c.id, f.id, ?6, ?7 FROM challenges c
  JOIN challenge_finalists f ON f.challenge_id = c.id AND f.id = ?5 AND NOT ${isFinalistHiddenSql('f')}
  JOIN caller ON caller.role = 'supporter'
  JOIN users u ON u.id = caller.id AND u.email_verified_at IS NOT NULL AND u.mailbox_key = ?8
  WHERE c.id = ?4 AND c.submissions_close_at <= ?6 AND c.voting_opens_at <= ?6 AND ?6 < c.voting_closes_at AND c.sealed_at IS NULL
    AND NOT c.opens_by_hand AND c.removed_at IS NULL AND coalesce(c.keyed_by, ?9) = ?9
    AND (SELECT count(*) FROM challenge_finalists WHERE challenge_id = c.id) >= ${MIN_FINALISTS}
  ON CONFLICT (challenge_id, voter_pseudonym) DO NOTHING RETURNING id`

/** ?1 challenge, ?2 fingerprint of the secret. Saves the fingerprint with the first ballot. */
const SAVE_KEYED_BY_SQL = `
  UPDATE challenges SET keyed_by = ?2 WHERE id = ?1 AND keyed_by IS NULL AND sealed_at IS NULL
    AND EXISTS (SELECT 1 FROM challenge_ballots WHERE challenge_id = ?1)`

/** What INSERT_BALLOT_SQL checks, one by one, to explain a rejection. Parameters as INSERT_BALLOT_SQL. */
const VOTE_CHECKS_SQL = withSessionStatus(`
  EXISTS (SELECT 1 FROM challenges WHERE id = ?4 AND removed_at IS NULL) AS challengeExists,
  EXISTS (SELECT 1 FROM challenges WHERE id = ?4 AND max(submissions_close_at, voting_opens_at) <= ?6
    AND ?6 < voting_closes_at
    AND sealed_at IS NULL) AS isOpen,
  (SELECT count(*) FROM challenge_finalists WHERE challenge_id = ?4) AS finalistCount,
  EXISTS (SELECT 1 FROM challenges WHERE id = ?4 AND coalesce(keyed_by, ?9) <> ?9) AS isRekeyed,
  EXISTS (SELECT 1 FROM challenges WHERE id = ?4 AND (opens_by_hand OR ?6 < max(submissions_close_at, voting_opens_at))) AS isEarly,
  EXISTS (SELECT 1 FROM challenge_finalists f
    WHERE challenge_id = ?4 AND id = ?5 AND NOT ${isFinalistHiddenSql('f')}) AS isFinalist,
  EXISTS (SELECT 1 FROM challenge_ballots WHERE challenge_id = ?4 AND voter_pseudonym = ?7 AND ?8 <> '') AS hasVoted`)

type VoteChecks = SessionStatusRow & {
  challengeExists: number
  isOpen: number
  finalistCount: number
  isRekeyed: number
  isEarly: number
  isFinalist: number
  hasVoted: number
}
type Voter = SessionStatusRow & { mailbox: string | null; role: string | null; signedUpAt: Millis | null }

type VoteInput = {
  session: SessionPayload
  challengeId: string
  finalistId: string
  /** IP address and known device; stored as keyed hashes until the votes are final. */
  source: { address: string; device: string | null }
  at: Millis
}

/**
 * Casts a ballot and flags it for review if unusual. @throws AppError `signed_out`, `forbidden`, `not_found`,
 * `already_voted`, `closed`, `unknown_option`, `unavailable` under a secret other than the first ballot's.
 */
export async function castBallot(
  { db, secret }: Pick<Deps, 'db' | 'secret'>,
  { session, challengeId, finalistId, source, at }: VoteInput,
): Promise<MyBallot> {
  const voter = await db.$client
    .prepare(
      withSessionStatus(`(SELECT role FROM caller) AS role, (SELECT created_at FROM users WHERE id = ?1) AS signedUpAt,
        (SELECT mailbox_key FROM users WHERE id = ?1 AND email_verified_at IS NOT NULL) AS mailbox`),
    )
    .bind(...callerBinds(session))
    .first<Voter>()
  const { mailbox, role, signedUpAt } = requireActiveSession(voter ?? undefined, challengeApi.vote.signInMessage)
  if (role !== 'supporter')
    throw new AppError(
      'forbidden',
      'Administrators count the votes, so they cannot vote. Please use a supporter account.',
    )
  if (mailbox === null) throw new AppError('forbidden', 'Please confirm your email address first. We sent you a link.')
  const [pseudonym, keyedBy, network, device] = await Promise.all([
    voterPseudonym(secret, challengeId, mailbox),
    secretFingerprint(secret, challengeId),
    ballotFingerprint(secret, challengeId, 'network', source.address),
    source.device === null ? null : ballotFingerprint(secret, challengeId, 'device', source.device),
  ])
  const binds = [...callerBinds(session), challengeId, finalistId, at, pseudonym, mailbox, keyedBy]
  const isNewAccount = signedUpAt !== null && signedUpAt > at - limits.newAccountAgeDays * DAY_MS
  const [ballot, , , , checkRows] = await db.$client.batch([
    db.$client.prepare(INSERT_BALLOT_SQL).bind(...binds),
    insertBallotFingerprint(db, { challengeId, pseudonym, network, device, at }),
    insertBallotFlags(db, { challengeId, pseudonym, isNewAccount, at }),
    db.$client.prepare(SAVE_KEYED_BY_SQL).bind(challengeId, keyedBy),
    db.$client.prepare(VOTE_CHECKS_SQL).bind(...binds),
  ])
  const checks = requireActiveSession(checkRows?.results[0] as VoteChecks | undefined, challengeApi.vote.signInMessage)
  if (ballot?.results.length === 1) return toBallot({ finalistId, castAt: at, pseudonym })
  throw rejectionError(checks)
}

function rejectionError({
  challengeExists,
  isOpen,
  isEarly,
  finalistCount,
  isRekeyed,
  isFinalist,
  hasVoted,
}: VoteChecks): Error {
  if (!challengeExists) return challengeNotFoundError()
  if (hasVoted) return new AppError('already_voted', 'You have already voted in this challenge.')
  if (isEarly || (isOpen && finalistCount < MIN_FINALISTS)) return new AppError('closed', 'Voting has not opened yet.')
  if (!isOpen) return new AppError('closed', 'Voting has closed.')
  if (!isFinalist) return new AppError('unknown_option', 'That is not a finalist of this challenge.')
  if (isRekeyed)
    return new AppError('unavailable', 'We cannot take votes right now. The team can see why in the dashboard.')
  return new Error('A ballot was rejected for no known reason.')
}
