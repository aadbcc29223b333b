import { resolve4, resolve6 } from 'node:dns/promises'
import * as z from 'zod/mini'
import { type Env, readConfig } from '../config'
import type { Millis } from '../lib/clock'
import { limits } from '../limits'
import { fetchPreview, overduePreviews } from './previews'
import type { Net } from './read-page'
import { addressesBy } from './resolve'

export type PreviewJob = { kind: 'preview'; url: string }
const Job = z.object({ kind: z.literal('preview'), url: z.string() })

/** Seconds until a page is tried again. */
const PAUSE = 30

/** The internet: a name's addresses of both families, and the platform's fetch. */
const internet = (ownHost: string | null): Net => ({
  ownHost,
  millis: limits.previewMillis,
  fetch: (address, init) => fetch(address, init),
  resolve: addressesBy([(name) => resolve4(name), (name) => resolve6(name)]),
})

/** A batch of links to look at, after the answer and apart from it: nobody's post waits for a page. */
export async function consumePreviews(
  batch: MessageBatch<unknown>,
  env: Env,
  { now = Date.now, net }: { now?: () => Millis; net?: Net } = {},
): Promise<void> {
  const { origin } = readConfig(env)
  const far = net ?? internet(origin && new URL(origin).hostname)
  await Promise.all(
    batch.messages.map(async (message) => {
      const job = Job.safeParse(message.body).data
      // What is no job of ours never will be one.
      const done = !job || (await fetchPreview(env.DB, far, { url: job.url, at: now() }).catch(() => false))
      if (done) message.ack()
      else message.retry({ delaySeconds: PAUSE })
    }),
  )
}

/** Tells the queue again of links whose message was lost. */
export async function requeuePreviews(db: D1Database, queue: Queue<PreviewJob>, at: Millis): Promise<void> {
  for (const url of await overduePreviews(db, at)) await queue.send({ kind: 'preview', url })
}
