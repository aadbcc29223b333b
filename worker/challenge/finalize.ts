// Named with its ending: the demo is counted by this very file in Node.
import { countTally } from './tally.ts'

/** Where ballots came from is forgotten so many at a time. */
const FINGERPRINT_BATCH_SIZE = 5_000
/** Challenges that one tick counts; they come one a season. */
const CHALLENGE_BATCH_SIZE = 10

/** ?1 challenge, ?2 now. From the moment of this statement triggers let no ballot in, out or be changed. */
const FINALIZE_SQL = `
  UPDATE challenges SET sealed_at = ?2 WHERE id = ?1 AND sealed_at IS NULL AND removed_at IS NULL AND voting_closes_at <= ?2
    AND NOT opens_by_hand AND (SELECT count(*) FROM challenge_finalists WHERE challenge_id = ?1) >= 2 RETURNING id`

/** The statement that fixes the votes of a challenge whose voting has closed, for the batch of who does it by hand. */
export const finalizeStatement = (db: D1Database, id: string, at: number): D1PreparedStatement =>
  db.prepare(FINALIZE_SQL).bind(id, at)

/**
 * Counts a challenge whose votes are fixed, and forgets where they came from. Every ballot that was acknowledged is in
 * it: one was either written before the votes were fixed, or refused. Runs twice, beside itself or cut off alike: the
 * same rows come to the same digest.
 */
export async function countBallots(db: D1Database, id: string): Promise<void> {
  const { sha256, ballots, excluded } = await countTally(db, id)
  await db
    .prepare(
      `UPDATE challenges SET ballots_sha256 = ?2, ballots_count = ?3, excluded_count = ?4
       WHERE id = ?1 AND sealed_at IS NOT NULL AND ballots_sha256 IS NULL`,
    )
    .bind(id, sha256, ballots, excluded)
    .run()
  for (;;) {
    const { results } = await db
      .prepare(
        `DELETE FROM ballot_marks WHERE ballot_id IN (
           SELECT ballot_id FROM ballot_marks WHERE challenge_id = ?1 LIMIT ${FINGERPRINT_BATCH_SIZE}) RETURNING ballot_id`,
      )
      .bind(id)
      .all()
    if (results.length < FINGERPRINT_BATCH_SIZE) return
  }
}

/** ?1 now. Closed, with nothing left for the desk to look at or the winner's day over; or fixed and not quite counted. */
const DUE_SQL = `
  SELECT id FROM challenges WHERE (ballots_sha256 IS NULL AND (sealed_at IS NOT NULL OR (voting_closes_at <= ?1 AND removed_at IS NULL
      AND NOT opens_by_hand AND (SELECT count(*) FROM challenge_finalists WHERE challenge_id = challenges.id) >= 2
      AND (publish_at <= ?1
        OR NOT EXISTS (SELECT 1 FROM ballot_flags WHERE challenge_id = challenges.id AND decided_at IS NULL)))))
    OR (sealed_at IS NOT NULL AND EXISTS (SELECT 1 FROM ballot_marks WHERE challenge_id = challenges.id))
  ORDER BY voting_closes_at LIMIT ${CHALLENGE_BATCH_SIZE}`

/** Fixes and counts what is due. Run every few minutes. */
export async function finalizeDueChallenges(db: D1Database, at: number): Promise<void> {
  const { results } = await db.prepare(DUE_SQL).bind(at).all<{ id: string }>()
  for (const { id } of results) {
    await finalizeStatement(db, id, at).run()
    await countBallots(db, id)
  }
}
