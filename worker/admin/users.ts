import { and, asc, desc, eq, isNull, lt, sql } from 'drizzle-orm'
import { recordAuditIfChanged } from '../audit/audit'
import { auditLog } from '../audit/audit.table'
import type { Administrator, AdminPointsEntry, AdminSupporter, AuditEntry } from '../contract/admin'
import type { Db } from '../db/client'
import { paginate, parseNumericCursor } from '../db/pagination'
import type { Deps } from '../deps'
import { enqueueEmail } from '../email/outbox'
import { eraseUser } from '../gdpr/erase-user'
import { AppError } from '../lib/app-error'
import type { Millis } from '../lib/clock'
import { maskEmail, normalizeKey } from '../lib/email'
import { limits } from '../limits'
import { users } from '../users/users.table'
import type { Actor } from './crud'
import { administratorAppointedEmail } from './emails'

type ListParams = { q: string; cursor: string | null }
type Page<Row> = { rows: Row[]; next: string | null }

/** SQL: neither administrators nor erased accounts. */
const IS_SUPPORTER = `role = 'supporter' AND erased_at IS NULL`

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
const LIMIT = `LIMIT ${limits.adminPageSize + 1}`

// Raw SQL for the full-text index. ?1 is the last id of the previous page: ids ascend with the time of sign-up.
const ALL_SUPPORTERS = `SELECT ${SUPPORTER_COLUMNS} FROM users WHERE users.id < ?1 AND ${IS_SUPPORTER} ORDER BY users.id DESC ${LIMIT}`
/** Three or more characters match anywhere in username or email, by trigrams. */
export const SUPPORTERS_BY_TRIGRAM = `SELECT ${SUPPORTER_COLUMNS} FROM supporter_search JOIN users ON users.id = supporter_search.rowid
  WHERE supporter_search MATCH ?2 AND supporter_search.rowid < ?1 AND ${IS_SUPPORTER}
  ORDER BY supporter_search.rowid DESC ${LIMIT}`
/** One or two characters match the start of the username. */
const SUPPORTERS_BY_PREFIX = `SELECT ${SUPPORTER_COLUMNS} FROM users WHERE username_key >= ?2 AND username_key < ?2 || char(1114111)
  AND users.id < ?1 AND ${IS_SUPPORTER} ORDER BY users.id DESC ${LIMIT}`

