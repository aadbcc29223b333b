import { sql } from 'drizzle-orm'
import { AUDIT_AREAS, type AuditEntry } from '../contract/admin'
import { conditionFilter, daysFilter, type ListDefinition } from '../db/list'
import { type Millis, toIso } from '../lib/clock'

type Row = Omit<AuditEntry, 'id' | 'at' | 'detail'> & { id: number; at: Millis; detail: string }

const id = sql`audit_log.id`
const NOUN = sql`substr(audit_log.action, 1, instr(audit_log.action, '.') - 1)`
const KIND = sql`substr(audit_log.subject, 1, instr(audit_log.subject, ':') - 1)`
const KEY = sql`substr(audit_log.subject, instr(audit_log.subject, ':') + 1)`

/** The name of what an entry is about, if it still has one. */
const SUBJECT_NAME = sql`coalesce(CASE ${KIND}
  WHEN 'user' THEN (SELECT username FROM users WHERE id = ${KEY})
  WHEN 'track' THEN (SELECT title FROM tracks WHERE id = ${KEY})
  WHEN 'release' THEN (SELECT title FROM releases WHERE id = ${KEY})
  WHEN 'product' THEN (SELECT name FROM products WHERE id = ${KEY})
  WHEN 'concert' THEN (SELECT venue || ', ' || city FROM concerts WHERE id = ${KEY})
  WHEN 'poll' THEN (SELECT title FROM polls WHERE id = ${KEY})
  WHEN 'mission' THEN (SELECT title FROM missions WHERE id = ${KEY})
  WHEN 'challenge' THEN (SELECT title FROM challenges WHERE id = ${KEY})
  WHEN 'broadcast' THEN (SELECT subject FROM broadcasts WHERE id = ${KEY})
END, '')`

/** What the team did, newest first. */
export const auditList: ListDefinition<Row, AuditEntry> = {
  select: sql`audit_log.id, audit_log.at, users.username AS actor, audit_log.action, audit_log.subject, audit_log.detail,
    ${SUBJECT_NAME} AS subjectName`,
  from: sql`audit_log JOIN users ON users.id = audit_log.actor_id`,
  id,
  sorts: { when: id },
  defaultSort: '-when',
  filters: {
    area: conditionFilter(
      Object.fromEntries(
        Object.entries(AUDIT_AREAS).map(([area, nouns]) => [
          area,
          sql`${NOUN} IN (SELECT value FROM json_each(${JSON.stringify(nouns)}))`,
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
