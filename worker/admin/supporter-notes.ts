import { sql } from 'drizzle-orm'
import { recordAuditIfChanged } from '../audit/audit'
import type { SupporterNote } from '../contract/supporter-page'
import { type Db, prepare } from '../db/client'
import type { Actor } from '../deps'
import { AppError } from '../lib/app-error'
import { type Millis, toIso } from '../lib/clock'
import { newId } from '../lib/crypto'
import { unknownUserError } from '../users/admin-list'

type NewNote = Actor & { userId: number; text: string }
type Row = { id: string; text: string; author: string; at: Millis }

/** Adds a note about a supporter and returns it. The audit entry omits the text. @throws AppError `not_found`. */
export async function addNote(db: Db, { userId, text, actorId, at }: NewNote): Promise<SupporterNote> {
  const id = newId('note')
  const insert = sql`INSERT INTO supporter_notes (id, user_id, author_id, text, created_at)
    SELECT ${id}, id, ${actorId}, ${text}, ${at} FROM users WHERE id = ${userId} AND role = 'supporter' AND erased_at IS NULL`
  const [, , note] = await db.$client.batch<Row>([
    prepare(db, insert),
    recordAuditIfChanged(db, { actorId, action: 'supporter.noted', subject: `user:${userId}`, at }),
    prepare(db, sql`${SELECT_NOTES} WHERE n.id = ${id}`),
  ])
  const [row] = note?.results ?? []
  if (!row) throw unknownUserError()
  return toNote(row)
}

/** Deletes a note, with an audit entry. @throws AppError `not_found`. */
export async function removeNote(db: Db, { id, actorId, at }: Actor & { id: string }): Promise<void> {
  const [removed] = await db.$client.batch([
    prepare(db, sql`DELETE FROM supporter_notes WHERE id = ${id} RETURNING id`),
    recordAuditIfChanged(db, { actorId, action: 'supporter.note_removed', subject: `note:${id}`, at }),
  ])
  if (removed?.results.length !== 1) throw new AppError('not_found', 'That note was deleted already.')
}

const SELECT_NOTES = sql`SELECT n.id, n.text, n.created_at AS at, coalesce(author.username, '') AS author
  FROM supporter_notes n LEFT JOIN users author ON author.id = n.author_id`

/** Query of the notes about a supporter, newest first. */
export const notesQuery = (userId: number) =>
  sql`${SELECT_NOTES} WHERE n.user_id = ${userId} ORDER BY n.created_at DESC, n.id`
export const toNote = ({ at, ...note }: Row): SupporterNote => ({ ...note, createdAt: toIso(at) })
