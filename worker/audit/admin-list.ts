import { and, desc, eq, lt, sql } from 'drizzle-orm'
import type { AuditEntry } from '../contract/admin'
import type { Db } from '../db/client'
import { type ListParams, type Page, paginate, parseNumericCursor } from '../db/pagination'
import { limits } from '../limits'
import { users } from '../users/users.table'
import { auditLog } from './audit.table'

/** A page of the audit log, newest first. @throws AppError `bad_input`. */
export async function listAuditEntries(db: Db, { q, cursor }: ListParams): Promise<Page<AuditEntry>> {
  const { id: beforeId } = parseNumericCursor(cursor)
  const results = await db
    .select({
      id: auditLog.id,
      at: auditLog.at,
      actor: users.username,
      action: auditLog.action,
      subject: auditLog.subject,
      detail: auditLog.detail,
    })
    .from(auditLog)
    .innerJoin(users, eq(users.id, auditLog.actorId))
    .where(
      and(
        lt(auditLog.id, beforeId),
        q === ''
          ? undefined
          : sql`(instr(${auditLog.action}, lower(${q})) OR instr(lower(${users.username}), lower(${q})) OR instr(${auditLog.subject}, ${q}))`,
      ),
    )
    .orderBy(desc(auditLog.id))
    .limit(limits.adminPageSize + 1)
  const { rows, next } = paginate(results, limits.adminPageSize)
  return { rows: rows.map((row) => ({ ...row, id: String(row.id), at: new Date(row.at).toISOString() })), next }
}
