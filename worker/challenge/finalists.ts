import { recorded } from '../audit/audit'
import type { FinalistsDraft } from '../contract/challenge-desk'
import type { Millis } from '../lib/clock'
import { newId } from '../lib/ids'
import { Refused } from '../lib/refused'
import { known } from './known'
import { isAtLeast, stateOf } from './states'
import { TOLD_AT } from './told'

const UNKNOWN_VERSE = 'One of these verses is not in this challenge any more.'

/**
 * Names the finalists of a challenge, all of them, in this order; the public hears of them from their day on.
 * @throws Refused `not_found` also for a verse of another challenge, `conflict` once voting has begun.
 */
export async function nameFinalists(
  db: D1Database,
  { id, finalists, actorId, at }: { id: string; actorId: number; at: Millis } & FinalistsDraft,
): Promise<void> {
  const row = await known(db, id)
  if (isAtLeast(stateOf(row, at), 'voting'))
    throw new Refused('conflict', 'Voting has begun: the finalists and their order stay as they are.')
  // With the second name the state would move on by itself, to voting or past it, with whoever is named by then.
  if (at >= row.votingOpensAt)
    throw new Refused(
      'conflict',
      'The first day of voting has come. Please choose a later one for this challenge, then name the finalists.',
    )
  const verses = finalists.flatMap(({ submissionId }) => submissionId ?? [])
  const there = await db
    .prepare(
      `SELECT count(*) AS n FROM verse_submissions
       WHERE challenge_id = ?1 AND email <> 'deleted' AND id IN (SELECT value FROM json_each(?2))`,
    )
    .bind(id, JSON.stringify(verses))
    .first<{ n: number }>()
  if (there?.n !== verses.length) throw new Refused('not_found', UNKNOWN_VERSE)
  await db
    .batch([
      // A vote that came in between is a reference, and a verse that was taken back is none: each stops the whole batch.
      db.prepare('DELETE FROM challenge_finalists WHERE challenge_id = ?1').bind(id),
      ...finalists.map(({ name, submissionId }, place) =>
        db
          .prepare(
            'INSERT INTO challenge_finalists (id, challenge_id, name, position, submission_id) VALUES (?1, ?2, ?3, ?4, ?5)',
          )
          .bind(newId('finalist'), id, name, place + 1, submissionId),
      ),
      recorded(db, {
        actorId,
        action: 'challenge.finalists_named',
        subject: `challenge:${id}`,
        detail: { finalists: finalists.length },
        at,
      }),
    ])
    .catch((error: unknown) => {
      if (error instanceof Error && error.message.includes('FOREIGN KEY'))
        throw new Refused('conflict', 'Something has just changed here. Please look again.')
      throw error
    })
}

/** The R2 key of a named finalist's recording. @throws Refused `not_found` for who is not named yet or has none. */
export async function finalistAudioKey(db: D1Database, { id, at }: { id: string; at: Millis }): Promise<string> {
  const row = await db
    .prepare(
      `SELECT v.audio_key AS audioKey FROM challenge_finalists f JOIN challenges c ON c.id = f.challenge_id
       JOIN verse_submissions v ON v.id = f.submission_id
       WHERE f.id = ?1 AND ${TOLD_AT} <= ?2 AND v.audio_key IS NOT NULL`,
    )
    .bind(id, at)
    .first<{ audioKey: string }>()
  if (!row) throw new Refused('not_found', 'There is no recording of a finalist here.')
  return row.audioKey
}
