import { resolve4, resolve6 } from 'node:dns/promises'
import { and, eq, isNull, lte, sql } from 'drizzle-orm'
import * as z from 'zod/mini'
import { type Db, openDb, prepare } from '../../db/client'
import { readConfig } from '../../env'
import { DAY_MS, MINUTE_MS, type Millis } from '../../lib/clock'
import { limits } from '../../limits'
import { createJobHandler } from '../../queue-handler'
import { fetchPageMetadata, type WebClient } from './fetch-page'
import { linkPreviews } from './previews.table'
import { combineLookups } from './public-address'

/** Statement that requests the preview of a post's link, unless the URL has a current or a pending one. */
export const requestPreview = (db: Db, { url, postId, at }: { url: string; postId: string; at: Millis }) =>
  prepare(
    db,
    sql`INSERT INTO link_previews (url, asked_at) SELECT ${url}, ${at} WHERE EXISTS (SELECT 1 FROM posts WHERE id = ${postId})
      ON CONFLICT (url) DO UPDATE SET asked_at = ${at}, tries = 0, fetched_at = NULL
        WHERE fetched_at <= ${at - limits.previewTtlDays * DAY_MS}`,
  )

const NO_METADATA = { title: '', description: '', siteName: '' }

/** Fetches a requested preview. Returns false if the caller should retry. */
export async function fetchPreview(
  db: Db,
  client: WebClient,
  { url, at }: { url: string; at: Millis },
): Promise<boolean> {
  const [attempt] = await db
    .update(linkPreviews)
    .set({ attempts: sql`tries + 1` })
    .where(and(eq(linkPreviews.url, url), isNull(linkPreviews.fetchedAt)))
    .returning({ count: linkPreviews.attempts })
  if (!attempt) return true
  const fetched = await fetchPageMetadata(client, url).then(
    (metadata) => ({ metadata }),
    () => null,
  )
  if (!fetched && attempt.count < limits.maxPreviewAttempts) return false
  // If the page cannot be fetched, the old preview stays. A page without metadata empties it.
  const metadata = fetched && (fetched.metadata ?? NO_METADATA)
  await db
    .update(linkPreviews)
    .set({ fetchedAt: at, ...metadata })
    .where(eq(linkPreviews.url, url))
  return true
}

/** URLs of previews that were requested some minutes ago and not fetched: their message was probably lost. */
export async function listOverduePreviews(db: Db, at: Millis): Promise<string[]> {
  const rows = await db
    .select({ url: linkPreviews.url })
    .from(linkPreviews)
    .where(
      and(isNull(linkPreviews.fetchedAt), lte(linkPreviews.requestedAt, at - limits.previewOverdueMinutes * MINUTE_MS)),
    )
    .orderBy(linkPreviews.requestedAt)
    .limit(50)
  return rows.map(({ url }) => url)
}

const PreviewMessage = z.object({ kind: z.literal('preview'), url: z.string() })
type PreviewJob = z.infer<typeof PreviewMessage>

const RETRY_DELAY_SECONDS = 30

const createWebClient = (ownHost: string | null): WebClient => ({
  ownHost,
  timeoutMs: limits.previewTimeoutMs,
  fetch: (url, init) => fetch(url, init),
  resolve: combineLookups([(name) => resolve4(name), (name) => resolve6(name)]),
})

/** Queue handler that fetches requested previews; tests pass a client. */
export const previewHandler = (client?: WebClient) =>
  createJobHandler({
    schema: PreviewMessage,
    retrySeconds: RETRY_DELAY_SECONDS,
    isConcurrent: true,
    async run({ url }, env, now) {
      const { origin } = readConfig(env)
      const webClient = client ?? createWebClient(origin && new URL(origin).hostname)
      return fetchPreview(openDb(env.DB), webClient, { url, at: now() })
    },
  })

/** Five-minute job: sends messages for overdue previews again. */
export async function requeuePreviews(db: Db, queue: Queue<PreviewJob>, at: Millis): Promise<void> {
  for (const url of await listOverduePreviews(db, at)) await queue.send({ kind: 'preview', url })
}
