import { parsePublicUrl } from '../../worker/community/previews/public-address.ts'
import { DAY_MS } from '../../worker/lib/clock.ts'
import { insertRows } from '../tools/sql.ts'
import exclusivePosts from './data/exclusive-posts.json' with { type: 'json' }
import posts from './data/posts.json' with { type: 'json' }
import { demoAdminId } from './logins.ts'
import { altText, findImage } from './media.ts'
import { createRandom } from './random.ts'
import { SUPPORTER_COUNT, supporterIds } from './supporters.ts'

type DemoPost = (typeof posts)[number] & {
  image?: string
  link?: Record<'url' | 'title' | 'description' | 'site', string>
}

/** Ordered from newest to oldest. */
const demoPosts: readonly DemoPost[] = posts
const uploadId = (image: string) => `up_demo_${image.replaceAll('-', '_')}.c${findImage(image).color}`

/** Image name and upload id of each post that has an image. */
export const postImages = demoPosts.flatMap(({ image }) => (image ? [{ image, uploadId: uploadId(image) }] : []))

/** Every 34th `community_post` ledger entry becomes a demo post, so that the posts spread over three weeks. */
const ENTRIES_PER_POST = 34

/** Inserts posts with author, time and id of ledger entries, so that removing a post reverses its points. */
export async function seedPosts(db: D1Database, now: number): Promise<void> {
  const entries = await db
    .prepare(
      `SELECT user_id AS author, substr(key, length('community_post:') + 1) AS id, created_at AS at FROM ledger
       WHERE action = 'community_post' AND points > 0 ORDER BY created_at DESC, id LIMIT ?1`,
    )
    .bind(demoPosts.length * ENTRIES_PER_POST)
    .all<{ author: number; id: string; at: number }>()
  const seededPosts = demoPosts.flatMap((post, index) => {
    const entry = entries.results[index * ENTRIES_PER_POST]
    return entry ? [{ ...post, ...entry }] : []
  })
  await insertRows(
    db,
    'uploads',
    seededPosts.flatMap(({ image, author, at }) => {
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
    seededPosts.map(({ id, author, text, at, image, link }) => ({
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
    seededPosts.flatMap(({ link, at }) => {
      if (!link) return []
      const { url, title, description, site } = link
      return { url, title, description, site_name: site, asked_at: at, tries: 1, fetched_at: at }
    }),
  )
  const random = createRandom(1_000)
  const likeRows = seededPosts.flatMap(({ id, at, likes }) => {
    const firstLiker = random.integer(0, SUPPORTER_COUNT - likes - 1)
    const lastLikeAt = Math.min(now, at + 2 * DAY_MS)
    return supporterIds
      .slice(firstLiker, firstLiker + likes)
      .map((user) => ({ post_id: id, user_id: user, liked_at: Math.round(at + random.next() * (lastLikeAt - at)) }))
  })
  await insertRows(db, 'post_likes', likeRows)
}

/** Inserts the demo admin's posts for the paid tiers. */
export async function seedExclusivePosts(db: D1Database, now: number): Promise<void> {
  const rows = exclusivePosts.map(({ daysAgo, tier, title, text }, index) => ({
    id: `post_demo_member_${index + 1}`,
    author_id: demoAdminId,
    title,
    text,
    tier,
    created_at: now - daysAgo * DAY_MS,
  }))
  await insertRows(db, 'posts', rows)
}
