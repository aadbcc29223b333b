import { recordedIfChanged, writeDown } from '../audit/audit'
import type { VerseSubmission } from '../contract/submissions'
import type { Millis } from '../lib/clock'
import { paged, positionOf } from '../lib/keyset'
import { maskedAddress, maskedNumber } from '../lib/masked'
import { Refused } from '../lib/refused'
import { limits } from '../limits'

type Row = Omit<VerseSubmission, 'submittedAt' | 'hasRecording' | 'isFinalist' | 'shortlisted'> & {
  at: Millis
  hasRecording: number
  isFinalist: number
  shortlisted: number
}
type Page = { submissions: VerseSubmission[]; next: string | null }
export type Wanted = { q: string; cursor: string | null; challenge: string; shortlisted: boolean }

const SEEN = `SELECT id, name, email, phone_number AS phoneNumber, submitted_at AS at, challenge_id AS challengeId,
  audio_key IS NOT NULL AS hasRecording, shortlisted, note,
  EXISTS (SELECT 1 FROM challenge_finalists WHERE submission_id = verse_submissions.id) AS isFinalist
  FROM verse_submissions`

/** `instr`, because D1 refuses a LIKE pattern of more than 50 bytes and a fan may be called 100% or a_b. */
export const SUBMISSIONS = `${SEEN}
  WHERE (submitted_at, id) < (?1, ?2)
    AND (?3 = '' OR instr(lower(name), lower(?3)) OR instr(lower(email), lower(?3)) OR instr(name, ?3))
    AND (?4 = '' OR challenge_id = ?4) AND (NOT ?5 OR shortlisted)
  ORDER BY submitted_at DESC, id DESC LIMIT ${limits.deskRows + 1}`

/** A page of what was sent in, masked, newest first; `q` looks through names and addresses. @throws Refused `bad_input`. */
export async function submissions(db: D1Database, { q, cursor, challenge, shortlisted }: Wanted): Promise<Page> {
  const { at, id } = positionOf(cursor)
  const { results } = await db.prepare(SUBMISSIONS).bind(at, id, q, challenge, Number(shortlisted)).all<Row>()
  const { rows, next } = paged(results, limits.deskRows)
  return {
    submissions: rows.map((row) =>
      asSeen({ ...row, email: maskedAddress(row.email), phoneNumber: maskedNumber(row.phoneNumber) }),
    ),
    next,
  }
}

/** One submission with its address and number. Who looked is written down first. @throws Refused `not_found`. */
export async function revealed(
  db: D1Database,
  { id, actorId, at }: { id: string; actorId: number; at: Millis },
): Promise<VerseSubmission> {
  const row = await db.prepare(`${SEEN} WHERE id = ?1`).bind(id).first<Row>()
  if (!row) throw unknown()
  await writeDown(db, { actorId, action: 'submission.revealed', subject: `submission:${id}`, at })
  return asSeen(row)
}

/** The R2 key of a verse's recording. @throws Refused `not_found` where there is none. */
export async function verseAudioKey(db: D1Database, id: string): Promise<string> {
  const row = await db
    .prepare('SELECT audio_key AS audioKey FROM verse_submissions WHERE id = ?1')
    .bind(id)
    .first<{ audioKey: string | null }>()
  if (!row?.audioKey) throw new Refused('not_found', 'There is no recording of this verse.')
  return row.audioKey
}

type Mark = { id: string; shortlisted?: boolean | undefined; note?: string | undefined; actorId: number; at: Millis }

/** Puts a verse on the short list, or off it, and keeps the desk's words about it. @throws Refused `not_found`. */
export async function markVerse(db: D1Database, { id, shortlisted, note, actorId, at }: Mark): Promise<void> {
  const [marked] = await db.batch([
    db
      .prepare(
        `UPDATE verse_submissions SET shortlisted = coalesce(?2, shortlisted), note = coalesce(?3, note)
         WHERE id = ?1 RETURNING id`,
      )
      .bind(id, shortlisted === undefined ? null : Number(shortlisted), note ?? null),
    recordedIfChanged(db, { actorId, action: 'submission.marked', subject: `submission:${id}`, at }),
  ])
  if (!marked?.results.length) throw unknown()
}

const unknown = () => new Refused('not_found', 'That submission does not exist.')

const asSeen = ({ at, hasRecording, isFinalist, shortlisted, ...row }: Row): VerseSubmission => ({
  ...row,
  submittedAt: new Date(at).toISOString(),
  hasRecording: hasRecording === 1,
  isFinalist: isFinalist === 1,
  shortlisted: shortlisted === 1,
})
