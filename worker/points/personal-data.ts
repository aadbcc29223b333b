import { sql } from 'drizzle-orm'
import { eraseAuditReasons } from '../audit/audit'
import type { PersonalData } from '../gdpr/personal-data'
import { publicDescriptionSql } from './points'

/**
 * Points are retained; the reasons of reversals, which may name the user, are deleted. The key of a reversal is
 * `undo:<key of the reversed entry>`.
 */
export const personalData: PersonalData = {
  name: 'points',
  export: ({ userId, at }) => ({
    points: sql`SELECT entry.action, ${sql.raw(publicDescriptionSql(String(at)))} AS description, entry.points,
      entry.created_at FROM ledger entry WHERE entry.user_id = ${userId} ORDER BY entry.id`,
  }),
  erase: ({ userId }) => [
    eraseAuditReasons(sql`SELECT 'ledger:' || entry.id FROM ledger entry JOIN ledger reversal
      ON reversal.user_id = entry.user_id AND reversal.key = 'undo:' || entry.key WHERE entry.user_id = ${userId}`),
    sql`UPDATE ledger SET description = 'Taken back'
      WHERE user_id = ${userId} AND key IN (SELECT 'undo:' || entry.key FROM ledger entry WHERE entry.user_id = ${userId})
        AND (description LIKE 'Taken back: %' OR description LIKE 'A post was removed: %')`,
  ],
}
