import { resolve4, resolve6 } from 'node:dns/promises'
import * as z from 'zod/mini'
import { type Env, readConfig } from '../../env'
import type { Millis } from '../../lib/clock'
import { limits } from '../../limits'
import type { Network } from './fetch-page'
import { fetchPreview, overduePreviews } from './previews'
import { combineLookups } from './resolve-host'

export type PreviewJob = { kind: 'preview'; url: string }
const PreviewMessage = z.object({ kind: z.literal('preview'), url: z.string() })

/** Seconds until a page is tried again. */
const RETRY_DELAY_SECONDS = 30

/** The internet: a name's addresses of both families, and the platform's fetch. */
const createNetwork = (ownHost: string | null): Network => ({
  ownHost,
  timeoutMs: limits.previewTimeoutMs,
  fetch: (address, init) => fetch(address, init),
  resolve: combineLookups([(name) => resolve4(name), (name) => resolve6(name)]),
})

/** A batch of links to look at, after the answer and apart from it: nobody's post waits for a page. */
export async function consumePreviews(
  batch: MessageBatch<unknown>,
  env: Env,
  { now = Date.now, net }: { now?: () => Millis; net?: Network } = {},
): Promise<void> {
  const { origin } = readConfig(env)
  const network = net ?? createNetwork(origin && new URL(origin).hostname)
  await Promise.all(
    batch.messages.map(async (message) => {
      const job = PreviewMessage.safeParse(message.body).data
      // What is no job of ours never will be one.
      const done = !job || (await fetchPreview(env.DB, network, { url: job.url, at: now() }).catch(() => false))
      if (done) message.ack()
      else message.retry({ delaySeconds: RETRY_DELAY_SECONDS })
    }),
  )
}

/** Tells the queue again of links whose message was lost. */
export async function requeuePreviews(db: D1Database, queue: Queue<PreviewJob>, at: Millis): Promise<void> {
  for (const url of await overduePreviews(db, at)) await queue.send({ kind: 'preview', url })
}
