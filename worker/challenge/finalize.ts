// The demo seed runs this file in Node, which needs the file extensions.
import { createHash } from 'node:crypto'
import type { Db } from '../db/client.ts'
import type { Deps } from '../deps.ts'
import { type CsvColumn, csvHeader, csvRow, isoTimestamp } from '../exports/csv.ts'
import { createMultipartWriter } from '../lib/multipart-upload.ts'

const FINGERPRINT_BATCH_SIZE = 5_000
const CHALLENGE_BATCH_SIZE = 10

/** SQL condition: voting took place and has closed. The 2 is MIN_FINALISTS, whose module Node cannot load. */
const hasVotingClosedSql = (
  now: '?1' | '?2',
) => `(removed_at IS NULL AND voting_closes_at <= ${now} AND NOT opens_by_hand
  AND (SELECT count(*) FROM challenge_finalists WHERE challenge_id = challenges.id) >= 2)`

/** ?1 challenge, ?2 now. Once `sealed_at` is set, triggers reject changes to ballots. */
const FINALIZE_SQL = `
  UPDATE challenges SET sealed_at = ?2 WHERE id = ?1 AND sealed_at IS NULL AND ${hasVotingClosedSql('?2')} RETURNING id`

/** Statement that makes the votes of a challenge final once voting has closed. */
export const finalizeStatement = (db: Db, id: string, at: number): D1PreparedStatement =>
  db.$client.prepare(FINALIZE_SQL).bind(id, at)

/**
 * Counts a challenge and deletes ballot fingerprints; changes nothing unless its votes are final. Idempotent and safe
 * to run concurrently: the same rows give the same digest.
 */
export async function countBallots(db: Db, id: string): Promise<void> {
  const { sha256, ballots, excluded } = await digestTally(db, id)
  await db.$client
    .prepare(
      `UPDATE challenges SET ballots_sha256 = ?2, ballots_count = ?3, excluded_count = ?4
       WHERE id = ?1 AND sealed_at IS NOT NULL AND ballots_sha256 IS NULL`,
    )
    .bind(id, sha256, ballots, excluded)
    .run()
  for (;;) {
    const { results } = await db.$client
      .prepare(
        `DELETE FROM ballot_marks WHERE ballot_id IN (
           SELECT ballot_id FROM ballot_marks WHERE challenge_id = ?1
             AND EXISTS (SELECT 1 FROM challenges WHERE id = ?1 AND sealed_at IS NOT NULL)
           LIMIT ${FINGERPRINT_BATCH_SIZE}) RETURNING ballot_id`,
      )
      .bind(id)
      .all()
    if (results.length < FINGERPRINT_BATCH_SIZE) return
  }
}

const HAS_OPEN_FLAGS = 'EXISTS (SELECT 1 FROM ballot_flags WHERE challenge_id = challenges.id AND decided_at IS NULL)'
const HAS_FINGERPRINTS = 'EXISTS (SELECT 1 FROM ballot_marks WHERE challenge_id = challenges.id)'

/**
 * ?1 now. Challenges whose votes are final but not counted, or can become final (no flag is open, or the winner's day
 * is over); and those with fingerprints left to delete.
 */
const DUE_SQL = `
  SELECT id FROM challenges
  WHERE (ballots_sha256 IS NULL AND (
      sealed_at IS NOT NULL OR (${hasVotingClosedSql('?1')} AND (publish_at <= ?1 OR NOT ${HAS_OPEN_FLAGS}))))
    OR (sealed_at IS NOT NULL AND ${HAS_FINGERPRINTS})
  ORDER BY voting_closes_at LIMIT ${CHALLENGE_BATCH_SIZE}`

/** Five-minute job: makes due votes final and counts them. */
export async function finalizeDueChallenges(db: Db, at: number): Promise<void> {
  const { results } = await db.$client.prepare(DUE_SQL).bind(at).all<{ id: string }>()
  for (const { id } of results) {
    await finalizeStatement(db, id, at).run()
    await countBallots(db, id)
  }
}

const BALLOTS_PER_PAGE = 5_000

/** The tally has one line per ballot in casting order, without personal data. `excluded` lists the kinds of flag. */
const TALLY_COLUMNS: readonly CsvColumn[] = [
  { header: 'ballot', sql: 'b.id' },
  { header: 'castAt', sql: isoTimestamp('b.cast_at') },
  { header: 'finalist', sql: 'f.name' },
  { header: 'voterPseudonym', sql: 'b.voter_pseudonym' },
  { header: 'excluded', sql: 'b.excluded_for' },
]

const PAGE_SQL = `
  WITH page AS MATERIALIZED (
    SELECT id, cast_at, finalist_id, voter_pseudonym, excluded_for FROM challenge_ballots
    WHERE challenge_id = ?1 AND id > ?2 ORDER BY id LIMIT ${BALLOTS_PER_PAGE})
  SELECT group_concat(${csvRow(TALLY_COLUMNS)}, '' ORDER BY b.id) AS text, max(b.id) AS last, count(*) AS ballots,
    count(b.excluded_for) AS excluded
  FROM page b JOIN challenge_finalists f ON f.id = b.finalist_id`

type TallyPage = { text: string | null; last: number | null; ballots: number; excluded: number }

/** The tally as CSV, streamed; byte-identical once the votes are final. */
async function* tallyPages(db: Db, challengeId: string): AsyncGenerator<TallyPage & { bytes: Uint8Array }> {
  const encoder = new TextEncoder()
  yield { text: null, last: 0, ballots: 0, excluded: 0, bytes: encoder.encode(csvHeader(TALLY_COLUMNS)) }
  const statement = db.$client.prepare(PAGE_SQL)
  for (let after = 0; ; ) {
    const page = await statement.bind(challengeId, after).first<TallyPage>()
    if (!page || page.last === null) return
    yield { ...page, bytes: encoder.encode(page.text ?? '') }
    after = page.last
  }
}

/** SHA-256 of the tally, and its numbers of ballots and of excluded ones. */
export async function digestTally(db: Db, challengeId: string) {
  const digest = createHash('sha256')
  let ballots = 0
  let excluded = 0
  for await (const page of tallyPages(db, challengeId)) {
    digest.update(page.bytes)
    ballots += page.ballots
    excluded += page.excluded
  }
  return { sha256: digest.digest('hex'), ballots, excluded }
}

/**
 * The R2 key of a counted challenge's tally, named by its digest. Writes the file if it is missing. @throws Error if
 * the ballots no longer match the digest.
 */
export async function ensureTallyFile(
  { db, files }: Pick<Deps, 'db' | 'files'>,
  { challengeId, sha256 }: { challengeId: string; sha256: string },
): Promise<string> {
  const key = `exports/tally-${sha256}.csv`
  if (await files.head(key)) return key
  if ((await digestTally(db, challengeId)).sha256 !== sha256)
    throw new Error('The ballots of a challenge do not match its digest.')
  const upload = await files.createMultipartUpload(key, { httpMetadata: { contentType: 'text/csv; charset=utf-8' } })
  try {
    const parts = createMultipartWriter(upload)
    for await (const { bytes } of tallyPages(db, challengeId)) await parts.write(bytes)
    await parts.end()
    return key
  } catch (error) {
    await upload.abort().catch(() => undefined)
    throw error
  }
}
