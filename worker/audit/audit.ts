import { type SQL, sql } from 'drizzle-orm'
import { type Db, prepare } from '../db/client'
import type { Actor } from '../deps'
import { HOUR_MS } from '../lib/clock'

export type AuditAction = Actor & {
  /** Noun and what happened to it, e.g. `session.opened`. */
  action: string
  /** The target as `kind:id`; omitted if it is the actor, or not one row. */
  subject?: string
  /** Further facts; never a secret, an address or a phone number. */
  detail?: Record<string, string | number | boolean | null>
}

/** Statement that records an action, for the batch that performs it. */
export function recordAudit(db: Db, action: AuditAction): D1PreparedStatement {
  return insertAuditEntry(db, action, sql`true`)
}

/** As `recordAudit`, but only if the preceding statement of the batch changed a row. */
export function recordAuditIfChanged(db: Db, action: AuditAction): D1PreparedStatement {
  return insertAuditEntry(db, action, sql`changes() > 0`)
}

/** As `recordAuditIfChanged`, with the number of changed rows in the detail, as `many`. */
export function recordAuditWithCount(db: Db, action: AuditAction): D1PreparedStatement {
  return insertAuditEntry(db, action, sql`changes() > 0`, sql`changes()`)
}

/** Records an action that writes nothing else, such as a download of restricted data. */
export async function writeAudit(db: Db, action: AuditAction): Promise<void> {
  await recordAudit(db, action).run()
}

/** As `writeAudit`, unless the actor has an entry of this action and subject in the last hour. */
export async function writeAuditUnlessRecent(db: Db, action: AuditAction): Promise<void> {
  const { actorId, subject = '', at } = action
  const isNew = sql`NOT EXISTS (SELECT 1 FROM audit_log WHERE actor_id = ${actorId} AND action = ${action.action}
    AND subject = ${subject} AND at > ${at - HOUR_MS})`
  await insertAuditEntry(db, action, isNew).run()
}

function insertAuditEntry(
  db: Db,
  { actorId, action, subject = '', detail = {}, at }: AuditAction,
  condition: SQL,
  changedRows?: SQL,
) {
  const json = sql`${JSON.stringify(db.tokenName === null ? detail : { ...detail, token: db.tokenName })}`
  const storedDetail = changedRows ? sql`json_set(${json}, '$.many', ${changedRows})` : json
  return prepare(
    db,
    sql`INSERT INTO audit_log (at, actor_id, action, subject, detail)
      SELECT ${at}, ${actorId}, ${action}, ${subject}, ${storedDetail} WHERE ${condition}`,
  )
}

/** For GDPR erasure: removes the reasons of entries about these subjects (`kind:id`), which the trigger allows. */
export const eraseAuditReasons = (subjects: SQL): SQL =>
  sql`UPDATE audit_log SET detail = json_remove(detail, '$.reason')
    WHERE subject IN (${subjects}) AND json_extract(detail, '$.reason') IS NOT NULL`
