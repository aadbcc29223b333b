import { sql } from 'drizzle-orm'
import { version } from '../../package.json'
import type { SystemStatus } from '../contract/system'
import { type Db, prepare } from '../db/client'
import type { Deps } from '../deps'
import { enqueueEmail } from '../email/outbox'
import type { Config } from '../env'
import { DAY_MS, type Millis, toIso, utcDay } from '../lib/clock'
import { limits } from '../limits'
import { systemNoticeEmail } from './emails'

/** The status of the deployment, for the System screen. */
export async function readSystemStatus(
  db: Db,
  { origin, config, at }: { origin: string; config: Pick<Config, 'payments' | 'mail'>; at: Millis },
): Promise<SystemStatus> {
  const [counts, problems] = await Promise.all([readCounts(db, at), findProblems(db, at)])
  const { sizeBytes, row } = counts
  const { payments, mail } = config
  return {
    version,
    migration: row.migration ?? '',
    origin,
    database: { sizeBytes, maxBytes: limits.maxDatabaseBytes },
    filesBytes: row.filesBytes,
    lastArchive: row.archivedAt === null ? null : { at: toIso(row.archivedAt), sizeBytes: row.archiveBytes ?? 0 },
    payments: paymentsMode(payments),
    mailFrom: mail.from,
    queues: [
      { name: 'Emails', waiting: row.emails },
      { name: 'Broadcasts', waiting: row.broadcasts },
      { name: 'Exports', waiting: row.exports },
      { name: 'Archives', waiting: row.archives },
      { name: 'Imports', waiting: row.imports },
      { name: 'Link previews', waiting: row.previews },
      { name: 'Webhooks', waiting: row.webhooks },
    ],
    emails: { failedLastDay: row.failed, unknown: row.unknown },
    problems: problems.map(({ message }) => message),
  }
}

function paymentsMode(payments: Config['payments']): SystemStatus['payments'] {
  if (payments.provider !== 'stripe') return payments.provider
  return payments.isLive ? 'live' : 'test'
}

type Counts = Record<
  | 'emails'
  | 'broadcasts'
  | 'exports'
  | 'archives'
  | 'imports'
  | 'previews'
  | 'webhooks'
  | 'failed'
  | 'unknown'
  | 'filesBytes',
  number
> & { migration: string | null; archivedAt: Millis | null; archiveBytes: number | null }

async function readCounts(db: Db, at: Millis): Promise<{ sizeBytes: number; row: Counts }> {
  const { results, meta } = await prepare(
    db,
    sql`SELECT
      (SELECT count(*) FROM outbox WHERE state = 'waiting') AS emails,
      (SELECT count(*) FROM broadcasts WHERE state = 'sending') AS broadcasts,
      (SELECT count(*) FROM exports WHERE state IN ('waiting', 'running')) AS exports,
      (SELECT count(*) FROM archives WHERE state = 'running') AS archives,
      (SELECT count(*) FROM imports WHERE state IN ('checking', 'importing', 'undoing')) AS imports,
      (SELECT count(*) FROM link_previews WHERE fetched_at IS NULL) AS previews,
      (SELECT count(*) FROM webhook_deliveries WHERE state = 'waiting') AS webhooks,
      (SELECT count(*) FROM outbox WHERE state = 'failed' AND created_at > ${at - DAY_MS}) AS failed,
      (SELECT count(*) FROM outbox WHERE state = 'unknown') AS unknown,
      (SELECT coalesce(sum(size_bytes), 0) FROM uploads WHERE stored_at IS NOT NULL)
        + (SELECT coalesce(sum(size_bytes), 0) FROM track_masters WHERE stored_at IS NOT NULL AND dropped_at IS NULL)
        + (SELECT coalesce(sum(size_bytes), 0) FROM download_files WHERE state = 'ready')
        + (SELECT coalesce(sum(size_bytes), 0) FROM exports WHERE state = 'ready' AND removed_at IS NULL)
        + (SELECT coalesce(sum(size_bytes), 0) FROM archives WHERE state = 'ready')
        + (SELECT coalesce(sum(size_bytes), 0) FROM imports WHERE file_expires_at IS NOT NULL) AS filesBytes,
      (SELECT max(created_at) FROM archives WHERE state = 'ready') AS archivedAt,
      (SELECT size_bytes FROM archives WHERE state = 'ready' ORDER BY created_at DESC LIMIT 1) AS archiveBytes,
      (SELECT max(name) FROM d1_migrations) AS migration`,
  ).all<Counts>()
  return { sizeBytes: meta.size_after ?? 0, row: results[0] as Counts }
}

