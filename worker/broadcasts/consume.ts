import * as z from 'zod/mini'
import { createDelivery } from '../email/consume'
import type { Env } from '../env'
import { type Millis, SECOND_MS } from '../lib/clock'
import { sendBroadcastBatch } from './send'

export type BroadcastJob = { kind: 'broadcast'; id: string }
const BroadcastMessage = z.object({ kind: z.literal('broadcast'), id: z.string() })

/** Goes on with broadcasts: one stretch a message, and a new message while there is more to do. */
export async function consumeBroadcasts(
  batch: MessageBatch<unknown>,
  env: Env,
  now: () => Millis = Date.now,
): Promise<void> {
  for (const message of batch.messages) {
    const job = BroadcastMessage.safeParse(message.body).data
    if (!job) {
      message.retry()
      continue
    }
    try {
      const next = await sendBroadcastBatch(await createDelivery(env, now), job.id)
      if (next) {
        const delaySeconds = Math.min(12 * 3600, Math.max(0, Math.ceil((next.resumeAt - now()) / SECOND_MS)))
        await env.BROADCASTS.send(job, { delaySeconds })
      }
      message.ack()
    } catch (error) {
      console.error(JSON.stringify({ at: 'broadcast', error: error instanceof Error ? error.name : null }))
      message.retry({ delaySeconds: 30 })
    }
  }
}

/**
 * Takes up what is due and nobody works on: a schedule whose time has come, a broadcast whose sender died or whose
 * message was lost.
 */
export async function resumeBroadcasts({ DB, BROADCASTS }: Pick<Env, 'DB' | 'BROADCASTS'>, now: Millis): Promise<void> {
  const { results } = await DB.prepare(
    `UPDATE broadcasts SET lease_until = 0 WHERE lease_until <= ?1
     AND (state = 'sending' OR (state = 'scheduled' AND scheduled_at <= ?1)) RETURNING id`,
  )
    .bind(now)
    .all<{ id: string }>()
  for (const { id } of results) await BROADCASTS.send({ kind: 'broadcast', id })
}
