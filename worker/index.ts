import * as z from 'zod/mini'
import { newApp } from './app'
import { consumeBroadcasts, resumeBroadcasts } from './broadcasts/consume'
import { sealDue } from './challenge/seal'
import { tellEntrants } from './challenge/tell'
import { type Env, type Job, readConfig } from './config'
import { DAILY } from './daily'
import { openDb } from './db/client'
import { buryExports, consumeExports, requeueExports } from './exports/consume'
import { sweepExports } from './exports/exports'
import type { Millis } from './lib/clock'
import { buryMail, consumeMail } from './mail/consume'
import { markLost, queueMail, requeueMail } from './mail/sweep'
import { sweepOrders } from './orders/expiry'
import { openPayments } from './payments/open'
import { consumePreviews, requeuePreviews } from './previews/consume'
import { type House, resumeDaily, runDaily } from './privacy/job-runs'
import { forgetCustomers } from './subscriptions/forget'
import { countStreams } from './tracks/streams'
import { sweepDropped } from './uploads/sweep'

export { LivePoll } from './live/live-poll'
export { VoteRush } from './polls/vote-rush'

const app = newApp()

/** A message is ours only when it has this shape: one malformed message must not hold up the batch it came in. */
const StreamJob = z.object({
  kind: z.literal('stream'),
  listener: z.string(),
  trackId: z.int(),
  startedAt: z.int(),
  countedAt: z.int(),
})

const log = (line: Record<string, unknown>) => console.error(JSON.stringify(line))
const nameOf = (error: unknown) => (error instanceof Error ? error.name : 'unknown')
const failed = (job: string, error: unknown) => log({ at: 'scheduled', job, error: nameOf(error) })

/** Where mail of no request leads: a demo is served wherever it was started, and its reader is on the same machine. */
const originOf = (env: Env) => readConfig(env).origin ?? 'http://localhost:8787'

/** What the daily jobs work with. */
function houseOf(env: Env): House {
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
const OFTEN: Record<string, (env: Env, at: Millis) => Promise<void>> = {
  sealChallenges: ({ DB }, at) => sealDue(DB, at),
  tellEntrants: async (env, at) => {
    await tellEntrants(env.DB, originOf(env), at)
    await queueMail(env.DB, env.MAIL, at)
  },
  markLostMail: ({ DB }, at) => markLost(DB, at),
  resumeBroadcasts,
  requeueMail: ({ DB, MAIL }, at) => requeueMail(DB, MAIL, at),
  resumeDaily: (env, at) => resumeDaily(DAILY, houseOf(env), at, failed),
  // What an erasure ended is gone from R2 within minutes, not with the day.
  sweepExports: async ({ DB, FILES }, at) => void (await sweepExports({ db: DB, files: FILES }, at)),
  sweepDropped: async ({ DB, FILES }) => void (await sweepDropped({ db: DB, files: FILES })),
  requeuePreviews: ({ DB, PREVIEWS }, at) => requeuePreviews(DB, PREVIEWS, at),
  requeueExports: ({ DB, EXPORTS }, at) => requeueExports(DB, EXPORTS, at),
  sweepOrders: async (env, at) => {
    const [config, db] = [readConfig(env), openDb(env.DB)]
    const opened = openPayments({ config, db, now: () => at, origin: config.origin })
    if (!opened) return
    await sweepOrders({ db, payments: opened.payments, hear: opened.hear, at })
    if (opened.billing) await forgetCustomers(db, opened.billing, at)
  },
}
const OFTEN_CRON = '*/5 * * * *'

export default {
  fetch: app.fetch,

  async queue(batch, env) {
    if (batch.queue.endsWith('-broadcasts')) return consumeBroadcasts(batch, env)
    if (batch.queue.endsWith('-mail')) return consumeMail(batch, env)
    if (batch.queue.endsWith('-mail-dead')) return buryMail(batch, env)
    if (batch.queue.endsWith('-previews')) return consumePreviews(batch, env)
    if (batch.queue.endsWith('-exports')) return consumeExports(batch, env)
    if (batch.queue.endsWith('-exports-dead')) return buryExports(batch, env)
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
    const read = batch.messages.map((message) => ({ message, job: StreamJob.safeParse(message.body).data }))
    for (const { message, job } of read) if (!job) message.retry()
    const good = read.flatMap(({ message, job }) => (job ? [{ message, job }] : []))
    const error = await countStreams(
      openDb(env.DB),
      good.map(({ job }) => job),
    ).then(
      () => null,
      (error: unknown) => error,
    )
    if (error) log({ at: 'queue', jobs: good.length, error: nameOf(error) })
    for (const { message } of good) error ? message.retry({ delaySeconds: 30 }) : message.ack()
  },

  async scheduled({ scheduledTime, cron }, env) {
    if (cron === OFTEN_CRON) {
      for (const [job, run] of Object.entries(OFTEN)) await run(env, scheduledTime).catch((error) => failed(job, error))
      return
    }
    await runDaily(DAILY, houseOf(env), scheduledTime, failed)
    // The jobs wrote mail, and no request follows that would tell the queue.
    await queueMail(env.DB, env.MAIL, scheduledTime).catch((error) => failed('queueMail', error))
  },
} satisfies ExportedHandler<Env, Job>
