import { createExecutionContext, createMessageBatch, env, getQueueResult } from 'cloudflare:test'
import type { Env } from '../env'
import type { Millis } from '../lib/clock'
import type { QueueHandler } from '../queue-handler'
import { NOON } from './seed'

export type ConsumeOptions = { at?: Millis; clockStepMs?: number } & Partial<Env>

/**
 * Runs a queue consumer on one batch, with `bindings` replaced, and returns what was acknowledged or retried: `m0` is
 * the first message. Each read of the clock advances it by `clockStepMs`.
 */
export async function consumeMessages(
  handler: QueueHandler,
  bodies: readonly unknown[],
  { at = NOON, clockStepMs = 0, ...bindings }: ConsumeOptions = {},
) {
  const messages = bodies.map((body, index) => ({ id: `m${index}`, timestamp: new Date(at), attempts: 1, body }))
  const batch = createMessageBatch('artist-house-exports', messages as never)
  const context = createExecutionContext()
  let clockReads = 0
  await handler.consume(batch, { ...env, ...bindings }, () => at + clockStepMs * clockReads++)
  return getQueueResult(batch, context)
}
