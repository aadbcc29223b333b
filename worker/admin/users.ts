import { recordAuditIfChanged } from '../audit/audit'
import type { Administrator, AdminSupporter, AuditEntry } from '../contract/admin'
import { paginate, parseCursor } from '../db/pagination'
import type { Deps } from '../deps'
import { enqueueEmail } from '../email/outbox'
import { eraseUser } from '../gdpr/erase-user'
import { AppError } from '../lib/app-error'
import type { Millis } from '../lib/clock'
import { maskEmail, normalizeKey } from '../lib/email'
import { limits } from '../limits'
import { administratorAppointedEmail } from './emails'

type ListParams = { q: string; cursor: string | null }
type Actor = { actorId: number; at: Millis }
type SupporterRow = {
  id: number
  username: string
  email: string
  emailVerified: number
  tier: AdminSupporter['tier']
  points: number
  at: Millis
  banned: number
}

const SUPPORTER_COLUMNS = `users.id, users.username, coalesce(users.email, '') AS email, email_verified_at IS NOT NULL AS emailVerified,
  tier, points, created_at AS at, banned_at IS NOT NULL AS banned`
/** Whom the desk means by a supporter: neither administrators nor erased accounts. */
export const IS_SUPPORTER = `role = 'supporter' AND erased_at IS NULL`

/** Newest account first: ids are given in order. */
export const SUPPORTERS = `SELECT ${SUPPORTER_COLUMNS} FROM users WHERE users.id < ?1 AND ${IS_SUPPORTER} ORDER BY users.id DESC LIMIT ${limits.adminPageSize + 1}`

/** Three letters and more are found by their trigrams, wherever they stand in name or address. */
export const SUPPORTERS_BY_TRIGRAM = `SELECT ${SUPPORTER_COLUMNS} FROM supporter_search JOIN users ON users.id = supporter_search.rowid
  WHERE supporter_search MATCH ?2 AND supporter_search.rowid < ?1 AND ${IS_SUPPORTER}
  ORDER BY supporter_search.rowid DESC LIMIT ${limits.adminPageSize + 1}`

/** One or two letters: names that begin with them, by the name's own index. */
export const SUPPORTERS_BY_PREFIX = `SELECT ${SUPPORTER_COLUMNS} FROM users WHERE username_key >= ?2 AND username_key < ?2 || char(1114111)
  AND users.id < ?1 AND ${IS_SUPPORTER} ORDER BY users.id DESC LIMIT ${limits.adminPageSize + 1}`

/** A page of supporters, newest first, their addresses masked. @throws AppError `bad_input` for a cursor that is none. */
export async function listSupporters(
  db: D1Database,
  { q, cursor }: ListParams,
): Promise<{ supporters: AdminSupporter[]; next: string | null }> {
  const { id } = parseCursor(cursor)
  const beforeId = id === '' ? Number.MAX_SAFE_INTEGER : Number(id)
  if (!Number.isSafeInteger(beforeId)) throw new AppError('bad_input', 'That page of the list does not exist.')
  const length = [...q].length
  const query =
    length === 0
      ? db.prepare(SUPPORTERS).bind(beforeId)
      : length < 3
        ? db.prepare(SUPPORTERS_BY_PREFIX).bind(beforeId, normalizeKey(q))
        : db.prepare(SUPPORTERS_BY_TRIGRAM).bind(beforeId, `"${q.replaceAll('"', '""')}"`)
  const { rows, next } = paginate((await query.all<SupporterRow>()).results, limits.adminPageSize)
  return {
    supporters: rows.map(({ id, at, email, emailVerified, banned, ...row }) => ({
      ...row,
      id: String(id),
      email: maskEmail(email),
      emailVerified: emailVerified === 1,
      joinedAt: new Date(at).toISOString(),
      banned: banned === 1,
    })),
    next,
  }
}

/**
 * Suspends a supporter: every session of theirs is over, and what they wrote is out of sight. Once more changes nothing.
 * @throws AppError `not_found`; `conflict` for an administrator.
 */
export const banSupporter = (db: D1Database, id: number, reason: string, actor: Actor): Promise<void> =>
  setBanned(
    db,
    `UPDATE users SET banned_at = ?2, session_epoch = session_epoch + 1 WHERE id = ?1 AND banned_at IS NULL AND ${IS_SUPPORTER}`,
    { id, action: 'supporter.banned', detail: { reason } },
    actor,
  )

/** Lets them in again: they have to log in anew. @throws as `ban`. */
export const unbanSupporter = (db: D1Database, id: number, actor: Actor): Promise<void> =>
  setBanned(
    db,
    `UPDATE users SET banned_at = NULL WHERE id = ?1 AND ?2 > 0 AND banned_at IS NOT NULL AND ${IS_SUPPORTER}`,
    { id, action: 'supporter.unbanned' },
    actor,
  )

async function setBanned(db: D1Database, sql: string, { id, action, detail }: UserChange, { actorId, at }: Actor) {
  const [, , user] = await db.batch<{ role: string }>([
    db.prepare(sql).bind(id, at),
    recordAuditIfChanged(db, { actorId, action, subject: `user:${id}`, detail, at }),
    db.prepare('SELECT role FROM users WHERE id = ?1 AND erased_at IS NULL').bind(id),
  ])
  const role = user?.results[0]?.role
  if (!role) throw unknownUserError()
  if (role !== 'supporter')
    throw new AppError('conflict', 'An administrator cannot be suspended here. Take the desk from them first.')
}

