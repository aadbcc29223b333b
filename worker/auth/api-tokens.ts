import { and, desc, eq, isNotNull, or, sql } from 'drizzle-orm'
import { recordAuditIfChanged } from '../audit/audit'
import { type ApiToken, type ApiTokenDraft, TOKEN_PREFIX, type TokenScope } from '../contract/developers'
import { type Db, prepare } from '../db/client'
import type { Actor, Deps } from '../deps'
import { enqueueEmail } from '../email/outbox'
import { AppError } from '../lib/app-error'
import { DAY_MS, MINUTE_MS, type Millis, toIso } from '../lib/clock'
import { newId, randomSecret, sha256, sign } from '../lib/crypto'
import { readSiteName } from '../site/site'
import { teamMembers } from '../users/team.table'
import { users } from '../users/users.table'
import { apiTokens } from './api-tokens.table'
import { type Caller, userColumns } from './current-user'
import { apiTokenCreatedEmail } from './emails'

const MAX_TOKENS_PER_ADMIN = 50
const CHECKSUM_LENGTH = 6
const TOKEN_PATTERN = new RegExp(`^${TOKEN_PREFIX}([\\w-]{43})([\\w-]{${CHECKSUM_LENGTH}})$`)
/** Minimum time between two writes of a token's last use. */
const LAST_USE_INTERVAL_MS: Millis = 10 * MINUTE_MS

/** A request's access token, verified against D1. */
export type TokenCaller = { caller: Caller; tokenId: string; tokenName: string; scopes: readonly TokenScope[] }

const invalidTokenError = () =>
  new AppError('bad_api_token', 'This access token is not valid. It may have expired or been revoked.')

/** `ahpat_`, 256 random bits, and a checksum that detects typos without a query. */
async function newToken(): Promise<string> {
  const secret = randomSecret()
  return `${TOKEN_PREFIX}${secret}${await checksum(secret)}`
}
const checksum = async (secret: string) => (await sha256(secret)).slice(0, CHECKSUM_LENGTH)

/** Keyed hash of a well-formed token. @throws AppError `bad_api_token`. */
export async function hashToken(secret: string, token: string): Promise<string> {
  const [, random = '', sum] = TOKEN_PATTERN.exec(token) ?? []
  if (sum === undefined || sum !== (await checksum(random))) throw invalidTokenError()
  return sign(secret, 'api-token', token)
}

/**
 * The team member for whom a token acts, with the current role. `isUseRecorded` is false if the last use must be saved.
 * @throws AppError `bad_api_token` if the token was revoked or has expired, or if its owner has since been banned, left
 * the team or ended all sessions.
 */
export async function checkToken(db: Db, hash: string, now: Millis): Promise<TokenCaller & { isUseRecorded: boolean }> {
  const { id: tokenId, name, scopes, sessionEpoch, expiresAt, lastUsedAt } = apiTokens
  const [row] = await db
    .select({ user: userColumns, erasedAt: users.erasedAt, tokenId, name, scopes, sessionEpoch, expiresAt, lastUsedAt })
    .from(apiTokens)
    .innerJoin(users, eq(users.id, apiTokens.userId))
    .where(eq(apiTokens.hash, hash))
  if (!row || row.expiresAt <= now || row.erasedAt !== null) throw invalidTokenError()
  const { id: userId, epoch, banned, ...user } = row.user
  if (epoch !== row.sessionEpoch) throw invalidTokenError()
  if (banned || user.role !== 'administrator' || user.teamRole === null) throw invalidTokenError()
  const session = {
    sid: row.tokenId,
    userId,
    epoch,
    createdAt: now,
    // A token is never a recent authentication.
    provenAt: 0,
    renewedAt: now,
    kind: 'administrator' as const,
    key: '',
  }
  return {
    caller: { ...user, userId, session },
    tokenId: row.tokenId,
    tokenName: row.name,
    scopes: row.scopes,
    isUseRecorded: row.lastUsedAt !== null && row.lastUsedAt > now - LAST_USE_INTERVAL_MS,
  }
}

export const recordTokenUse = (db: Db, tokenId: string, now: Millis) =>
  db.update(apiTokens).set({ lastUsedAt: now }).where(eq(apiTokens.id, tokenId))

const tokenColumns = {
  id: apiTokens.id,
  name: apiTokens.name,
  hint: apiTokens.hint,
  scopes: apiTokens.scopes,
  owner: users.username,
  createdAt: apiTokens.createdAt,
  expiresAt: apiTokens.expiresAt,
  lastUsedAt: apiTokens.lastUsedAt,
  /** The owner was banned, left the team or ended all sessions since. */
  isInactive:
    sql`${teamMembers.userId} IS NULL OR ${users.bannedAt} IS NOT NULL OR ${users.sessionEpoch} <> ${apiTokens.sessionEpoch}`.mapWith(
      Boolean,
    ),
}
type TokenRow = Awaited<ReturnType<typeof tokensQuery>>[number]
const tokensQuery = (db: Db) =>
  db
    .select(tokenColumns)
    .from(apiTokens)
    .innerJoin(users, eq(users.id, apiTokens.userId))
    .leftJoin(teamMembers, eq(teamMembers.userId, apiTokens.userId))

