import type { MyBallot, MyChallenge } from '../contract/challenge'
import type { Deps } from '../deps'
import { type Millis, toIso } from '../lib/clock'
import { FINALISTS_PUBLIC_AT, requireChallenge } from './challenge-state'
import { isRekeyed, voterPseudonym } from './pseudonyms'

type UserRow = { mailbox: string | null; isVerified: number }
type VerseRow = { id: string; name: string; submittedAt: Millis; isConfirmed: number; isFinalist: number }

/** SQL condition on verse `v`, ?1 challenge, ?2 user: the user sent it, or it is confirmed for the user's mailbox. */
export const BELONGS_TO_USER = `v.challenge_id = ?1 AND (v.user_id = ?2 OR v.confirmed_at IS NOT NULL AND v.mailbox_key = (
  SELECT mailbox_key FROM users WHERE id = ?2 AND email_verified_at IS NOT NULL))`

/** @throws AppError `not_found`. */
export async function getMyChallenge(
  { db, secret }: Pick<Deps, 'db' | 'secret'>,
  { challengeId, userId, at }: { challengeId: string; userId: number; at: Millis },
): Promise<MyChallenge> {
  const { keyedBy } = await requireChallenge(db, challengeId)
  const user = await db.$client
    .prepare('SELECT mailbox_key AS mailbox, email_verified_at IS NOT NULL AS isVerified FROM users WHERE id = ?1')
    .bind(userId)
    .first<UserRow>()
  const emailVerified = user?.isVerified === 1
  const pseudonym = user?.mailbox ? await voterPseudonym(secret, challengeId, user.mailbox) : ''
  const [verses, ballots] = await db.$client.batch<VerseRow | { finalistId: string; castAt: Millis }>([
    db.$client
      .prepare(
        `SELECT v.id, v.name, v.submitted_at AS submittedAt, v.confirmed_at IS NOT NULL AS isConfirmed,
           EXISTS (SELECT 1 FROM challenge_finalists f JOIN challenges c ON c.id = f.challenge_id
             WHERE f.submission_id = v.id AND ${FINALISTS_PUBLIC_AT} <= ?3) AS isFinalist
         FROM verse_submissions v WHERE ${BELONGS_TO_USER} ORDER BY v.user_id IS NULL LIMIT 1`,
      )
      .bind(challengeId, userId, at),
    db.$client
      .prepare(
        `SELECT finalist_id AS finalistId, cast_at AS castAt FROM challenge_ballots
         WHERE challenge_id = ?1 AND voter_pseudonym = ?2`,
      )
      // A caller with an unconfirmed address must not learn whether its mailbox has voted.
      .bind(challengeId, emailVerified ? pseudonym : ''),
  ])
  const verse = verses?.results[0] as VerseRow | undefined
  const ballot = ballots?.results[0] as { finalistId: string; castAt: Millis } | undefined
  return {
    verse: verse
      ? {
          id: verse.id,
          name: verse.name,
          submittedAt: toIso(verse.submittedAt),
          isFinalist: verse.isFinalist === 1,
          isConfirmed: verse.isConfirmed === 1,
          canWithdraw: verse.isFinalist === 0,
        }
      : null,
    ballot: ballot ? toBallot({ ...ballot, pseudonym }) : null,
    emailVerified,
    isRekeyed: await isRekeyed(secret, { id: challengeId, keyedBy }),
  }
}

/** The user's ballots in all challenges, found by the pseudonyms of the account's confirmed mailbox. */
export async function listUserBallots({ db, secret }: Pick<Deps, 'db' | 'secret'>, userId: number) {
  const { results: challenges } = await db.$client
    .prepare(
      `SELECT challenges.id, users.mailbox_key AS mailbox FROM challenges JOIN users ON users.id = ?1
       WHERE users.email_verified_at IS NOT NULL AND users.mailbox_key IS NOT NULL`,
    )
    .bind(userId)
    .all<{ id: string; mailbox: string }>()
  const pseudonyms = await Promise.all(challenges.map(({ id, mailbox }) => voterPseudonym(secret, id, mailbox)))
  const { results } = await db.$client
    .prepare(
      `SELECT c.title AS challenge, f.name AS finalist, b.cast_at, b.voter_pseudonym AS pseudonym FROM challenge_ballots b
       JOIN challenges c ON c.id = b.challenge_id JOIN challenge_finalists f ON f.id = b.finalist_id
       WHERE (b.challenge_id, b.voter_pseudonym) IN (SELECT value ->> 0, value ->> 1 FROM json_each(?1)) ORDER BY b.cast_at`,
    )
    .bind(JSON.stringify(challenges.map(({ id }, i) => [id, pseudonyms[i]])))
    .all<{ challenge: string; finalist: string; cast_at: Millis; pseudonym: string }>()
  return results.map(({ cast_at, ...ballot }) => ({ ...ballot, cast_at: toIso(cast_at) }))
}

export const toBallot = ({
  finalistId,
  castAt,
  pseudonym,
}: {
  finalistId: string
  castAt: Millis
  pseudonym: string
}): MyBallot => ({ finalistId, castAt: toIso(castAt), pseudonym })
