import { recordedIfChanged } from '../audit/audit'
import type { MailStop } from '../contract/mail'
import type { Millis } from '../lib/clock'
import { maskedAddress } from '../lib/masked'
import { Refused } from '../lib/refused'
import { limits } from '../limits'

type Row = Omit<MailStop, 'to' | 'at'> & { recipient: string | null; createdAt: Millis }

/**
 * Who is not written to any more, the latest first, and the cursor of the page behind it.
 * @throws Refused `bad_input` for a cursor that we never gave.
 */
export async function stopsPage(
  db: D1Database,
  cursor: string | null,
): Promise<{ list: MailStop[]; next: string | null }> {
  const [, at, hash] =
    cursor === null ? [null, Number.MAX_SAFE_INTEGER, ''] : (/^(\d{1,16})\.([\w-]{1,64})$/.exec(cursor) ?? [])
  if (at === undefined || hash === undefined) throw new Refused('bad_input', 'That page of the list does not exist.')
  const { results } = await db
    .prepare(
      `SELECT hash AS id, reason, s.created_at AS createdAt, o.recipient FROM mail_stops s
       LEFT JOIN outbox o ON o.id = s.mail_id
       WHERE (s.created_at, s.hash) < (?1, ?2) ORDER BY s.created_at DESC, s.hash DESC LIMIT ${limits.deskRows + 1}`,
    )
    .bind(Number(at), hash)
    .all<Row>()
  const shown = results.slice(0, limits.deskRows)
  const last = shown.at(-1)
  return {
    list: shown.map(({ id, reason, createdAt, recipient }) => ({
      id,
      reason,
      to: recipient ? maskedAddress(recipient) : null,
      at: new Date(createdAt).toISOString(),
    })),
    next: results.length > shown.length && last ? `${last.createdAt}.${last.id}` : null,
  }
}

/** The address may be written to again; who decided that is written down. @throws Refused `not_found`. */
export async function lift(
  db: D1Database,
  { id, actorId, at }: { id: string; actorId: number; at: Millis },
): Promise<void> {
  const [gone] = await db.batch([
    db.prepare('DELETE FROM mail_stops WHERE hash = ?1 RETURNING hash').bind(id),
    recordedIfChanged(db, { actorId, action: 'mail.stop_lifted', subject: `mail-stop:${id}`, at }),
  ])
  if (gone?.results.length !== 1) throw new Refused('not_found', 'That address is written to already.')
}
