import type { MyChallenge, OwnBallot } from '../contract/challenge-now'
import type { Millis } from '../lib/clock'
import { currentRow } from './current'
import { pseudonymOf } from './pseudonyms'

type Person = { mailbox: string | null; isVerified: number }
type Verse = { id: string; name: string; submittedAt: Millis; isFinalist: number }

/** An own verse: sent while logged in, or from the mailbox that the account has confirmed. ?1 challenge, ?2 person. */
export const OWN_VERSE = `v.challenge_id = ?1 AND (v.user_id = ?2 OR v.mailbox_key = (
  SELECT mailbox_key FROM users WHERE id = ?2 AND email_verified_at IS NOT NULL))`

/** What a supporter has to do with the challenge that is on. */
export async function myChallenge(
  { db, secret }: { db: D1Database; secret: string },
  { userId, at }: { userId: number; at: Millis },
): Promise<MyChallenge> {
  const challenge = await currentRow(db, at)
  const person = await db
    .prepare('SELECT mailbox_key AS mailbox, email_verified_at IS NOT NULL AS isVerified FROM users WHERE id = ?1')
    .bind(userId)
    .first<Person>()
  const emailVerified = person?.isVerified === 1
  if (!challenge) return { challengeId: null, verse: null, ballot: null, emailVerified }
  const pseudonym = person?.mailbox ? await pseudonymOf(secret, challenge.id, person.mailbox) : ''
  const [verses, ballots] = await db.batch<Verse | { finalistId: string; castAt: Millis }>([
    db
      .prepare(
        `SELECT v.id, v.name, v.submitted_at AS submittedAt,
           EXISTS (SELECT 1 FROM challenge_finalists WHERE submission_id = v.id) AS isFinalist
         FROM verse_submissions v WHERE ${OWN_VERSE} ORDER BY v.user_id IS NULL LIMIT 1`,
      )
      .bind(challenge.id, userId),
    db
      .prepare(
        `SELECT finalist_id AS finalistId, cast_at AS castAt FROM challenge_ballots
         WHERE challenge_id = ?1 AND voter_pseudonym = ?2`,
      )
      // Whoever has not shown that the mailbox is theirs is not told whether it has voted.
      .bind(challenge.id, emailVerified ? pseudonym : ''),
  ])
  const verse = verses?.results[0] as Verse | undefined
  const ballot = ballots?.results[0] as { finalistId: string; castAt: Millis } | undefined
  return {
    challengeId: challenge.id,
    verse: verse
      ? {
          id: verse.id,
          name: verse.name,
          submittedAt: new Date(verse.submittedAt).toISOString(),
          isFinalist: verse.isFinalist === 1,
          canWithdraw: verse.isFinalist === 0,
        }
      : null,
    ballot: ballot ? asBallot({ ...ballot, pseudonym }) : null,
    emailVerified,
  }
}

export const asBallot = ({
  finalistId,
  castAt,
  pseudonym,
}: {
  finalistId: string
  castAt: Millis
  pseudonym: string
}): OwnBallot => ({ finalistId, castAt: new Date(castAt).toISOString(), pseudonym })
