import * as z from 'zod/mini'
import { createApp } from './app'
import { consumeBroadcasts, resumeBroadcasts } from './broadcasts/consume'
import { finalizeDueChallenges } from './challenge/finalize'
import { notifyEntrants } from './challenge/notifications'
import { consumePreviews, requeuePreviews } from './community/previews/consume'
import { openDb } from './db/client'
import { consumeEmails, failDeadLetters } from './email/consume'
import { enqueuePendingEmails, markStaleClaimsUnknown, requeueOverdueEmails } from './email/drain-outbox'
import { type Env, type Job, readConfig } from './env'
import { consumeExports, failDeadLetteredExports, requeueExports } from './exports/consume'
import { cleanUpExports } from './exports/exports'
import { type JobDeps, resumeDailyJobs, runDailyJobs } from './jobs/job-runs'
import type { Millis } from './lib/clock'
import { runOrderMaintenance } from './orders/expiry'
import { createPayments } from './payments/payments'
import { DAILY_JOBS } from './schedule'
import { deleteErasedCustomers } from './subscriptions/subscriptions'
import { countStreams } from './tracks/streams'
import { deleteDroppedUploads } from './uploads/cleanup'

export { LivePoll } from './polls/live'
export { VoteBatcher } from './polls/vote-batcher'

const app = createApp()

/** A message is ours only when it has this shape: one malformed message must not hold up the batch it came in. */
const StreamJob = z.object({
  kind: z.literal('stream'),
  listener: z.string(),
  trackId: z.int(),
  startedAt: z.int(),
  countedAt: z.int(),
})

const log = (entry: Record<string, unknown>) => console.error(JSON.stringify(entry))
const errorName = (error: unknown) => (error instanceof Error ? error.name : 'unknown')
const logJobFailure = (job: string, error: unknown) => log({ at: 'scheduled', job, error: errorName(error) })

/** Where mail of no request leads: a demo is served wherever it was started, and its reader is on the same machine. */
const originOf = (env: Env) => readConfig(env).origin ?? 'http://localhost:8787'

/** What the daily jobs work with. */
function createJobDeps(env: Env): JobDeps {
  const { signingSecret: secret } = readConfig(env)
  return {
    db: openDb(env.DB),
    files: env.FILES,
    sessions: env.SESSIONS,
    secret,
    origin: originOf(env),
  }
}

/** What is looked after every few minutes. */
const FREQUENT_JOBS: Record<string, (env: Env, at: Millis) => Promise<void>> = {
  sealChallenges: ({ DB }, at) => finalizeDueChallenges(DB, at),
  tellEntrants: async (env, at) => {
    await notifyEntrants(env.DB, originOf(env), at)
    await enqueuePendingEmails(env.DB, env.MAIL, at)
  },
  markLostMail: ({ DB }, at) => markStaleClaimsUnknown(DB, at),
  resumeBroadcasts,
  requeueMail: ({ DB, MAIL }, at) => requeueOverdueEmails(DB, MAIL, at),
  resumeDaily: (env, at) => resumeDailyJobs(DAILY_JOBS, createJobDeps(env), at, logJobFailure),
  // What an erasure ended is gone from R2 within minutes, not with the day.
  sweepExports: async ({ DB, FILES }, at) => void (await cleanUpExports({ db: DB, files: FILES }, at)),
  sweepDropped: async ({ DB, FILES }) => void (await deleteDroppedUploads({ db: DB, files: FILES })),
  requeuePreviews: ({ DB, PREVIEWS }, at) => requeuePreviews(DB, PREVIEWS, at),
  requeueExports: ({ DB, EXPORTS }, at) => requeueExports(DB, EXPORTS, at),
  sweepOrders: async (env, at) => {
    const [config, db] = [readConfig(env), openDb(env.DB)]
    const paymentDeps = createPayments({ config, db, now: () => at, origin: config.origin })
    if (!paymentDeps) return
    await runOrderMaintenance({ db, payments: paymentDeps.payments, onPaymentEvent: paymentDeps.onPaymentEvent, at })
    if (paymentDeps.billing) await deleteErasedCustomers(db, paymentDeps.billing, at)
  },
}
const FREQUENT_CRON = '*/5 * * * *'

export default {
  fetch: app.fetch,

  async queue(batch, env) {
    if (batch.queue.endsWith('-broadcasts')) return consumeBroadcasts(batch, env)
    if (batch.queue.endsWith('-mail')) return consumeEmails(batch, env)
    if (batch.queue.endsWith('-mail-dead')) return failDeadLetters(batch, env)
    if (batch.queue.endsWith('-previews')) return consumePreviews(batch, env)
    if (batch.queue.endsWith('-exports')) return consumeExports(batch, env)
    if (batch.queue.endsWith('-exports-dead')) return failDeadLetteredExports(batch, env)
    if (batch.queue.endsWith('-dead')) {
      // The last trace of what could not be done: which message and of what kind, and nothing that says whose.
      for (const { id, body, timestamp } of batch.messages)
        log({
          at: 'dead-letter',
          id,
          kind: z.object({ kind: z.string() }).safeParse(body).data?.kind ?? null,
          sent: timestamp,
        })
      return batch.ackAll()
    }
    const parsed = batch.messages.map((message) => ({ message, job: StreamJob.safeParse(message.body).data }))
    for (const { message, job } of parsed) if (!job) message.retry()
    const valid = parsed.flatMap(({ message, job }) => (job ? [{ message, job }] : []))
    const error = await countStreams(
      openDb(env.DB),
      valid.map(({ job }) => job),
    ).then(
      () => null,
      (error: unknown) => error,
    )
    if (error) log({ at: 'queue', jobs: valid.length, error: errorName(error) })
    for (const { message } of valid) error ? message.retry({ delaySeconds: 30 }) : message.ack()
  },

  async scheduled({ scheduledTime, cron }, env) {
    if (cron === FREQUENT_CRON) {
      for (const [job, run] of Object.entries(FREQUENT_JOBS))
        await run(env, scheduledTime).catch((error) => logJobFailure(job, error))
      return
    }
    await runDailyJobs(DAILY_JOBS, createJobDeps(env), scheduledTime, logJobFailure)
    // The jobs wrote mail, and no request follows that would tell the queue.
    await enqueuePendingEmails(env.DB, env.MAIL, scheduledTime).catch((error) => logJobFailure('queueMail', error))
  },
} satisfies ExportedHandler<Env, Job>
