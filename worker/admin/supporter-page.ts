import { type SQL, sql } from 'drizzle-orm'
import { recordAuditIfChanged, writeAudit } from '../audit/audit'
import type { SupporterDetails } from '../contract/supporter-page'
import { type Db, prepare } from '../db/client'
import type { Actor } from '../deps'
import { type Millis, toIso } from '../lib/clock'
import { type SupporterRow, supporterList, unknownUserError } from '../users/admin-list'
import { notesQuery, toNote } from './supporter-notes'

const IS_SUPPORTER = sql`role = 'supporter' AND erased_at IS NULL`
const ACTIVITY_LIMIT = sql`LIMIT 20`

type AccountRow = {
  emailConfirmedAt: Millis | null
  phoneLast2: string | null
  leaderboardOptOut: number
  referralCode: string | null
  referrals: number
  hasPassword: number
  hasGoogle: number
  passkeys: number
}

const queriesFor = (id: number): Record<string, SQL> => ({
  row: sql`SELECT ${supporterList.select} FROM users WHERE id = ${id} AND ${IS_SUPPORTER}`,
  account: sql`SELECT email_verified_at AS emailConfirmedAt, phone_last2 AS phoneLast2,
    leaderboard_opt_out AS leaderboardOptOut, referral_code AS referralCode, password_hash IS NOT NULL AS hasPassword,
    (SELECT count(*) FROM users r WHERE r.referred_by = users.id) AS referrals,
    EXISTS (SELECT 1 FROM identities WHERE user_id = users.id) AS hasGoogle,
    (SELECT count(*) FROM passkeys WHERE user_id = users.id) AS passkeys FROM users WHERE id = ${id}`,
  // Only for a confirmed address: anyone can sign up with someone else's.
  newsletter: sql`SELECT s.state, s.consent_version AS consentVersion, s.consent_at AS consentAt
    FROM users u JOIN subscribers s ON s.email_key = u.email_key WHERE u.id = ${id} AND u.email_verified_at IS NOT NULL`,
  orders: sql`SELECT id, status, amount_cents AS amountCents, created_at AS createdAt FROM orders
    WHERE user_id = ${id} ORDER BY created_at DESC LIMIT 200`,
  orderTotals: sql`SELECT count(*) AS orders, coalesce(sum(amount_cents), 0) AS paidCents,
    coalesce(sum(refunded_cents), 0) AS refundedCents FROM orders WHERE user_id = ${id} AND paid_at IS NOT NULL`,
  // Found through the ledger, because `poll_votes` has no index by user.
  votes: sql`SELECT p.title AS poll, o.title AS option, v.cast_at AS castAt,
      CASE WHEN v.excluded_at IS NOT NULL THEN 'excluded' WHEN v.counted_at IS NULL THEN 'pending' ELSE 'counted' END AS state
    FROM ledger l
    JOIN poll_votes v ON v.poll_id = substr(l.key, length('poll_vote:') + 1) AND v.user_id = l.user_id
    JOIN polls p ON p.id = v.poll_id JOIN poll_options o ON o.poll_id = v.poll_id AND o.id = v.option_id
    WHERE l.user_id = ${id} AND l.action = 'poll_vote' AND l.key GLOB 'poll_vote:*' ORDER BY l.created_at DESC ${ACTIVITY_LIMIT}`,
  checkIns: sql`SELECT c.venue, c.city, i.checked_in_at AS checkedInAt FROM check_ins i JOIN concerts c ON c.id = i.concert_id
    WHERE i.user_id = ${id} ORDER BY i.checked_in_at DESC ${ACTIVITY_LIMIT}`,
  emails: sql`SELECT o.id, o.subject, o.state, o.created_at AS createdAt FROM users u JOIN outbox o ON lower(o.recipient) = lower(u.email)
    WHERE u.id = ${id} AND u.email_verified_at IS NOT NULL ORDER BY o.created_at DESC ${ACTIVITY_LIMIT}`,
  notes: notesQuery(id),
})

/** The dashboard's page about a supporter, in one round trip. @throws AppError `not_found`. */
export async function readSupporterDetails(db: Db, id: number): Promise<SupporterDetails> {
  const queries = Object.entries(queriesFor(id))
  const results = await db.$client.batch<never>(queries.map(([, query]) => prepare(db, query)))
  const rowsOf = <Row>(name: string) => (results[queries.findIndex(([key]) => key === name)]?.results ?? []) as Row[]
  /** Rows whose column `timeColumn` becomes ISO 8601. */
  const rowsWithTime = <Row>(name: string, timeColumn: keyof Row & string) =>
    rowsOf<Record<string, unknown>>(name).map(
      (row) => ({ ...row, [timeColumn]: toIso(row[timeColumn] as Millis) }) as Row,
    )
  const [row] = rowsOf<SupporterRow>('row')
  const [account] = rowsOf<AccountRow>('account')
  if (!row || !account) throw unknownUserError()
  const { leaderboardOptOut, hasPassword, hasGoogle, passkeys, emailConfirmedAt, ...profile } = account
  const [newsletter = null] = rowsWithTime<NonNullable<SupporterDetails['newsletter']>>('newsletter', 'consentAt')
  return {
    ...supporterList.toItem(row),
    ...profile,
    emailConfirmedAt: toIso(emailConfirmedAt),
    showsOnLeaderboard: leaderboardOptOut === 0,
    logins: { password: hasPassword === 1, google: hasGoogle === 1, passkeys },
    newsletter,
    orders: rowsWithTime<SupporterDetails['orders'][number]>('orders', 'createdAt'),
    orderTotals: rowsOf<SupporterDetails['orderTotals']>('orderTotals')[0] ?? {
      orders: 0,
      paidCents: 0,
      refundedCents: 0,
    },
    votes: rowsWithTime<SupporterDetails['votes'][number]>('votes', 'castAt'),
    checkIns: rowsWithTime<SupporterDetails['checkIns'][number]>('checkIns', 'checkedInAt'),
    emails: rowsWithTime<SupporterDetails['emails'][number]>('emails', 'createdAt'),
    notes: rowsOf<Parameters<typeof toNote>[0]>('notes').map(toNote),
  }
}

/** Returns the unmasked address and audits the access. @throws AppError `not_found`. */
export async function revealSupporter(db: Db, id: number, actor: Actor): Promise<{ email: string | null }> {
  const [supporter] = await db.all<{ email: string | null }>(
    sql`SELECT email FROM users WHERE id = ${id} AND ${IS_SUPPORTER}`,
  )
  if (!supporter) throw unknownUserError()
  await writeAudit(db, { ...actor, action: 'supporter.revealed', subject: `user:${id}` })
  return supporter
}

/** Ends all sessions of a supporter, with an audit entry. @throws AppError `not_found`. */
export async function logOutSupporter(db: Db, id: number, actor: Actor): Promise<void> {
  const [loggedOut] = await db.$client.batch([
    prepare(
      db,
      sql`UPDATE users SET session_epoch = session_epoch + 1 WHERE id = ${id} AND ${IS_SUPPORTER} RETURNING id`,
    ),
    recordAuditIfChanged(db, { ...actor, action: 'supporter.logged_out', subject: `user:${id}` }),
  ])
  if (loggedOut?.results.length !== 1) throw unknownUserError()
}