/**
 * Erases a supporter who asked for it otherwise than on their page, with a line of the audit.
 * @throws AppError `not_found`; `conflict` for an administrator.
 */
export async function eraseSupporter(
  deps: Pick<Deps, 'db' | 'secret'>,
  id: number,
  { actorId, at }: Actor,
): Promise<void> {
  const user = await deps.db.$client
    .prepare('SELECT role FROM users WHERE id = ?1 AND erased_at IS NULL')
    .bind(id)
    .first<{ role: string }>()
  if (!user) throw unknownUserError()
  if (user.role !== 'supporter')
    throw new AppError('conflict', 'An administrator cannot be deleted here. Take the desk from them first.')
  await eraseUser(deps, { userId: id, byUserRequest: true, administratorId: actorId }, at)
}

type UserChange = { id: number; action: string; detail?: Record<string, string> }

/** `also` is done if the change was, and only then. */
async function changeRole(
  db: D1Database,
  sql: string,
  { id, action, detail }: UserChange,
  { actorId, at }: Actor,
  ...statements: D1PreparedStatement[]
) {
  const [result] = await db.batch([
    db.prepare(sql).bind(id, at),
    recordAuditIfChanged(db, { actorId, action, subject: `user:${id}`, detail, at }),
    ...statements,
  ])
  if (result?.results.length !== 1) throw unknownUserError()
}
export const unknownUserError = () => new AppError('not_found', 'That account does not exist.')

/** Who may open the desk. */
export async function listAdministrators(db: D1Database): Promise<Administrator[]> {
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
 * of role, and a letter tells them; its links begin with `origin`. @throws AppError `not_found`.
 */
export async function appointAdministrator(
  db: D1Database,
  email: string,
  { actorId, at, origin }: Actor & { origin: string },
): Promise<void> {
  const account = await db
    .prepare(
      `SELECT id, username, email, coalesce((SELECT name FROM site), 'This site') AS siteName FROM users WHERE email_key = ?1 AND email_verified_at IS NOT NULL AND banned_at IS NULL AND ${IS_SUPPORTER}`,
    )
    .bind(normalizeKey(email))
    .first<{ id: number; username: string; email: string; siteName: string }>()
  if (!account)
    throw new AppError('not_found', 'No account has confirmed that address. Ask them to sign up and confirm it first.')
  await changeRole(
    db,
    `UPDATE users SET role = 'administrator', session_epoch = session_epoch + 1 WHERE id = ?1 AND ?2 > 0 AND ${IS_SUPPORTER} RETURNING id`,
    { id: account.id, action: 'administrator.appointed' },
    { actorId, at },
    enqueueEmail(db, {
      to: account.email,
      email: administratorAppointedEmail({ ...account, origin }),
      dedupeKey: `appointed:${account.id}:${at}`,
      at,
      ifChanged: true,
    }),
  )
}

/**
 * Takes the desk from an administrator, at once. One always stays, also when two revoke each other.
 * @throws AppError `not_found`, `conflict` for the last one.
 */
export async function revokeAdministrator(db: D1Database, id: number, actor: Actor): Promise<void> {
  const activeAdministrator = `role = 'administrator' AND erased_at IS NULL AND banned_at IS NULL`
  const exists = await db.prepare(`SELECT id FROM users WHERE id = ?1 AND ${activeAdministrator}`).bind(id).first()
  if (!exists) throw unknownUserError()
  await changeRole(
    db,
    `UPDATE users SET role = 'supporter', session_epoch = session_epoch + 1 WHERE id = ?1 AND ?2 > 0 AND ${activeAdministrator}
       AND EXISTS (SELECT 1 FROM users other WHERE other.id <> ?1 AND other.role = 'administrator'
         AND other.erased_at IS NULL AND other.banned_at IS NULL) RETURNING id`,
    { id, action: 'administrator.revoked' },
    actor,
  ).catch((error) => {
    throw error instanceof AppError && error.code === 'not_found'
      ? new AppError('conflict', 'That is the last administrator. Please make somebody else one first.')
      : error
  })
}

export const AUDIT_ENTRIES = `SELECT audit_log.id, at, username AS actor, action, subject, detail FROM audit_log JOIN users ON users.id = actor_id
  WHERE audit_log.id < ?1 AND (?2 = '' OR instr(action, lower(?2)) OR instr(lower(username), lower(?2)) OR instr(subject, ?2))
  ORDER BY audit_log.id DESC LIMIT ${limits.adminPageSize + 1}`

/** A page of what administrators did, newest first. @throws AppError `bad_input`. */
export async function listAuditEntries(
  db: D1Database,
  { q, cursor }: ListParams,
): Promise<{ entries: AuditEntry[]; next: string | null }> {
  const { id } = parseCursor(cursor)
  const beforeId = id === '' ? Number.MAX_SAFE_INTEGER : Number(id)
  if (!Number.isSafeInteger(beforeId)) throw new AppError('bad_input', 'That page of the list does not exist.')
  const { results } = await db
    .prepare(AUDIT_ENTRIES)
    .bind(beforeId, q)
    .all<Omit<AuditEntry, 'id' | 'at' | 'detail'> & { id: number; at: Millis; detail: string }>()
  const { rows, next } = paginate(results, limits.adminPageSize)
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
