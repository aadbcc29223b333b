import { sql } from 'drizzle-orm'
import { eraseAuditReasons } from '../audit/audit'
import type { PersonalData } from '../gdpr/personal-data'

/** Posts and reports. The row of a post stays for its points. An exclusive post (with a title) stays unchanged. */
export const personalData: PersonalData = {
  name: 'community',
  export: ({ userId }) => ({
    posts: sql`SELECT text, '/media/uploads/' || picture_id AS picture, picture_alt, link_url, likes, created_at, removed_at,
      removed_for FROM posts WHERE author_id = ${userId} ORDER BY created_at`,
    postLikes: sql`SELECT post_id, liked_at FROM post_likes WHERE user_id = ${userId} ORDER BY liked_at`,
    reports: sql`SELECT post_id, reason, created_at FROM post_reports WHERE user_id = ${userId} ORDER BY created_at`,
  }),
  erase: ({ userId }) => [
    eraseAuditReasons(sql`SELECT 'post:' || id FROM posts WHERE author_id = ${userId}`),
    sql`UPDATE posts SET text = '', picture_id = NULL, picture_alt = '', link_url = NULL,
      removed_for = iif(removed_for IS NULL, NULL, '') WHERE author_id = ${userId} AND title = ''`,
    sql`UPDATE post_reports SET reason = '' WHERE user_id = ${userId}`,
    sql`UPDATE post_reports SET reason = '' WHERE post_id IN (SELECT id FROM posts WHERE author_id = ${userId})`,
  ],
}
