import { lt, sql } from 'drizzle-orm'
import * as z from 'zod/mini'
import { artistTimeZone } from '../db/artist-calendar'
import type { BatchResult } from '../db/batch-delete'
import { type Db, openDb } from '../db/client'
import type { Env } from '../env'
import { DAY_MS, type Millis, utcToZonedTime } from '../lib/clock'
import { logError } from '../lib/log'
import { productViewMessages } from './views.table'

/** Queue message: a view of a product's page, without visitor data. */
const ViewMessage = z.object({ kind: z.literal('view'), productId: z.string(), at: z.int() })
type ViewJob = z.infer<typeof ViewMessage>

/** Sends a view to the queue. Errors are ignored: the view is then not counted. */
export const enqueueView = (queue: Queue, { productId, at }: Omit<ViewJob, 'kind'>): Promise<unknown> =>
  queue
    .send({ kind: 'view', productId, at } satisfies ViewJob)
    .catch((error: Error) => logError('views', error, { product: productId }))

/** Counts the views of a batch. */
export async function consumeViews(batch: MessageBatch<unknown>, { DB }: Pick<Env, 'DB'>): Promise<void> {
  const parsed = batch.messages.map((message) => ({ message, job: ViewMessage.safeParse(message.body).data }))
  for (const { message, job } of parsed) if (!job) message.retry()
  const valid = parsed.flatMap(({ message, job }) => (job ? [{ message, job }] : []))
  try {
    await countViews(
      openDb(DB),
      valid.map(({ message, job }) => ({ id: message.id, productId: job.productId, at: job.at })),
    )
    for (const { message } of valid) message.ack()
  } catch (error) {
    logError('queue', error as Error, { views: valid.length })
    for (const { message } of valid) message.retry({ delaySeconds: 30 })
  }
}

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

/** Longer than the queue redelivers a message. */
const MESSAGE_TTL_MS = 7 * DAY_MS
const BATCH_SIZE = 2_000

/** Deletes a batch of message ids that cannot be delivered again; the counts stay. */
export async function deleteOldViewMessages({ db }: { db: Db }, at: Millis): Promise<BatchResult> {
  const old = db
    .select({ id: productViewMessages.id })
    .from(productViewMessages)
    .where(lt(productViewMessages.countedAt, at - MESSAGE_TTL_MS))
    .limit(BATCH_SIZE)
  const { meta } = await db.delete(productViewMessages).where(sql`id IN ${old}`)
  return { affected: meta.changes, more: meta.changes >= BATCH_SIZE }
}
