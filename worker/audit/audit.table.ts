import { sql } from 'drizzle-orm'
import { check, index, integer, sqliteTable, text } from 'drizzle-orm/sqlite-core'
import { users } from '../users/users.table'

/**
 * Administrator actions. Append-only by trigger: only `detail.reason` may be removed, for the actions and subjects
 * listed in migration 0034.
 */
export const auditLog = sqliteTable(
  'audit_log',
  {
    id: integer('id').primaryKey({ autoIncrement: true }),
    at: integer('at').notNull(),
    actorId: integer('actor_id')
      .notNull()
      .references(() => users.id),
    /** Noun (see AUDIT_AREAS) and what happened to it: `session.opened`, `second_factor.on`. */
    action: text('action').notNull(),
    /** The target as `kind:id`; empty if it is the actor, or not one row (`site.changed`, `mission.reordered`). */
    subject: text('subject').notNull().default(''),
    /** Further facts; never a secret. */
    detail: text('detail', { mode: 'json' })
      .$type<Record<string, string | number | boolean | null>>()
      .notNull()
      .default({}),
  },
  (t) => [
    check('audit_detail', sql`json_valid(${t.detail})`),
    index('audit_by_actor').on(t.actorId, t.id),
    index('audit_by_subject').on(t.subject),
  ],
)