/** A page of supporters, newest first, emails masked. @throws AppError `bad_input`. */
export async function listSupporters(db: Db, { q, cursor }: ListParams): Promise<Page<AdminSupporter>> {
  const { id: beforeId } = parseNumericCursor(cursor)
  const d1 = db.$client
  const length = [...q].length
  const query =
    length === 0
      ? d1.prepare(ALL_SUPPORTERS).bind(beforeId)
      : length < 3
        ? d1.prepare(SUPPORTERS_BY_PREFIX).bind(beforeId, normalizeKey(q))
        : d1.prepare(SUPPORTERS_BY_TRIGRAM).bind(beforeId, `"${q.replaceAll('"', '""')}"`)
  const { rows, next } = paginate((await query.all<SupporterRow>()).results, limits.adminPageSize)
  return {
    rows: rows.map(({ id, at, email, emailVerified, banned, ...row }) => ({
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

/** ?2 and ?3 are timestamp and id of the cursor. Entries without points are left out, as in the supporter's history. */
export const POINTS_ENTRIES = `
  SELECT l.id, l.action, l.description, l.points, l.created_at AS at,
    CASE WHEN l.key GLOB 'undo:*' THEN 'reversal'
      WHEN EXISTS (SELECT 1 FROM ledger u WHERE u.user_id = l.user_id AND u.key = 'undo:' || l.key) THEN 'taken_back'
      ELSE 'stands' END AS state
  FROM ledger l WHERE l.user_id = ?1 AND (l.created_at, l.id) < (?2, ?3) AND l.points <> 0
  ORDER BY l.created_at DESC, l.id DESC ${LIMIT}`

type PointsEntryRow = Omit<AdminPointsEntry, 'id' | 'createdAt'> & { id: number; at: Millis }

/** A page of a supporter's ledger, newest first. @throws AppError `not_found`, `bad_input`. */
export async function listPointsEntries(
  db: Db,
  { id, cursor }: { id: number; cursor: string | null },
): Promise<Page<AdminPointsEntry>> {
  const position = parseNumericCursor(cursor)
  const d1 = db.$client
  const [page, supporter] = await d1.batch([
    d1.prepare(POINTS_ENTRIES).bind(id, position.at, position.id),
    d1.prepare(`SELECT 1 FROM users WHERE id = ?1 AND ${IS_SUPPORTER}`).bind(id),
  ])
  if (supporter?.results.length !== 1) throw unknownUserError()
  const { rows, next } = paginate((page?.results ?? []) as PointsEntryRow[], limits.adminPageSize)
  return {
    rows: rows.map(({ id, at, ...row }) => ({ ...row, id: String(id), createdAt: new Date(at).toISOString() })),
    next,
  }
}

type UserChange = { id: number; action: string; detail?: Record<string, string> }

/**
 * Bans a supporter: ends all sessions and hides their posts. Idempotent.
 * @throws AppError `not_found`; `conflict` for an administrator.
 */
export const banSupporter = (db: Db, id: number, reason: string, actor: Actor): Promise<void> =>
  setBanned(
    db,
    `UPDATE users SET banned_at = ?2, session_epoch = session_epoch + 1 WHERE id = ?1 AND banned_at IS NULL AND ${IS_SUPPORTER}`,
    { id, action: 'supporter.banned', detail: { reason } },
    actor,
  )

/** Lifts a ban; sessions stay ended. @throws AppError as `banSupporter`. */
export const unbanSupporter = (db: Db, id: number, actor: Actor): Promise<void> =>
  setBanned(
    db,
    `UPDATE users SET banned_at = NULL WHERE id = ?1 AND ?2 > 0 AND banned_at IS NOT NULL AND ${IS_SUPPORTER}`,
    { id, action: 'supporter.unbanned' },
    actor,
  )

async function setBanned(db: Db, sql: string, { id, action, detail }: UserChange, { actorId, at }: Actor) {
  const d1 = db.$client
  const [, , user] = await d1.batch<{ role: string }>([
    d1.prepare(sql).bind(id, at),
    recordAuditIfChanged(d1, { actorId, action, subject: `user:${id}`, detail, at }),
    d1.prepare('SELECT role FROM users WHERE id = ?1 AND erased_at IS NULL').bind(id),
  ])
  const role = user?.results[0]?.role
  if (!role) throw unknownUserError()
  if (role !== 'supporter')
    throw new AppError('conflict', 'An administrator cannot be suspended here. Take the desk from them first.')
}

/** Erases a supporter on request, with an audit entry. @throws AppError `not_found`; `conflict` for an administrator. */
export async function eraseSupporter(
  { db, secret }: Pick<Deps, 'db' | 'secret'>,
  id: number,
  { actorId, at }: Actor,
): Promise<void> {
  const [user] = await db
    .select({ role: users.role })
    .from(users)
    .where(and(eq(users.id, id), isNull(users.erasedAt)))
  if (!user) throw unknownUserError()
  if (user.role !== 'supporter')
    throw new AppError('conflict', 'An administrator cannot be deleted here. Take the desk from them first.')
  await eraseUser({ db, secret }, { userId: id, byUserRequest: true, administratorId: actorId }, at)
}

/** Runs `sql` and, if it changed the user, the audit entry and `statements`. @throws AppError `not_found`. */
async function changeRole(
  db: Db,
  sql: string,
  { id, action, detail }: UserChange,
  { actorId, at }: Actor,
  ...statements: D1PreparedStatement[]
) {
  const d1 = db.$client
  const [result] = await d1.batch([
    d1.prepare(sql).bind(id, at),
    recordAuditIfChanged(d1, { actorId, action, subject: `user:${id}`, detail, at }),
    ...statements,
  ])
  if (result?.results.length !== 1) throw unknownUserError()
}

export const unknownUserError = () => new AppError('not_found', 'That account does not exist.')

export async function listAdministrators(db: Db): Promise<Administrator[]> {
  const rows = await db
    .select({ id: users.id, username: users.username, email: users.email, at: users.createdAt })
    .from(users)
    .where(and(eq(users.role, 'administrator'), isNull(users.erasedAt), isNull(users.bannedAt)))
    .orderBy(asc(users.id))
  return rows.map(({ id, username, email, at }) => ({
    id: String(id),
    username,
    email: email ?? '',
    since: new Date(at).toISOString(),
  }))
}

/**
 * Makes the supporter with this verified email an administrator, ends their sessions and emails them.
 * @throws AppError `not_found`.
 */
export async function appointAdministrator(
  { db, origin }: Pick<Deps, 'db' | 'origin'>,
  email: string,
  actor: Actor,
): Promise<void> {
  const account = await db.$client
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
    actor,
    enqueueEmail(db.$client, {
      ifChanged: true,
      to: account.email,
      email: administratorAppointedEmail({ ...account, origin }),
      dedupeKey: `appointed:${account.id}:${actor.at}`,
      at: actor.at,
    }),
  )
}

/**
 * Makes an administrator a supporter and ends their sessions. One administrator always stays, also if two revoke each
 * other.
 * @throws AppError `not_found`; `conflict` for the last one.
 */
export async function revokeAdministrator(db: Db, id: number, actor: Actor): Promise<void> {
  const activeAdministrator = `role = 'administrator' AND erased_at IS NULL AND banned_at IS NULL`
  const exists = await db.$client
    .prepare(`SELECT id FROM users WHERE id = ?1 AND ${activeAdministrator}`)
    .bind(id)
    .first()
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

/** A page of the audit log, newest first. @throws AppError `bad_input`. */
export async function listAuditEntries(db: Db, { q, cursor }: ListParams): Promise<Page<AuditEntry>> {
  const { id: beforeId } = parseNumericCursor(cursor)
  const results = await db
    .select({
      id: auditLog.id,
      at: auditLog.at,
      actor: users.username,
      action: auditLog.action,
      subject: auditLog.subject,
      detail: auditLog.detail,
    })
    .from(auditLog)
    .innerJoin(users, eq(users.id, auditLog.actorId))
    .where(
      and(
        lt(auditLog.id, beforeId),
        q === ''
          ? undefined
          : sql`(instr(${auditLog.action}, lower(${q})) OR instr(lower(${users.username}), lower(${q})) OR instr(${auditLog.subject}, ${q}))`,
      ),
    )
    .orderBy(desc(auditLog.id))
    .limit(limits.adminPageSize + 1)
  const { rows, next } = paginate(results, limits.adminPageSize)
  return { rows: rows.map((row) => ({ ...row, id: String(row.id), at: new Date(row.at).toISOString() })), next }
}
