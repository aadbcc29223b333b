// Named with their endings: the demo is counted by this very file in Node.
import { createHash } from 'node:crypto'
import { type Column, csvHeader, csvRow, isoTimestamp } from '../exports/csv.ts'
import { createMultipartWriter } from '../lib/multipart-upload.ts'

/** Ballots that one statement makes lines of. */
const BALLOTS_PER_PAGE = 5_000

/**
 * A line a ballot, in the order of casting, and nobody in it: the pseudonym leads back to its voter alone. What the desk
 * left out stands there too, with the kind of its flag.
 */
const COLUMNS: readonly Column[] = [
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
  SELECT group_concat(${csvRow(COLUMNS)}, '' ORDER BY b.id) AS text, max(b.id) AS last, count(*) AS ballots,
    count(b.excluded_for) AS excluded
  FROM page b JOIN challenge_finalists f ON f.id = b.finalist_id`

type Page = { text: string | null; last: number | null; ballots: number; excluded: number }

/** The bytes of a challenge's tally, in constant memory. They are the same whoever makes them once the votes are fixed. */
async function* tallyPages(db: D1Database, challengeId: string): AsyncGenerator<Page & { bytes: Uint8Array }> {
  const encoder = new TextEncoder()
  yield { text: null, last: 0, ballots: 0, excluded: 0, bytes: encoder.encode(csvHeader(COLUMNS)) }
  const statement = db.prepare(PAGE_SQL)
  for (let after = 0; ; ) {
    const page = await statement.bind(challengeId, after).first<Page>()
    if (!page || page.last === null) return
    yield { ...page, bytes: encoder.encode(page.text ?? '') }
    after = page.last
  }
}

/** SHA-256 of the tally, lower-case hex, and what is in it. */
export async function countTally(db: D1Database, challengeId: string) {
  const digest = createHash('sha256')
  let [ballots, excluded] = [0, 0]
  for await (const page of tallyPages(db, challengeId)) {
    digest.update(page.bytes)
    ballots += page.ballots
    excluded += page.excluded
  }
  return { sha256: digest.digest('hex'), ballots, excluded }
}

/**
 * The R2 key of a counted challenge's tally, written first where it is not there. Its name is its digest.
 * @throws where the rows do not come to that digest any more: then somebody has reached around the triggers.
 */
export async function ensureTallyFile(
  { db, files }: { db: D1Database; files: R2Bucket },
  { challengeId, sha256 }: { challengeId: string; sha256: string },
): Promise<string> {
  const key = `exports/tally-${sha256}.csv`
  if (await files.head(key)) return key
  if ((await countTally(db, challengeId)).sha256 !== sha256)
    throw new Error('The ballots of a challenge are not those that were counted.')
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
