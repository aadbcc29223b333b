import type * as z from 'zod/mini'
import type { Env } from './env'
import { HOUR_MS, type Millis } from './lib/clock'
import { logError } from './lib/log'

/** The most messages that a queue accepts in one call. */
export const MAX_QUEUE_BATCH = 100
/** A queue's maximum delay. */
export const MAX_QUEUE_DELAY_MS: Millis = 12 * HOUR_MS

/** Handles the queue messages of one `kind`. */
export type QueueHandler = {
  consume: (batch: MessageBatch<unknown>, env: Env, now?: () => Millis) => Promise<void>
  /** Marks the job of a message that ran out of retries as failed. */
  fail?: (body: unknown, env: Env) => Promise<void>
}

type Job = { kind: string; id?: string }
type HandlerOptions<J extends Job> = {
  schema: z.ZodMiniType<J>
  /** Delay before a malformed message, or one whose job failed, is retried. */
  retrySeconds: number
  fail?: (job: J, env: Env) => Promise<unknown>
}
type SingleOptions<J extends Job> = HandlerOptions<J> & {
  /** Does one job. Returns false to retry the message, as after an error. */
  run: (job: J, env: Env, now: () => Millis) => Promise<boolean>
  /** Runs the jobs of a batch concurrently instead of one after another. */
  isConcurrent?: boolean
}
type BatchOptions<J extends Job> = HandlerOptions<J> & {
  /** Does the jobs of a batch together. Returns, by message id, the seconds after which a job must be retried. */
  run: (
    jobs: readonly (J & { messageId: string })[],
    env: Env,
    now: () => Millis,
  ) => Promise<ReadonlyMap<string, number>>
}

/** Creates a handler that calls `run` once per job. */
export function createJobHandler<J extends Job>(options: SingleOptions<J>): QueueHandler {
  const { schema, retrySeconds, run, isConcurrent = false } = options
  return {
    async consume({ messages }, env, now = Date.now) {
      const handle = async (message: Message) => {
        const job = schema.safeParse(message.body).data
        const isDone = job && (await run(job, env, now).catch((error: unknown) => logFailure(error, job)))
        if (isDone) message.ack()
        else message.retry({ delaySeconds: retrySeconds })
      }
      if (isConcurrent) await Promise.all(messages.map(handle))
      else for (const message of messages) await handle(message)
    },
    ...failHandler(options),
  }
}

/** Creates a handler that calls `run` once with all jobs of a batch. If it throws, all of them are retried. */
export function createBatchHandler<J extends Job>(options: BatchOptions<J>): QueueHandler {
  const { schema, retrySeconds, run } = options
  return {
    async consume({ messages }, env, now = Date.now) {
      const parsed = messages.map((message) => ({ message, job: schema.safeParse(message.body).data }))
      for (const { message, job } of parsed) if (!job) message.retry({ delaySeconds: retrySeconds })
      const jobs = parsed.flatMap(({ message, job }) => (job ? [{ ...job, messageId: message.id }] : []))
      const [first] = jobs
      if (!first) return
      const delays = await run(jobs, env, now).catch((error: unknown) => logFailure(error, first, jobs.length))
      for (const { message, job } of parsed) {
        const delaySeconds = delays ? delays.get(message.id) : retrySeconds
        if (!job) continue
        if (delaySeconds === undefined) message.ack()
        else message.retry({ delaySeconds })
      }
    },
    ...failHandler(options),
  }
}

function logFailure(error: unknown, { kind, id }: Job, jobCount = 1): false {
  logError(kind, error, jobCount === 1 ? { id } : { jobs: jobCount })
  return false
}

function failHandler<J extends Job>({ schema, fail }: HandlerOptions<J>): Pick<QueueHandler, 'fail'> {
  if (!fail) return {}
  return {
    async fail(body, env) {
      const job = schema.safeParse(body).data
      if (job) await fail(job, env)
    },
  }
}
