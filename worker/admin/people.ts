import { recordedIfChanged } from '../audit/audit'
import { eraseAccount } from '../auth/erasure'
import type { Administrator, AuditEntry, DeskSupporter } from '../contract/people'
import type { Millis } from '../lib/clock'
import { fold } from '../lib/fold'
import { paged, positionOf } from '../lib/keyset'
import { maskedAddress } from '../lib/masked'
import { Refused } from '../lib/refused'
import { limits } from '../limits'
import { postedIfChanged } from '../mail/outbox'
import { appointedLetter } from './letters'

type Asked = { q: string; cursor: string | null }
type By = { actorId: number; at: Millis }
type Row = {
  id: number
  username: string
  email: string
  emailVerified: number
  tier: DeskSupporter['tier']
  points: number
  at: Millis
  banned: number
}

const SEEN = `users.id, users.username, coalesce(users.email, '') AS email, email_verified_at IS NOT NULL AS emailVerified,
  tier, points, created_at AS at, banned_at IS NOT NULL AS banned`
/** Whom the desk means by a supporter: neither administrators nor erased accounts. */
export const MEANT = `role = 'supporter' AND erased_at IS NULL`

/** Newest account first: ids are given in order. */
export const NEWEST = `SELECT ${SEEN} FROM users WHERE users.id < ?1 AND ${MEANT} ORDER BY users.id DESC LIMIT ${limits.deskRows + 1}`

/** Three letters and more are found by their trigrams, wherever they stand in name or address. */
export const FOUND = `SELECT ${SEEN} FROM supporter_search JOIN users ON users.id = supporter_search.rowid
  WHERE supporter_search MATCH ?2 AND supporter_search.rowid < ?1 AND ${MEANT}
  ORDER BY supporter_search.rowid DESC LIMIT ${limits.deskRows + 1}`

/** One or two letters: names that begin with them, by the name's own index. */
export const BEGINNING = `SELECT ${SEEN} FROM users WHERE username_key >= ?2 AND username_key < ?2 || char(1114111)
  AND users.id < ?1 AND ${MEANT} ORDER BY users.id DESC LIMIT ${limits.deskRows + 1}`

/** A page of supporters, newest first, their addresses masked. @throws Refused `bad_input` for a cursor that is none. */
export async function supporters(
  db: D1Database,
  { q, cursor }: Asked,
): Promise<{ supporters: DeskSupporter[]; next: string | null }> {
  const { id } = positionOf(cursor)
  const before = id === '' ? Number.MAX_SAFE_INTEGER : Number(id)
  if (!Number.isSafeInteger(before)) throw new Refused('bad_input', 'That page of the list does not exist.')
  const letters = [...q].length
  const query =
    letters === 0
      ? db.prepare(NEWEST).bind(before)
      : letters < 3
        ? db.prepare(BEGINNING).bind(before, fold(q))
        : db.prepare(FOUND).bind(before, `"${q.replaceAll('"', '""')}"`)
  const { rows, next } = paged((await query.all<Row>()).results, limits.deskRows)
  return {
    supporters: rows.map(({ id, at, email, emailVerified, banned, ...row }) => ({
      ...row,
      id: String(id),
      email: maskedAddress(email),
      emailVerified: emailVerified === 1,
      joinedAt: new Date(at).toISOString(),
      banned: banned === 1,
    })),
    next,
  }
}

/**
 * Suspends a supporter: every session of theirs is over, and what they wrote is out of sight. Once more changes nothing.
 * @throws Refused `not_found`; `conflict` for an administrator.
 */
export const ban = (db: D1Database, id: number, reason: string, by: By): Promise<void> =>
  suspended(
    db,
    `UPDATE users SET banned_at = ?2, session_epoch = session_epoch + 1 WHERE id = ?1 AND banned_at IS NULL AND ${MEANT}`,
    { id, action: 'supporter.banned', detail: { reason } },
    by,
  )

/** Lets them in again: they have to log in anew. @throws as `ban`. */
export const unban = (db: D1Database, id: number, by: By): Promise<void> =>
  suspended(
    db,
    `UPDATE users SET banned_at = NULL WHERE id = ?1 AND ?2 > 0 AND banned_at IS NOT NULL AND ${MEANT}`,
    { id, action: 'supporter.unbanned' },
    by,
  )

async function suspended(db: D1Database, sql: string, { id, action, detail }: Change, { actorId, at }: By) {
  const [, , person] = await db.batch<{ role: string }>([
    db.prepare(sql).bind(id, at),
    recordedIfChanged(db, { actorId, action, subject: `user:${id}`, detail, at }),
    db.prepare('SELECT role FROM users WHERE id = ?1 AND erased_at IS NULL').bind(id),
  ])
  const role = person?.results[0]?.role
  if (!role) throw unknownPerson()
  if (role !== 'supporter')
    throw new Refused('conflict', 'An administrator cannot be suspended here. Take the desk from them first.')
}

/**
 * Erases a supporter who asked for it otherwise than on their page, with a line of the audit.
 * @throws Refused `not_found`; `conflict` for an administrator.
 */
