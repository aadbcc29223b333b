import type { Broadcast, BroadcastDetail } from '../contract/broadcasts'
import { AppError } from '../lib/app-error'
import { countRecipients } from './audience'
import type { broadcasts } from './broadcasts.table'

type Row = Pick<
  typeof broadcasts.$inferSelect,
  'id' | 'subject' | 'markdown' | 'audience' | 'state' | 'createdAt' | 'scheduledAt' | 'startedAt' | 'finishedAt'
> & { value: string | null; key: string | null; listed: number }

const COLUMNS = `id, subject, markdown, audience, audience_value AS value, audience_key AS key, state,
  created_at AS createdAt, scheduled_at AS scheduledAt, started_at AS startedAt, finished_at AS finishedAt,
  listed_at IS NOT NULL AS listed`

/** The newest fifty, each with what has become of its copies. */
export async function listBroadcasts(db: D1Database): Promise<Broadcast[]> {
  const { results } = await db
    .prepare(`SELECT ${COLUMNS} FROM broadcasts ORDER BY created_at DESC, id DESC LIMIT 50`)
    .all<Row>()
  return toBroadcasts(db, results).then((rows) => rows.map(({ markdown: _, ...row }) => row))
}

/** @throws AppError `not_found`. */
export async function readBroadcast(db: D1Database, id: string): Promise<BroadcastDetail> {
  const row = await db.prepare(`SELECT ${COLUMNS} FROM broadcasts WHERE id = ?1`).bind(id).first<Row>()
  const [broadcast] = row ? await toBroadcasts(db, [row]) : []
  if (!broadcast) throw new AppError('not_found', 'That broadcast does not exist.')
  return broadcast
}

type EmailState = 'waiting' | 'sent' | 'failed' | 'unknown'

async function toBroadcasts(db: D1Database, rows: readonly Row[]): Promise<BroadcastDetail[]> {
  const { results } = await db
    .prepare(
      `SELECT broadcast_id AS id, state, count(*) AS n FROM outbox
       WHERE broadcast_id IN (SELECT value FROM json_each(?1)) GROUP BY broadcast_id, state`,
    )
    .bind(JSON.stringify(rows.map(({ id }) => id)))
    .all<{ id: string; state: EmailState; n: number }>()
  return Promise.all(
    rows.map(async ({ value, key, audience, listed, ...row }) => {
      const counts = { waiting: 0, sent: 0, failed: 0, unknown: 0 }
      for (const { id, state, n } of results) if (id === row.id) counts[state] = n
      const copies = Object.values(counts).reduce((sum, count) => sum + count, 0)
      return {
        id: row.id,
        subject: row.subject,
        markdown: row.markdown,
        audience: { kind: audience, value },
        state: row.state,
        createdAt: toIso(row.createdAt)!,
        scheduledAt: toIso(row.scheduledAt),
        startedAt: toIso(row.startedAt),
        finishedAt: toIso(row.finishedAt),
        recipients: listed ? copies : Math.max(copies, await countRecipients(db, audience, key)),
        counts,
      }
    }),
  )
}

const toIso = (at: number | null) => (at === null ? null : new Date(at).toISOString())
