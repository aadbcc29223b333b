import { DAY_MS, MINUTE_MS, type Millis } from '../../lib/clock'
import { limits } from '../../limits'
import { fetchPageMetadata, type Network } from './fetch-page'

/**
 * The statement that asks for the preview of `url`, if the post is there: once for all posts that name it, anew when
 * what is known is old.
 */
export const requestPreview = (d1: D1Database, { url, postId, at }: { url: string; postId: string; at: Millis }) =>
  d1
    .prepare(
      `INSERT INTO link_previews (url, asked_at) SELECT ?1, ?2 WHERE EXISTS (SELECT 1 FROM posts WHERE id = ?3)
       ON CONFLICT (url) DO UPDATE SET asked_at = ?2, tries = 0, fetched_at = NULL WHERE fetched_at <= ?4`,
    )
    .bind(url, at, postId, at - limits.previewTtlDays * DAY_MS)

/**
 * Fetches a preview that is asked for. False when it should be tried again; an address that nobody asks for, or that
 * was tried often enough, is done with.
 */
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
  // What was known of a page that cannot be had now stays; a page that says nothing any more has nothing.
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

/** Previews whose message was lost: asked for some minutes ago and not settled. */
export async function overduePreviews(d1: D1Database, at: Millis): Promise<string[]> {
  const { results } = await d1
    .prepare('SELECT url FROM link_previews WHERE fetched_at IS NULL AND asked_at <= ?1 ORDER BY asked_at LIMIT 50')
    .bind(at - limits.previewOverdueMinutes * MINUTE_MS)
    .all<{ url: string }>()
  return results.map(({ url }) => url)
}
