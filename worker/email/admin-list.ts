import { sql } from 'drizzle-orm'
import { type AdminEmail, EmailState, type EmailSuppression, SuppressionReason } from '../contract/email'
import { columnFilter, daysFilter, type ListDefinition, matchesSearch } from '../db/list'
import { type Millis, toIso } from '../lib/clock'
import { maskEmail } from '../lib/email'

type EmailRow = Omit<AdminEmail, 'createdAt' | 'sentAt' | 'dueAt'> & {
  at: Millis
  sentAt: Millis | null
  dueAt: Millis
}

/** The outbox, newest first. A search finds part of subject, kind, state or last error, or a whole address. */
export const emailList: ListDefinition<EmailRow, AdminEmail> = {
  select: sql`id, recipient AS "to", kind, subject, state, attempts, last_error AS lastError, created_at AS at,
    sent_at AS sentAt, due_at AS dueAt`,
  from: sql`outbox`,
  id: sql`outbox.id`,
  sorts: { created: sql`outbox.created_at` },
  defaultSort: '-created',
  filters: { state: columnFilter(sql`outbox.state`, EmailState.options), created: daysFilter(sql`outbox.created_at`) },
  search: (q) => ({
    where: matchesSearch(
      {
        texts: ['subject', 'kind', 'state', 'last_error'].map((column) => sql.raw(`outbox.${column}`)),
        emails: [sql`lower(outbox.recipient)`],
      },
      q,
    ),
  }),
  toItem: ({ to, at, sentAt, dueAt, ...email }) => ({
    ...email,
    to: maskEmail(to),
    createdAt: toIso(at),
    sentAt: toIso(sentAt),
    dueAt: email.state === 'waiting' ? toIso(Math.max(dueAt, at)) : null,
  }),
}

type SuppressionRow = Pick<EmailSuppression, 'id' | 'reason'> & { since: Millis; recipient: string | null }

/** Suppressed addresses, newest first. They are stored as hashes and cannot be searched. */
export const suppressionList: ListDefinition<SuppressionRow, EmailSuppression> = {
  select: sql`s.hash AS id, s.reason, s.created_at AS since, o.recipient`,
  from: sql`mail_stops s LEFT JOIN outbox o ON o.id = s.mail_id`,
  id: sql`s.hash`,
  sorts: { since: sql`s.created_at` },
  defaultSort: '-since',
  filters: { reason: columnFilter(sql`s.reason`, SuppressionReason.options), since: daysFilter(sql`s.created_at`) },
  toItem: ({ id, reason, since, recipient }) => ({
    id,
    reason,
    to: recipient ? maskEmail(recipient) : null,
    at: toIso(since),
  }),
}
