import { resolve4, resolve6 } from 'node:dns/promises'
import * as z from 'zod/mini'
import { type Env, readConfig } from '../../env'
import { DAY_MS, MINUTE_MS, type Millis } from '../../lib/clock'
import { limits } from '../../limits'
import { fetchPageMetadata, type Network } from './fetch-page'
import { combineLookups } from './public-address'

/** Statement that requests the preview of a post's link: once per URL, again when it is outdated. */
export const requestPreview = (d1: D1Database, { url, postId, at }: { url: string; postId: string; at: Millis }) =>
  d1
    .prepare(
      `INSERT INTO link_previews (url, asked_at) SELECT ?1, ?2 WHERE EXISTS (SELECT 1 FROM posts WHERE id = ?3)
       ON CONFLICT (url) DO UPDATE SET asked_at = ?2, tries = 0, fetched_at = NULL WHERE fetched_at <= ?4`,
    )
    .bind(url, at, postId, at - limits.previewTtlDays * DAY_MS)

/** Fetches a requested preview. False if it should be retried. */
export async function fetchPreview(
  d1: D1Database,
  net: Network,
  { url, at }: { url: string; at: Millis },
): Promise<boolean> {
  const attempt = await d1
    .prepare('UPDATE link_previews SET tries = tries + 1 WHERE url = ?1 AND fetched_at IS NULL RETURNING tries')
    .bind(url)
    .first<{ tries: number }>()
  if (!attempt) return true
  const read = await fetchPageMetadata(net, url).then(
    (words) => ({ words }),
    () => null,
  )
  if (!read && attempt.tries < limits.maxPreviewAttempts) return false
  // If the page cannot be fetched, the old preview stays; if it has no metadata, the preview is emptied.
  const metadata = read ? (read.words ?? { title: '', description: '', siteName: '' }) : null
  await d1
    .prepare(
      `UPDATE link_previews SET fetched_at = ?2, title = coalesce(?3, title), description = coalesce(?4, description),
         site_name = coalesce(?5, site_name) WHERE url = ?1`,
    )
    .bind(url, at, metadata?.title ?? null, metadata?.description ?? null, metadata?.siteName ?? null)
    .run()
  return true
}

/** URLs of previews requested some minutes ago and not fetched: their message was lost. */
export async function overduePreviews(d1: D1Database, at: Millis): Promise<string[]> {
  const { results } = await d1
    .prepare('SELECT url FROM link_previews WHERE fetched_at IS NULL AND asked_at <= ?1 ORDER BY asked_at LIMIT 50')
    .bind(at - limits.previewOverdueMinutes * MINUTE_MS)
    .all<{ url: string }>()
  return results.map(({ url }) => url)
}

export type PreviewJob = { kind: 'preview'; url: string }
const PreviewMessage = z.object({ kind: z.literal('preview'), url: z.string() })

const RETRY_DELAY_SECONDS = 30

const createNetwork = (ownHost: string | null): Network => ({
  ownHost,
  timeoutMs: limits.previewTimeoutMs,
  fetch: (address, init) => fetch(address, init),
  resolve: combineLookups([(name) => resolve4(name), (name) => resolve6(name)]),
})

/** Handles a batch of the preview queue. */
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
      // A malformed message would fail every retry.
      const done = !job || (await fetchPreview(env.DB, network, { url: job.url, at: now() }).catch(() => false))
      if (done) message.ack()
      else message.retry({ delaySeconds: RETRY_DELAY_SECONDS })
    }),
  )
}

/** Scheduled job: sends messages for overdue previews again. */
export async function requeuePreviews(db: D1Database, queue: Queue<PreviewJob>, at: Millis): Promise<void> {
  for (const url of await overduePreviews(db, at)) await queue.send({ kind: 'preview', url })
}