export async function erase(house: { db: D1Database; secret: string }, id: number, { actorId, at }: By): Promise<void> {
  const person = await house.db
    .prepare('SELECT role FROM users WHERE id = ?1 AND erased_at IS NULL')
    .bind(id)
    .first<{ role: string }>()
  if (!person) throw unknownPerson()
  if (person.role !== 'supporter')
    throw new Refused('conflict', 'An administrator cannot be deleted here. Take the desk from them first.')
  await eraseAccount(house, { userId: id, asked: true, by: actorId }, at)
}

type Change = { id: number; action: string; detail?: Record<string, string> }

/** `also` is done if the change was, and only then. */
async function changed(
  db: D1Database,
  sql: string,
  { id, action, detail }: Change,
  { actorId, at }: By,
  ...also: D1PreparedStatement[]
) {
  const [done] = await db.batch([
    db.prepare(sql).bind(id, at),
    recordedIfChanged(db, { actorId, action, subject: `user:${id}`, detail, at }),
    ...also,
  ])
  if (done?.results.length !== 1) throw unknownPerson()
}
export const unknownPerson = () => new Refused('not_found', 'That account does not exist.')

/** Who may open the desk. */
export async function administrators(db: D1Database): Promise<Administrator[]> {
  const { results } = await db
    .prepare(
      `SELECT id, username, coalesce(email, '') AS email, created_at AS at FROM users
       WHERE role = 'administrator' AND erased_at IS NULL AND banned_at IS NULL ORDER BY id`,
    )
    .all<{ id: number; username: string; email: string; at: Millis }>()
  return results.map(({ id, at, ...row }) => ({ ...row, id: String(id), since: new Date(at).toISOString() }))
}

/**
 * Makes a supporter an administrator: the account with this confirmed address. Their sessions end, as with every change
 * of role, and a letter tells them; its links begin with `origin`. @throws Refused `not_found`.
 */
export async function appoint(
  db: D1Database,
  email: string,
  { actorId, at, origin }: By & { origin: string },
): Promise<void> {
  const account = await db
    .prepare(
      `SELECT id, username, email, coalesce((SELECT name FROM site), 'This site') AS siteName FROM users WHERE email_key = ?1 AND email_verified_at IS NOT NULL AND banned_at IS NULL AND ${MEANT}`,
    )
    .bind(fold(email))
    .first<{ id: number; username: string; email: string; siteName: string }>()
  if (!account)
    throw new Refused('not_found', 'No account has confirmed that address. Ask them to sign up and confirm it first.')
  await changed(
    db,
    `UPDATE users SET role = 'administrator', session_epoch = session_epoch + 1 WHERE id = ?1 AND ?2 > 0 AND ${MEANT} RETURNING id`,
    { id: account.id, action: 'administrator.appointed' },
    { actorId, at },
    postedIfChanged(db, {
      to: account.email,
      letter: appointedLetter({ ...account, origin }),
      dedupeKey: `appointed:${account.id}:${at}`,
      at,
    }),
  )
}

/**
 * Takes the desk from an administrator, at once. One always stays, also when two revoke each other.
 * @throws Refused `not_found`, `conflict` for the last one.
 */
export async function revoke(db: D1Database, id: number, by: By): Promise<void> {
  const standing = `role = 'administrator' AND erased_at IS NULL AND banned_at IS NULL`
  const known = await db.prepare(`SELECT id FROM users WHERE id = ?1 AND ${standing}`).bind(id).first()
  if (!known) throw unknownPerson()
  await changed(
    db,
    `UPDATE users SET role = 'supporter', session_epoch = session_epoch + 1 WHERE id = ?1 AND ?2 > 0 AND ${standing}
       AND EXISTS (SELECT 1 FROM users other WHERE other.id <> ?1 AND other.role = 'administrator'
         AND other.erased_at IS NULL AND other.banned_at IS NULL) RETURNING id`,
    { id, action: 'administrator.revoked' },
    by,
  ).catch((error) => {
    throw error instanceof Refused && error.code === 'not_found'
      ? new Refused('conflict', 'That is the last administrator. Please make somebody else one first.')
      : error
  })
}

export const AUDIT = `SELECT audit_log.id, at, username AS actor, action, subject, detail FROM audit_log JOIN users ON users.id = actor_id
  WHERE audit_log.id < ?1 AND (?2 = '' OR instr(action, lower(?2)) OR instr(lower(username), lower(?2)) OR instr(subject, ?2))
  ORDER BY audit_log.id DESC LIMIT ${limits.deskRows + 1}`

/** A page of what administrators did, newest first. @throws Refused `bad_input`. */
export async function auditEntries(
  db: D1Database,
  { q, cursor }: Asked,
): Promise<{ entries: AuditEntry[]; next: string | null }> {
  const { id } = positionOf(cursor)
  const before = id === '' ? Number.MAX_SAFE_INTEGER : Number(id)
  if (!Number.isSafeInteger(before)) throw new Refused('bad_input', 'That page of the list does not exist.')
  const { results } = await db
    .prepare(AUDIT)
    .bind(before, q)
    .all<Omit<AuditEntry, 'id' | 'at' | 'detail'> & { id: number; at: Millis; detail: string }>()
  const { rows, next } = paged(results, limits.deskRows)
  return {
    entries: rows.map(({ id, at, detail, ...row }) => ({
      ...row,
      id: String(id),
      at: new Date(at).toISOString(),
      detail: JSON.parse(detail),
    })),
    next,
  }
}
