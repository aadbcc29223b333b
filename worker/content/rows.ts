import { recordedIfChanged } from '../audit/audit'
import type { Millis } from '../lib/clock'
import { Refused } from '../lib/refused'

/** What the desk keeps, by the noun that the audit log uses. */
export const TABLES = {
  track: 'tracks',
  product: 'products',
  concert: 'concerts',
  social_post: 'social_posts',
  challenge: 'challenges',
} as const
export type Noun = keyof typeof TABLES
export type Value = string | number | null
export type By = { actorId: number; at: Millis }

/**
 * Adds or changes a row, with the statements that belong to it and a line of the audit log, in one batch. Column names
 * come from code, never from a request. @throws Refused `not_found` for a change of what is not there.
 */
export async function kept(
  db: D1Database,
  noun: Noun,
  {
    id,
    isNew,
    row,
    also = [],
  }: { id: Value; isNew: boolean; row: Record<string, Value>; also?: D1PreparedStatement[] },
  { actorId, at }: By,
): Promise<void> {
  const columns = Object.keys(row)
  const values = Object.values(row)
  const sql = isNew
    ? `INSERT INTO ${TABLES[noun]} (id, ${columns.join(', ')}) VALUES (?1, ${columns.map((_, i) => `?${i + 2}`).join(', ')}) RETURNING id`
    : `UPDATE ${TABLES[noun]} SET ${columns.map((column, i) => `${column} = ?${i + 2}`).join(', ')}
       WHERE id = ?1 AND removed_at IS NULL RETURNING id`
  const known =
    isNew || (await db.prepare(`SELECT 1 FROM ${TABLES[noun]} WHERE id = ?1 AND removed_at IS NULL`).bind(id).first())
  if (!known) throw unknown(noun)
  const [written] = await db.batch([
    db.prepare(sql).bind(id, ...values),
    recordedIfChanged(db, { actorId, action: `${noun}.${isNew ? 'added' : 'changed'}`, subject: `${noun}:${id}`, at }),
    ...also,
  ])
  if (!written?.results.length) throw unknown(noun)
}

/** Takes something off the site. What refers to it stays. @throws Refused `not_found`. */
export const removed = (db: D1Database, noun: Noun, id: string, by: By, also?: D1PreparedStatement[]): Promise<void> =>
  moved(db, noun, id, by, ['removed', 'SET removed_at = ?2 WHERE id = ?1 AND removed_at IS NULL'], also)

/** Puts it back where it was. @throws Refused `not_found`. */
export const restored = (db: D1Database, noun: Noun, id: string, by: By, also?: D1PreparedStatement[]): Promise<void> =>
  moved(db, noun, id, by, ['restored', 'SET removed_at = NULL WHERE id = ?1 AND ?2 IS NOT NULL'], also)

async function moved(
  db: D1Database,
  noun: Noun,
  id: string,
  { actorId, at }: By,
  [verb, change]: readonly [string, string],
  also: D1PreparedStatement[] = [],
) {
  const [changed] = await db.batch([
    db.prepare(`UPDATE ${TABLES[noun]} ${change} RETURNING id`).bind(id, at),
    recordedIfChanged(db, { actorId, action: `${noun}.${verb}`, subject: `${noun}:${id}`, at }),
    ...also,
  ])
  if (changed?.results.length !== 1) throw unknown(noun)
}

const unknown = (noun: Noun) => new Refused('not_found', `That ${noun.replace('social_', '')} does not exist.`)
