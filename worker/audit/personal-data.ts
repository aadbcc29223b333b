import { sql } from 'drizzle-orm'
import type { PersonalData } from '../gdpr/personal-data'
import { eraseAuditReasons } from './audit'

/** Entries are retained, those about the user without their reasons. An administrator's erasure adds an entry. */
export const personalData: PersonalData = {
  name: 'audit',
  erase: ({ userId, at }) => [
    eraseAuditReasons(sql`SELECT ${`user:${userId}`}`),
    sql`INSERT INTO audit_log (at, actor_id, action, subject, detail)
      SELECT ${at}, ${userId}, 'administrator.left', ${`user:${userId}`}, '{}' FROM users
      WHERE id = ${userId} AND role = 'administrator'`,
  ],
}
