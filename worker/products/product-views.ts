import { lt, sql } from 'drizzle-orm'
import * as z from 'zod/mini'
import { artistTimeZone } from '../db/artist-calendar'
import type { BatchResult } from '../db/cleanup-batches'
import { type Db, openDb } from '../db/client'
import { DAY_MS, type Millis, utcToZonedTime } from '../lib/clock'
import { logError } from '../lib/log'
import { createBatchHandler } from '../queue-handler'
import { productViewMessages } from './products.table'

/** Queue message: a view of a product's page, without visitor data. */
const ViewMessage = z.object({ kind: z.literal('view'), productId: z.string(), at: z.int() })
type ViewJob = z.infer<typeof ViewMessage>

/** Sends a view to the queue. A failure is only logged: the view is then not counted. */
export const enqueueView = (queue: Queue, { productId, at }: Omit<ViewJob, 'kind'>): Promise<unknown> =>
  queue
    .send({ kind: 'view', productId, at } satisfies ViewJob)
    .catch((error: Error) => logError('views', error, { product: productId }))

export const viewHandler = createBatchHandler({
  schema: ViewMessage,
  retrySeconds: 30,
  async run(jobs, { DB }) {
    await countViews(
      openDb(DB),
      jobs.map(({ messageId, productId, at }) => ({ id: messageId, productId, at })),
    )
    return new Map()
  },
})

/** Counts each message once, on its day in the artist's time zone. Views of unknown products are ignored. */
export async function countViews(
  db: Db,
  views: readonly { id: string; productId: string; at: Millis }[],
): Promise<void> {
  if (views.length === 0) return
  const zone = await artistTimeZone(db)
  const rows = views.map(({ id, productId, at }) => [id, productId, utcToZonedTime(at, zone).date, at])
  await db.run(sql`INSERT INTO product_view_messages (id, product_id, day, counted_at)
    SELECT value ->> 0, value ->> 1, value ->> 2, value ->> 3 FROM json_each(${JSON.stringify(rows)})
    WHERE EXISTS (SELECT 1 FROM products WHERE products.id = value ->> 1 AND removed_at IS NULL)
    ON CONFLICT DO NOTHING`)
}

/** Longer than the queue can redeliver a message. */
const MESSAGE_TTL_MS = 7 * DAY_MS
const BATCH_SIZE = 2_000

/** Deletes a batch of message ids that cannot be delivered again; the counts stay. */
export async function deleteOldViewMessages({ db }: { db: Db }, at: Millis): Promise<BatchResult> {
  const oldIds = db
    .select({ id: productViewMessages.id })
    .from(productViewMessages)
    .where(lt(productViewMessages.countedAt, at - MESSAGE_TTL_MS))
    .limit(BATCH_SIZE)
  const { meta } = await db.delete(productViewMessages).where(sql`id IN ${oldIds}`)
  return { affected: meta.changes, more: meta.changes >= BATCH_SIZE }
}
