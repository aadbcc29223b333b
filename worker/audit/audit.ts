import { type SQL, sql } from 'drizzle-orm'
import type { Millis } from '../lib/clock'

export type AuditAction = {
  actorId: number
  /** `noun.verb`, e.g. `session.opened`. */
  action: string
  /** What it was done to, as `kind:id`. */
  subject?: string
  /** What else matters; never a secret, never an address or a phone number. */
  detail?: Record<string, string | number | boolean | null>
  at: Millis
}

/** The statement that writes an administrator's act down, for the batch that performs it: neither stands alone. */
export function recordAudit(db: D1Database, action: AuditAction): D1PreparedStatement {
  return insertAuditEntry(db, action, 'true')
}

/** The same for an act that may find nothing to do: written only if the statement before it in the batch changed a row. */
export function recordAuditIfChanged(db: D1Database, action: AuditAction): D1PreparedStatement {
  return insertAuditEntry(db, action, 'changes() > 0')
}

/** The same of an act on many, with how many rows that statement changed as the detail's `many`. */
export function recordAuditWithCount(db: D1Database, action: AuditAction): D1PreparedStatement {
  return insertAuditEntry(db, action, 'changes() > 0', "json_set(?5, '$.many', changes())")
}

/** Writes an act down that changes nothing else: somebody looked at or fetched what is not everybody's. */
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

/** Removes the reasons of entries about these subjects (`kind:id`), for a GDPR erasure; the append-only trigger allows it. */
export const eraseAuditReasons = (subjects: SQL): SQL =>
  sql`UPDATE audit_log SET detail = json_remove(detail, '$.reason')
    WHERE subject IN (${subjects}) AND json_extract(detail, '$.reason') IS NOT NULL`
