import { sql } from 'drizzle-orm'
import { AUDIT_AREAS, type AuditEntry } from '../contract/admin'
import { conditionFilter, daysFilter, type ListDefinition } from '../db/list'
import { type Millis, toIso } from '../lib/clock'

type Row = Omit<AuditEntry, 'id' | 'at' | 'detail'> & { id: number; at: Millis; detail: string }

const ENTRY_ID = sql`audit_log.id`
const ACTION_NOUN = sql`substr(audit_log.action, 1, instr(audit_log.action, '.') - 1)`
const SUBJECT_KIND = sql`substr(audit_log.subject, 1, instr(audit_log.subject, ':') - 1)`
const SUBJECT_ID = sql`substr(audit_log.subject, instr(audit_log.subject, ':') + 1)`

/** Current name of the entry's subject; empty if it was deleted or its kind has no name. */
const SUBJECT_NAME = sql`coalesce(CASE ${SUBJECT_KIND}
  WHEN 'user' THEN (SELECT username FROM users WHERE id = ${SUBJECT_ID})
  WHEN 'track' THEN (SELECT title FROM tracks WHERE id = ${SUBJECT_ID})
  WHEN 'release' THEN (SELECT title FROM releases WHERE id = ${SUBJECT_ID})
  WHEN 'product' THEN (SELECT name FROM products WHERE id = ${SUBJECT_ID})
  WHEN 'concert' THEN (SELECT venue || ', ' || city FROM concerts WHERE id = ${SUBJECT_ID})
  WHEN 'poll' THEN (SELECT title FROM polls WHERE id = ${SUBJECT_ID})
  WHEN 'mission' THEN (SELECT title FROM missions WHERE id = ${SUBJECT_ID})
  WHEN 'challenge' THEN (SELECT title FROM challenges WHERE id = ${SUBJECT_ID})
  WHEN 'broadcast' THEN (SELECT subject FROM broadcasts WHERE id = ${SUBJECT_ID})
END, '')`

/** What the team did, newest first. */
export const auditList: ListDefinition<Row, AuditEntry> = {
  select: sql`audit_log.id, audit_log.at, users.username AS actor, audit_log.action, audit_log.subject, audit_log.detail,
    ${SUBJECT_NAME} AS subjectName`,
  from: sql`audit_log JOIN users ON users.id = audit_log.actor_id`,
  id: ENTRY_ID,
  sorts: { when: ENTRY_ID },
  defaultSort: '-when',
  filters: {
    area: conditionFilter(
      Object.fromEntries(
        Object.entries(AUDIT_AREAS).map(([area, nouns]) => [
          area,
          sql`${ACTION_NOUN} IN (SELECT value FROM json_each(${JSON.stringify(nouns)}))`,
        ]),
      ),
    ),
    when: daysFilter(sql`audit_log.at`),
  },
  search: (q) => ({
    where: sql`(instr(audit_log.action, lower(${q})) OR instr(lower(users.username), lower(${q}))
      OR instr(audit_log.subject, ${q}) OR instr(lower(${SUBJECT_NAME}), lower(${q})))`,
  }),
  toItem: ({ id, at, detail, ...entry }) => ({
    ...entry,
    id: String(id),
    at: toIso(at),
    detail: JSON.parse(detail),
  }),
}
