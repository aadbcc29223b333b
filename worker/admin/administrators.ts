import { and, asc, eq, isNotNull, isNull, ne, type SQL, sql } from 'drizzle-orm'
import { alias } from 'drizzle-orm/sqlite-core'
import { recordAuditIfChanged } from '../audit/audit'
import type { Actor } from '../audit/crud'
import type { Administrator } from '../contract/admin'
import { type Db, prepare } from '../db/client'
import type { Deps } from '../deps'
import { enqueueEmail } from '../email/outbox'
import { AppError } from '../lib/app-error'
import { normalizeKey } from '../lib/email'
import { siteQuery } from '../site/site'
import { unknownUserError } from '../users/admin-list'
import { users } from '../users/users.table'
import { administratorAppointedEmail } from './emails'

const isActive = (user: typeof users, role: 'supporter' | 'administrator') =>
  and(eq(user.role, role), isNull(user.erasedAt), isNull(user.bannedAt))

export async function listAdministrators(db: Db): Promise<Administrator[]> {
  const rows = await db
    .select({ id: users.id, username: users.username, email: users.email, at: users.createdAt })
    .from(users)
    .where(isActive(users, 'administrator'))
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
  address: string,
  actor: Actor,
): Promise<void> {
  const [[account], [site]] = await db.batch([
    db
      .select({ id: users.id, username: users.username, email: users.email })
      .from(users)
      .where(
        and(eq(users.emailKey, normalizeKey(address)), isNotNull(users.emailVerifiedAt), isActive(users, 'supporter')),
      ),
    siteQuery(db),
  ])
  if (!account?.email)
    throw new AppError('not_found', 'No account has confirmed that address. Ask them to sign up and confirm it first.')
  const { id, username, email } = account
  const appointed = await changeRole(
    db,
    { id, role: 'administrator', condition: isActive(users, 'supporter') },
    actor,
    [
      enqueueEmail(db.$client, {
        ifChanged: true,
        to: email,
        email: administratorAppointedEmail({ siteName: site?.name ?? 'This site', origin, username }),
        dedupeKey: `appointed:${id}:${actor.at}`,
        at: actor.at,
      }),
    ],
  )
  if (!appointed) throw unknownUserError()
}

/**
 * Makes an administrator a supporter and ends their sessions. One administrator always stays, also if two revoke each
 * other.
 * @throws AppError `not_found`; `conflict` for the last one.
 */
export async function revokeAdministrator(db: Db, id: number, actor: Actor): Promise<void> {
  const isAdministrator = and(eq(users.id, id), isActive(users, 'administrator'))
  if ((await db.$count(users, isAdministrator)) === 0) throw unknownUserError()
  const other = alias(users, 'other')
  const others = db
    .select({ id: other.id })
    .from(other)
    .where(and(ne(other.id, id), isActive(other as unknown as typeof users, 'administrator')))
  const condition = and(isAdministrator, sql`EXISTS ${others}`)
  if (!(await changeRole(db, { id, role: 'supporter', condition }, actor)))
    throw new AppError('conflict', 'That is the last administrator. Please make somebody else one first.')
}

type RoleChange = { id: number; role: 'supporter' | 'administrator'; condition: SQL | undefined }

/** Changes the role if `condition` holds, with the audit entry and `statements`. Returns whether it changed. */
async function changeRole(
  db: Db,
  { id, role, condition }: RoleChange,
  { actorId, at }: Actor,
  statements: D1PreparedStatement[] = [],
): Promise<boolean> {
  const update = db
    .update(users)
    .set({ role, sessionEpoch: sql`${users.sessionEpoch} + 1` })
    .where(and(eq(users.id, id), condition))
    .returning({ id: users.id })
  const action = role === 'administrator' ? 'administrator.appointed' : 'administrator.revoked'
  const [result] = await db.$client.batch([
    prepare(db, update),
    recordAuditIfChanged(db, { actorId, action, subject: `user:${id}`, at }),
    ...statements,
  ])
  return result?.results.length === 1
}
