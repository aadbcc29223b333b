import { isNull, sql } from 'drizzle-orm'
import type { AdminSocialPost, AdminTier } from '../contract/admin-content'
import { containsText, findByIds, type RecordList } from '../db/list'
import { socialPosts, tiers } from './site.table'

/** All social posts, in their order. */
export const socialPostList: RecordList<AdminSocialPost> = {
  from: sql`${socialPosts}`,
  where: isNull(socialPosts.removedAt),
  id: sql`${socialPosts.id}`,
  sorts: { position: sql`${socialPosts.position}`, title: sql`lower(${socialPosts.title})` },
  defaultSort: 'position',
  filters: {},
  search: (q) => ({ where: containsText([sql`${socialPosts.title}`, sql`${socialPosts.url}`], q) }),
  load: async (db, ids) => {
    const rows = await findByIds(db, socialPosts, ids)
    return rows.map(({ removedAt: _removedAt, ...row }) => row)
  },
}

/** All tiers, from low to high. */
export const tierList: RecordList<AdminTier> = {
  from: sql`${tiers}`,
  id: sql`${tiers.id}`,
  sorts: { position: sql`${tiers.position}` },
  defaultSort: 'position',
  filters: {},
  load: async (db) => {
    const rows = await db.select().from(tiers)
    return rows.map(({ position: _position, ...row }) => row)
  },
}
