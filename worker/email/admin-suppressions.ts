import { recordAuditIfChanged } from '../audit/audit'
import type { EmailSuppression } from '../contract/email'
import { AppError } from '../lib/app-error'
import type { Millis } from '../lib/clock'
import { maskEmail } from '../lib/email'
import { limits } from '../limits'

type Row = Omit<EmailSuppression, 'to' | 'at'> & { recipient: string | null; createdAt: Millis }

/**
 * Who is not written to any more, the latest first, and the cursor of the page behind it.
 * @throws AppError `bad_input` for a cursor that we never gave.
 */
export async function listSuppressions(
  db: D1Database,
  cursor: string | null,
): Promise<{ list: EmailSuppression[]; next: string | null }> {
  const [, at, hash] =
    cursor === null ? [null, Number.MAX_SAFE_INTEGER, ''] : (/^(\d{1,16})\.([\w-]{1,64})$/.exec(cursor) ?? [])
  if (at === undefined || hash === undefined) throw new AppError('bad_input', 'That page of the list does not exist.')
  const { results } = await db
    .prepare(
      `SELECT hash AS id, reason, s.created_at AS createdAt, o.recipient FROM mail_stops s
       LEFT JOIN outbox o ON o.id = s.mail_id
       WHERE (s.created_at, s.hash) < (?1, ?2) ORDER BY s.created_at DESC, s.hash DESC LIMIT ${limits.adminPageSize + 1}`,
    )
    .bind(Number(at), hash)
    .all<Row>()
  const shown = results.slice(0, limits.adminPageSize)
  const last = shown.at(-1)
  return {
    list: shown.map(({ id, reason, createdAt, recipient }) => ({
      id,
      reason,
      to: recipient ? maskEmail(recipient) : null,
      at: new Date(createdAt).toISOString(),
    })),
    next: results.length > shown.length && last ? `${last.createdAt}.${last.id}` : null,
  }
}

/** The address may be written to again; who decided that is written down. @throws AppError `not_found`. */
export async function liftSuppression(
  db: D1Database,
  { id, actorId, at }: { id: string; actorId: number; at: Millis },
): Promise<void> {
  const [lifted] = await db.batch([
    db.prepare('DELETE FROM mail_stops WHERE hash = ?1 RETURNING hash').bind(id),
    recordAuditIfChanged(db, { actorId, action: 'mail.stop_lifted', subject: `mail-stop:${id}`, at }),
  ])
  if (lifted?.results.length !== 1) throw new AppError('not_found', 'That address is written to already.')
}