const toApiToken = ({ createdAt, expiresAt, lastUsedAt, isInactive, ...token }: TokenRow, now: Millis): ApiToken => ({
  ...token,
  createdAt: toIso(createdAt),
  expiresAt: toIso(expiresAt),
  lastUsedAt: toIso(lastUsedAt),
  state: tokenState({ isInactive, expiresAt }, now),
})

function tokenState({ isInactive, expiresAt }: Pick<TokenRow, 'isInactive' | 'expiresAt'>, now: Millis) {
  if (isInactive) return 'inactive'
  return expiresAt <= now ? 'expired' : 'active'
}

export async function listTokens(db: Db, now: Millis): Promise<ApiToken[]> {
  const rows = await tokensQuery(db).orderBy(desc(apiTokens.createdAt), desc(apiTokens.id))
  return rows.map((row) => toApiToken(row, now))
}

/**
 * Creates a token that acts for the actor. Emails the site's owners and the actor.
 * @throws AppError `conflict` at the maximum per admin.
 */
export async function createToken(
  { db, secret, origin }: Pick<Deps, 'db' | 'secret' | 'origin'>,
  { name, scopes, expiresInDays }: ApiTokenDraft,
  { actorId, at }: Actor,
): Promise<ApiToken & { token: string }> {
  const id = newId('tok')
  const token = await newToken()
  const uniqueScopes = [...new Set(scopes)]
  const expiresAt = at + expiresInDays * DAY_MS
  const [member] = await db.select({ owner: users.username }).from(users).where(eq(users.id, actorId))
  const hash = await hashToken(secret, token)
  const owner = member?.owner ?? ''
  const notice = apiTokenCreatedEmail({ siteName: await readSiteName(db), origin, creator: owner, tokenName: name })
  const recipients = await db
    .select({ id: users.id, email: users.email })
    .from(users)
    .leftJoin(teamMembers, eq(teamMembers.userId, users.id))
    .where(
      and(
        or(eq(teamMembers.role, 'owner'), eq(users.id, actorId)),
        isNotNull(users.email),
        isNotNull(users.emailVerifiedAt),
      ),
    )
  const [created] = await db.$client.batch([
    prepare(
      db,
      sql`INSERT INTO api_tokens (id, user_id, name, hash, hint, scopes, session_epoch, created_at, expires_at)
        SELECT ${id}, id, ${name}, ${hash}, ${token.slice(-4)}, ${JSON.stringify(uniqueScopes)}, session_epoch, ${at},
          ${expiresAt}
        FROM users WHERE id = ${actorId} AND (SELECT count(*) FROM api_tokens WHERE user_id = ${actorId}) < ${MAX_TOKENS_PER_ADMIN}`,
    ),
    recordAuditIfChanged(db, {
      actorId,
      action: 'api_token.created',
      subject: `api_token:${id}`,
      detail: { name },
      at,
    }),
    ...recipients.map(({ id: userId, email }) =>
      enqueueEmail(db, {
        to: email ?? '',
        email: notice,
        dedupeKey: `${notice.kind}:${userId}:${id}`,
        at,
        when: sql`EXISTS (SELECT 1 FROM api_tokens WHERE id = ${id})`,
      }),
    ),
  ])
  if (created?.meta.changes === 0)
    throw new AppError('conflict', 'You have too many access tokens. Please revoke one that you no longer use.')
  return {
    id,
    name,
    hint: token.slice(-4),
    scopes: uniqueScopes,
    owner,
    createdAt: toIso(at),
    expiresAt: toIso(expiresAt),
    lastUsedAt: null,
    state: 'active',
    token,
  }
}

/** @throws AppError `not_found`. */
export async function revokeToken(db: Db, id: string, { actorId, at }: Actor): Promise<void> {
  const [row] = await db.select({ name: apiTokens.name }).from(apiTokens).where(eq(apiTokens.id, id))
  const [deleted] = await db.$client.batch([
    prepare(db, sql`DELETE FROM api_tokens WHERE id = ${id}`),
    recordAuditIfChanged(db, {
      actorId,
      action: 'api_token.revoked',
      subject: `api_token:${id}`,
      detail: { name: row?.name ?? null },
      at,
    }),
  ])
  if (deleted?.meta.changes === 0) throw new AppError('not_found', 'That access token does not exist.')
}