type Problem = { kind: 'jobs' | 'archive' | 'emails' | 'database'; message: string }

/** Daily jobs whose last two runs both failed. */
const FAILED_JOBS = sql`SELECT job
  FROM (SELECT job, state, row_number() OVER (PARTITION BY job ORDER BY started_at DESC) AS n FROM job_runs)
  WHERE n <= 2 GROUP BY job HAVING count(*) = 2 AND sum(state = 'failed') = 2`

/** Problems that an owner must act on. */
export async function findProblems(db: Db, at: Millis): Promise<Problem[]> {
  const { results, meta } = await prepare(
    db,
    sql`SELECT
      (SELECT json_group_array(job) FROM (${FAILED_JOBS})) AS failedJobs,
      (SELECT max(created_at) FROM archives WHERE state = 'ready') AS lastArchiveAt,
      (SELECT min(started_at) FROM job_runs) AS firstRunAt,
      (SELECT count(*) FROM outbox WHERE state = 'failed' AND created_at > ${at - DAY_MS}) AS failedEmails,
      (SELECT count(*) FROM outbox WHERE state = 'waiting' AND created_at < ${at - DAY_MS} AND attempts > 0) AS stuckEmails`,
  ).all<{
    failedJobs: string
    lastArchiveAt: Millis | null
    firstRunAt: Millis | null
    failedEmails: number
    stuckEmails: number
  }>()
  const [row] = results
  if (!row) return []
  const problems: Problem[] = []
  for (const job of JSON.parse(row.failedJobs) as string[])
    problems.push({ kind: 'jobs', message: `The daily job “${job}” failed twice in a row.` })
  const withoutArchiveSince = row.lastArchiveAt ?? row.firstRunAt ?? at
  if (at - withoutArchiveSince > limits.archiveOverdueDays * DAY_MS)
    problems.push({
      kind: 'archive',
      message: `There has been no archive for more than ${limits.archiveOverdueDays} days.`,
    })
  const unsentEmails = row.failedEmails + row.stuckEmails
  if (unsentEmails >= limits.unsentEmailAlertThreshold)
    problems.push({ kind: 'emails', message: `${unsentEmails} emails could not be sent in the last day.` })
  if ((meta.size_after ?? 0) > limits.maxDatabaseBytes * 0.8)
    problems.push({ kind: 'database', message: 'The database has reached 80% of its size limit.' })
  return problems
}

/** Five-minute job: emails the owners about problems, at most one email per kind and day. */
export async function notifyOwners({ db, origin }: Pick<Deps, 'db' | 'origin'>, at: Millis): Promise<void> {
  const problems = await findProblems(db, at)
  if (problems.length === 0) return
  const owners = await db.all<{ id: number; email: string; siteName: string }>(
    sql`SELECT u.id, u.email, coalesce((SELECT name FROM site), 'Your site') AS siteName
      FROM team_members t JOIN users u ON u.id = t.user_id
      WHERE t.role = 'owner' AND u.email IS NOT NULL AND u.email_verified_at IS NOT NULL`,
  )
  const day = utcDay(at)
  const statements = owners.flatMap(({ id, email, siteName }) =>
    [...Map.groupBy(problems, ({ kind }) => kind)].map(([kind, problemsOfKind]) =>
      enqueueEmail(db, {
        to: email,
        email: systemNoticeEmail({ siteName, origin, problems: problemsOfKind.map(({ message }) => message) }),
        dedupeKey: `system-notice:${kind}:${id}:${day}`,
        at,
      }),
    ),
  )
  if (statements.length > 0) await db.$client.batch(statements as [D1PreparedStatement, ...D1PreparedStatement[]])
}
