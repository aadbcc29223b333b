import { writeDown } from '../audit/audit'
import type { VerseSubmission } from '../contract/submissions'
import type { Millis } from '../lib/clock'
import { paged, positionOf } from '../lib/keyset'
import { maskedAddress, maskedNumber } from '../lib/masked'
import { Refused } from '../lib/refused'
import { limits } from '../limits'

type Row = { id: string; name: string; email: string; phoneNumber: string; at: Millis }
type Page = { submissions: VerseSubmission[]; next: string | null }

const SEEN = 'SELECT id, name, email, phone_number AS phoneNumber, submitted_at AS at FROM verse_submissions'

/** `instr`, because D1 refuses a LIKE pattern of more than 50 bytes and a fan may be called 100% or a_b. */
export const SUBMISSIONS = `${SEEN}
  WHERE (submitted_at, id) < (?1, ?2)
    AND (?3 = '' OR instr(lower(name), lower(?3)) OR instr(lower(email), lower(?3)) OR instr(name, ?3))
  ORDER BY submitted_at DESC, id DESC LIMIT ${limits.deskRows + 1}`

/** A page of what was sent in, masked, newest first; `q` looks through names and addresses. @throws Refused `bad_input`. */
export async function submissions(db: D1Database, { q, cursor }: { q: string; cursor: string | null }): Promise<Page> {
  const { at, id } = positionOf(cursor)
  const { results } = await db.prepare(SUBMISSIONS).bind(at, id, q).all<Row>()
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
  if (!row) throw new Refused('not_found', 'That submission does not exist.')
  await writeDown(db, { actorId, action: 'submission.revealed', subject: `submission:${id}`, at })
  return asSeen(row)
}

const asSeen = ({ at, ...row }: Row): VerseSubmission => ({ ...row, submittedAt: new Date(at).toISOString() })
