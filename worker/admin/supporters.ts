import { and, eq, isNotNull, isNull, type SQL, sql } from 'drizzle-orm'
import { recordAuditIfChanged } from '../audit/audit'
import { type Db, prepare } from '../db/client'
import type { Actor, Deps } from '../deps'
import { eraseUser } from '../gdpr/erase-user'
import { AppError } from '../lib/app-error'
import { includeVotesStatements } from '../polls/exclude-votes'
import { unknownUserError } from '../users/admin-list'
import { users } from '../users/users.table'

/**
 * Bans a supporter: ends all sessions and hides their posts and polls. Idempotent.
 * @throws AppError `not_found`; `conflict` for an administrator.
 */
export const banSupporter = (db: Db, id: number, reason: string, actor: Actor): Promise<void> =>
  setBanned(
    db,
    { id, action: 'supporter.banned', detail: { reason } },
    { values: { bannedAt: actor.at, sessionEpoch: sql`${users.sessionEpoch} + 1` }, condition: isNull(users.bannedAt) },
    actor,
  )

/** Lifts a ban, counting excluded votes in open polls again; sessions stay ended. @throws as `banSupporter`. */
export const unbanSupporter = (db: Db, id: number, actor: Actor): Promise<void> =>
  setBanned(
    db,
    { id, action: 'supporter.unbanned' },
    { values: { bannedAt: null }, condition: isNotNull(users.bannedAt) },
    actor,
    includeVotesStatements(db, id, actor),
  )

type UserAction = { id: number; action: string; detail?: Record<string, string> }
type Change = { values: { bannedAt: number | null; sessionEpoch?: SQL }; condition: SQL }

async function setBanned(
  db: Db,
  { id, ...action }: UserAction,
  { values, condition }: Change,
  actor: Actor,
  statements: D1PreparedStatement[] = [],
): Promise<void> {
  const isSupporter = and(eq(users.id, id), eq(users.role, 'supporter'), isNull(users.erasedAt))
  await db.$client.batch([
    prepare(db, db.update(users).set(values).where(and(isSupporter, condition))),
    recordAuditIfChanged(db, { ...actor, ...action, subject: `user:${id}` }),
    ...statements,
  ])
  await requireSupporter(db, id, 'An administrator cannot be suspended here. Remove them from the team first.')
}

/** Erases a supporter on request, with audit entry. @throws AppError `not_found`; `conflict` for an administrator. */
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

/** @throws AppError `not_found`; `conflict` with this message for an administrator. */
async function requireSupporter(db: Db, id: number, conflictMessage: string): Promise<void> {
  const [user] = await db
    .select({ role: users.role })
    .from(users)
    .where(and(eq(users.id, id), isNull(users.erasedAt)))
  if (!user) throw unknownUserError()
  if (user.role !== 'supporter') throw new AppError('conflict', conflictMessage)
}
