import { sql } from 'drizzle-orm'
import type { PersonalData } from '../gdpr/personal-data'
import { eraseAuditReasons } from './audit'

/** Entries stay without reasons. An erased administrator leaves the role, which is an entry as well. */
export const personalData: PersonalData = {
  name: 'audit',
  erase: ({ userId, at }) => [
    eraseAuditReasons(sql`SELECT ${`user:${userId}`}`),
    sql`INSERT INTO audit_log (at, actor_id, action, subject, detail)
      SELECT ${at}, ${userId}, 'administrator.left', ${`user:${userId}`}, '{}' FROM users
      WHERE id = ${userId} AND role = 'administrator'`,
  ],
}
