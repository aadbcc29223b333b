import { and, asc, eq, isNotNull, isNull, ne, type SQL, sql } from 'drizzle-orm'
import { recordAuditIfChanged } from '../audit/audit'
import { hasPasswordOrPasskey, unlinkGoogle } from '../auth/credentials'
import type { TeamMember } from '../contract/admin'
import type { TeamRole } from '../contract/endpoint'
import { type Db, prepare } from '../db/client'
import type { Actor, Deps } from '../deps'
import { enqueueEmail } from '../email/outbox'
import { AppError } from '../lib/app-error'
import { toIso } from '../lib/clock'
import { maskEmail, normalizeKey } from '../lib/email'
import { readSiteName } from '../site/site'
import { unknownUserError } from '../users/admin-list'
import { isNotLastOwner, lastOwnerError } from '../users/last-owner'
import { teamMembers } from '../users/team.table'
import { usernameKey } from '../users/username'
import { users } from '../users/users.table'
import { teamMemberAddedEmail } from './emails'

const isActive = and(isNull(users.erasedAt), isNull(users.bannedAt))

/** The active members of the team by id, with masked addresses. */
export async function listTeam(db: Db): Promise<TeamMember[]> {
  const rows = await db
    .select({
      id: users.id,
      username: users.username,
      email: users.email,
      teamRole: teamMembers.role,
      since: teamMembers.since,
    })
    .from(teamMembers)
    .innerJoin(users, eq(users.id, teamMembers.userId))
    .where(isActive)
    .orderBy(asc(users.id))
  return rows.map(({ id, email, since, ...row }) => ({
    ...row,
    id: String(id),
    email: email ? maskEmail(email) : '',
    since: toIso(since),
  }))
}

/**
 * Gives a supporter with a confirmed address a role in the team, ends their sessions and emails them. Unlinks their
 * Google account if they can log in with a password or a passkey.
 * @throws AppError `not_found`; `conflict` for a team member.
 */
export async function addTeamMember(
  { db, origin }: Pick<Deps, 'db' | 'origin'>,
  { account, teamRole }: { account: string; teamRole: TeamRole },
  { actorId, at }: Actor,
): Promise<void> {
  const matchesAccount = account.includes('@')
    ? eq(users.emailKey, normalizeKey(account))
    : eq(users.usernameKey, usernameKey(account))
  const [user] = await db
    .select({ id: users.id, username: users.username, email: users.email, role: users.role })
    .from(users)
    .where(and(matchesAccount, isNotNull(users.emailVerifiedAt), isActive))
  if (!user?.email)
    throw new AppError(
      'not_found',
      'No account with a confirmed email matches. Ask them to sign up and confirm their email first.',
    )
  const { id, username, email } = user
  const isEligible = and(eq(users.id, id), eq(users.role, 'supporter'), isNotNull(users.emailVerifiedAt), isActive)
  const [, added] = await db.$client.batch([
    unlinkGoogle(db, id, sql`${isEligible} AND ${hasPasswordOrPasskey}`),
    prepare(
      db,
      sql`INSERT INTO team_members (user_id, role, since) SELECT id, ${teamRole}, ${at} FROM users WHERE ${isEligible}
        ON CONFLICT DO NOTHING RETURNING user_id`,
    ),
    recordAuditIfChanged(db, {
      actorId,
      action: 'administrator.appointed',
      subject: `user:${id}`,
      detail: { role: teamRole },
      at,
    }),
    prepare(
      db,
      db
        .update(users)
        .set({ role: 'administrator', sessionEpoch: sql`${users.sessionEpoch} + 1` })
        .where(and(isEligible, sql`EXISTS (SELECT 1 FROM team_members WHERE user_id = ${id})`)),
    ),
    enqueueEmail(db, {
      ifChanged: true,
      to: email,
      email: teamMemberAddedEmail({ siteName: await readSiteName(db), origin, username }),
      dedupeKey: `appointed:${id}:${at}`,
      at,
    }),
  ])
  if (added?.results.length !== 1) throw new AppError('conflict', `${username} is already on the team.`)
}

/**
 * Changes a team member's role and ends their sessions.
 * @throws AppError `not_found`; `conflict` for the last owner.
 */
export async function changeTeamRole(
  db: Db,
  { id, teamRole }: { id: number; teamRole: TeamRole },
  { actorId, at }: Actor,
): Promise<void> {
  const leavesAnOwner = teamRole === 'owner' ? undefined : isNotLastOwner(id)
  const hasOtherRole = sql`EXISTS (SELECT 1 FROM team_members WHERE user_id = ${id} AND role <> ${teamRole})`
  await db.$client.batch([
    updateAndEndSessions(db, id, {}, and(hasOtherRole, leavesAnOwner)),
    recordAuditIfChanged(db, {
      actorId,
      action: 'administrator.role_changed',
      subject: `user:${id}`,
      detail: { role: teamRole },
      at,
    }),
    prepare(
      db,
      db
        .update(teamMembers)
        .set({ role: teamRole })
        .where(and(eq(teamMembers.userId, id), ne(teamMembers.role, teamRole), leavesAnOwner)),
    ),
  ])
  const [teamMember] = await db.select({ role: teamMembers.role }).from(teamMembers).where(eq(teamMembers.userId, id))
  if (!teamMember) throw unknownUserError()
  if (teamMember.role !== teamRole) throw lastOwnerError('That is')
}

/**
 * Makes a team member a supporter and ends their sessions. At least one owner remains, even if two owners remove each
 * other concurrently.
 * @throws AppError `not_found`; `conflict` for the last owner.
 */
export async function removeTeamMember(db: Db, id: number, { actorId, at }: Actor): Promise<void> {
  const isTeamMember = and(eq(users.id, id), eq(users.role, 'administrator'), isActive)
  if ((await db.$count(users, isTeamMember)) === 0) throw unknownUserError()
  // A trigger removes the row of team_members.
  const [removed] = await db.$client.batch([
    updateAndEndSessions(db, id, { role: 'supporter' }, isNotLastOwner(id)),
    recordAuditIfChanged(db, { actorId, action: 'administrator.revoked', subject: `user:${id}`, at }),
  ])
  if (removed?.results.length !== 1) throw lastOwnerError('That is')
}

/** Statement that updates an administrator and ends their sessions if `condition` holds; returns their id if so. */
const updateAndEndSessions = (db: Db, id: number, values: { role?: 'supporter' }, condition: SQL | undefined) =>
  prepare(
    db,
    db
      .update(users)
      .set({ ...values, sessionEpoch: sql`${users.sessionEpoch} + 1` })
      .where(and(eq(users.id, id), eq(users.role, 'administrator'), isActive, condition))
      .returning({ id: users.id }),
  )
