import * as z from 'zod/mini'
import type { Env } from '../env'
import type { Millis } from '../lib/clock'
import { limits } from '../limits'
import { type ExportJob, failExport, listOverdueExports, runExport } from './exports'

const Job = z.object({ kind: z.literal('export'), id: z.string() })

const log = (entry: Record<string, unknown>) => console.error(JSON.stringify(entry))

/** A batch of the export queue: each file written, or its message to come again. */
export async function consumeExports(
  batch: MessageBatch<unknown>,
  { DB, FILES }: Pick<Env, 'DB' | 'FILES'>,
  now: () => Millis = Date.now,
): Promise<void> {
  for (const message of batch.messages) {
    const job = Job.safeParse(message.body).data
    const isDone = job
      ? await runExport({ db: DB, files: FILES }, job.id, now).catch((error: unknown) => {
          log({ at: 'export', id: job.id, error: error instanceof Error ? error.name : 'unknown' })
          return false
        })
      : false
    if (isDone) message.ack()
    else message.retry({ delaySeconds: limits.exportLeaseSeconds })
  }
}

/** What the queue gave up on. */
export async function failDeadLetteredExports(batch: MessageBatch<unknown>, { DB }: Pick<Env, 'DB'>): Promise<void> {
  for (const { id, body, timestamp } of batch.messages) {
    const job = Job.safeParse(body).data
    if (job) await failExport(DB, job.id)
    log({ at: 'dead-letter', id, kind: job?.kind ?? null, sent: timestamp })
  }
  batch.ackAll()
}

/** Tells the queue again of exports whose message was lost; one too many finds nothing to do. */
export async function requeueExports(db: D1Database, queue: Queue<ExportJob>, at: Millis): Promise<void> {
  for (const id of await listOverdueExports(db, at)) await queue.send({ kind: 'export', id })
}
