import { parsePublicUrl } from '../../worker/community/previews/public-address.ts'
import { DAY_MS } from '../../worker/lib/clock.ts'
import data from './data/posts.json' with { type: 'json' }
import { insertRows } from './insert.ts'
import { altText, findImage } from './media.ts'
import { createRandom } from './random.ts'
import { SUPPORTER_COUNT, supporterIds } from './supporters.ts'

type Post = (typeof data)[number] & { image?: string; link?: Record<'url' | 'title' | 'description' | 'site', string> }

/** Newest first. */
const posts: readonly Post[] = data
const uploadId = (image: string) => `up_demo_${image.replaceAll('-', '_')}`

/** Image names of the posts with the uploads that hold them. */
export const postImages = posts.flatMap(({ image }) => (image ? [{ image, uploadId: uploadId(image) }] : []))

/** Ledger entries between two posts, which spreads the posts over three weeks. */
const LEDGER_STEP = 34

/** Each post takes author, time and id from a paid ledger entry, so that removing it reverses its points. */
export async function seedPosts(db: D1Database, now: number): Promise<void> {
  const paid = await db
    .prepare(
      `SELECT user_id AS author, substr(key, 16) AS id, created_at AS at FROM ledger
       WHERE action = 'community_post' AND points > 0 ORDER BY created_at DESC, id LIMIT ?1`,
    )
    .bind(posts.length * LEDGER_STEP)
    .all<{ author: number; id: string; at: number }>()
  const written = posts.flatMap((post, index) => {
    const entry = paid.results[index * LEDGER_STEP]
    return entry ? [{ ...post, ...entry }] : []
  })
  await insertRows(
    db,
    'uploads',
    written.flatMap(({ image, author, at }) => {
      if (!image) return []
      const { width, height } = findImage(image)
      return {
        id: uploadId(image),
        kind: 'picture',
        owner_id: author,
        created_at: at,
        stored_at: at,
        is_published: 1,
        content_type: 'image/webp',
        size_bytes: 1,
        width,
        height,
      }
    }),
  )
  await insertRows(
    db,
    'posts',
    written.map(({ id, author, text, at, image, link }) => ({
      id,
      author_id: author,
      text,
      created_at: at,
      picture_id: image ? uploadId(image) : null,
      picture_alt: image ? altText(image) : '',
      link_url: link ? (parsePublicUrl(link.url, null)?.href ?? null) : null,
    })),
  )
  await insertRows(
    db,
    'link_previews',
    written.flatMap(({ link, at }) => {
      if (!link) return []
      const { url, title, description, site } = link
      return { url, title, description, site_name: site, asked_at: at, tries: 1, fetched_at: at }
    }),
  )
  const random = createRandom(1_000)
  const likes = written.flatMap(({ id, at, likes }) => {
    const from = random.integer(0, SUPPORTER_COUNT - likes - 1)
    const until = Math.min(now, at + 2 * DAY_MS)
    return supporterIds
      .slice(from, from + likes)
      .map((user) => ({ post_id: id, user_id: user, liked_at: Math.round(at + random.next() * (until - at)) }))
  })
  await insertRows(db, 'post_likes', likes)
}
