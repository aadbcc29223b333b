import { type SQL, sql } from 'drizzle-orm'
import type { Millis } from '../lib/clock'

export type AuditAction = {
  actorId: number
  /** `noun.verb`, e.g. `session.opened`. */
  action: string
  /** The target as `kind:id`. */
  subject?: string
  /** Further facts; never a secret, an address or a phone number. */
  detail?: Record<string, string | number | boolean | null>
  at: Millis
}

/** Statement that records an action, for the batch that performs it. */
export function recordAudit(db: D1Database, action: AuditAction): D1PreparedStatement {
  return insertAuditEntry(db, action, 'true')
}

/** As `recordAudit`, but only if the preceding statement of the batch changed a row. */
export function recordAuditIfChanged(db: D1Database, action: AuditAction): D1PreparedStatement {
  return insertAuditEntry(db, action, 'changes() > 0')
}

/** As `recordAuditIfChanged`, with the number of changed rows as `many` in the detail. */
export function recordAuditWithCount(db: D1Database, action: AuditAction): D1PreparedStatement {
  return insertAuditEntry(db, action, 'changes() > 0', "json_set(?5, '$.many', changes())")
}

/** Records a read or download of restricted data. */
export async function writeAudit(db: D1Database, action: AuditAction): Promise<void> {
  await recordAudit(db, action).run()
}

function insertAuditEntry(
  db: D1Database,
  { actorId, action, subject = '', detail = {}, at }: AuditAction,
  condition: string,
  detailSql = '?5',
) {
  return db
    .prepare(
      `INSERT INTO audit_log (at, actor_id, action, subject, detail) SELECT ?1, ?2, ?3, ?4, ${detailSql} WHERE ${condition}`,
    )
    .bind(at, actorId, action, subject, JSON.stringify(detail))
}

/**
 * Removes the reasons of entries about these subjects (`kind:id`) for a GDPR erasure; the append-only trigger allows
 * it.
 */
export const eraseAuditReasons = (subjects: SQL): SQL =>
  sql`UPDATE audit_log SET detail = json_remove(detail, '$.reason')
    WHERE subject IN (${subjects}) AND json_extract(detail, '$.reason') IS NOT NULL`
