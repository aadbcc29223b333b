import { and, eq, isNotNull, isNull, type SQL, sql } from 'drizzle-orm'
import { type AuditAction, recordAuditIfChanged } from '../audit/audit'
import { type Db, prepare } from '../db/client'
import type { Actor, Deps } from '../deps'
import { eraseUser } from '../gdpr/erase-user'
import { AppError } from '../lib/app-error'
import type { Millis } from '../lib/clock'
import { includeVotesStatements } from '../polls/exclude-votes'
import { unknownUserError } from '../users/admin-list'
import { users } from '../users/users.table'

/**
 * Bans a supporter: ends all sessions and hides their posts and polls. Idempotent.
 * @throws AppError `not_found`; `conflict` for an administrator.
 */
export const banSupporter = (db: Db, id: number, reason: string, actor: Actor): Promise<void> =>
  setBanned(db, id, actor, {
    audit: { action: 'supporter.banned', detail: { reason } },
    values: { bannedAt: actor.at, sessionEpoch: sql`${users.sessionEpoch} + 1` },
    condition: isNull(users.bannedAt),
  })

/**
 * Lifts a ban and counts the supporter's excluded votes in open polls again. Ended sessions stay ended.
 * @throws as `banSupporter`.
 */
export const unbanSupporter = (db: Db, id: number, actor: Actor): Promise<void> =>
  setBanned(db, id, actor, {
    audit: { action: 'supporter.unbanned' },
    values: { bannedAt: null },
    condition: isNotNull(users.bannedAt),
    statements: includeVotesStatements(db, id, actor),
  })

type BanChange = {
  audit: Pick<AuditAction, 'action' | 'detail'>
  values: { bannedAt: Millis | null; sessionEpoch?: SQL }
  condition: SQL
  statements?: D1PreparedStatement[]
}

async function setBanned(
  db: Db,
  id: number,
  actor: Actor,
  { audit, values, condition, statements = [] }: BanChange,
): Promise<void> {
  const isSupporter = and(eq(users.id, id), eq(users.role, 'supporter'), isNull(users.erasedAt))
  await db.$client.batch([
    prepare(db, db.update(users).set(values).where(and(isSupporter, condition))),
    recordAuditIfChanged(db, { ...actor, ...audit, subject: `user:${id}` }),
    ...statements,
  ])
  await requireSupporter(db, id, 'An administrator cannot be banned or unbanned here. Remove them from the team first.')
}

/** Erases a supporter at their request. @throws AppError `not_found`; `conflict` for an administrator. */
export async function eraseSupporter(
  { db, secret }: Pick<Deps, 'db' | 'secret'>,
  id: number,
  { actorId, at }: Actor,
): Promise<void> {
  await requireSupporter(db, id, 'An administrator cannot be deleted here. Remove them from the team first.')
  const isErased = await eraseUser({ db, secret }, { userId: id, byUserRequest: true, administratorId: actorId }, at)
  // A concurrent request erased the account or added it to the team.
  if (!isErased) throw unknownUserError()
}

/** @throws AppError `not_found`; `conflict` with `conflictMessage` for an administrator. */
async function requireSupporter(db: Db, id: number, conflictMessage: string): Promise<void> {
  const [user] = await db
    .select({ role: users.role })
    .from(users)
    .where(and(eq(users.id, id), isNull(users.erasedAt)))
  if (!user) throw unknownUserError()
  if (user.role !== 'supporter') throw new AppError('conflict', conflictMessage)
}
