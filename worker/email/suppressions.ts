import type { SuppressionReason } from '../contract/email'
import type { Millis } from '../lib/clock'
import { normalizeKey } from '../lib/email'
import { suppressionHash } from '../lib/keyed-hashes'
import { FAILED_STATE } from './outbox'

type SuppressionDeps = { db: D1Database; secret: string }
type BlockReason = SuppressionReason | 'erased'

/** Mail that its reader need not have asked for just now: what is written to lists, and what a stranger can cause. */
const UNSOLICITED_KINDS = new Set([
  'broadcast',
  'show_alert',
  'newsletter_welcome',
  'newsletter_already',
  'newsletter_confirm',
  'alert_confirm',
  'alert_already',
])

/** Why a mail of this kind must not be written, in words for the desk; null when it may be. */
function blockMessage(why: BlockReason, kind: string): string | null {
  if (why === 'bounced') return 'Not sent: this address bounced before.'
  if (why === 'erased') return kind === 'broadcast' ? 'Erased.' : null
  if (!UNSOLICITED_KINDS.has(kind)) return null
  return why === 'complained'
    ? 'Not sent: its reader called our mail spam.'
    : 'Not sent: the provider does not write to this address.'
}

/** The statement after which an address is not written to any more. A bounce outweighs what was known before. */
export async function suppressAddress(
  { db, secret }: SuppressionDeps,
  { email, reason, mailId, at }: { email: string; reason: SuppressionReason; mailId: string | null; at: Millis },
): Promise<D1PreparedStatement> {
  return db
    .prepare(
      `INSERT INTO mail_stops (hash, reason, mail_id, created_at) VALUES (?1, ?2, ?3, ?4)
       ON CONFLICT (hash) DO UPDATE SET reason = excluded.reason, mail_id = excluded.mail_id, created_at = excluded.created_at
       WHERE excluded.reason = 'bounced' AND mail_stops.reason <> 'bounced'`,
    )
    .bind(await suppressionHash(secret, normalizeKey(email)), reason, mailId, at)
}

/** Whether mail to this address has come back for good: by its suppression hash. */
export async function hasBounced(db: D1Database, hash: string): Promise<boolean> {
  return (
    (await db.prepare("SELECT 1 FROM mail_stops WHERE hash = ?1 AND reason = 'bounced'").bind(hash).first()) !== null
  )
}

/**
 * The mails among these that may be written; the others are failed, and say why. Looked at last thing before sending,
 * so that whatever put an address on a list, or a mail into the outbox, it holds.
 */
export async function failSuppressed(
  { db, secret }: SuppressionDeps,
  ids: readonly string[],
): Promise<readonly string[]> {
  const { results: mails } = await db
    .prepare(
      `SELECT id, kind, recipient FROM outbox WHERE id IN (SELECT value FROM json_each(?1)) AND state = 'waiting' AND claimed_at IS NULL`,
    )
    .bind(JSON.stringify(ids))
    .all<{ id: string; kind: string; recipient: string }>()
  if (mails.length === 0) return ids
  const hashes = await Promise.all(mails.map(({ recipient }) => suppressionHash(secret, normalizeKey(recipient))))
  const { results: blocks } = await db
    .prepare(
      `SELECT hash, 'erased' AS why FROM suppressions WHERE hash IN (SELECT value FROM json_each(?1))
       UNION ALL SELECT hash, reason FROM mail_stops WHERE hash IN (SELECT value FROM json_each(?1))`,
    )
    .bind(JSON.stringify(hashes))
    .all<{ hash: string; why: BlockReason }>()
  if (blocks.length === 0) return ids
  const blocked = mails.flatMap(({ id, kind }, n) => {
    const messages = blocks.flatMap(({ hash, why }) => (hash === hashes[n] ? (blockMessage(why, kind) ?? []) : []))
    return messages[0] === undefined ? [] : [{ id, why: messages[0] }]
  })
  if (blocked.length === 0) return ids
  await db
    .prepare(
      `UPDATE outbox SET state = ${FAILED_STATE}, last_error = w.why
       FROM (SELECT value ->> 'id' AS id, value ->> 'why' AS why FROM json_each(?1)) w
       WHERE outbox.id = w.id AND state = 'waiting' AND claimed_at IS NULL`,
    )
    .bind(JSON.stringify(blocked))
    .run()
  const blockedIds = new Set(blocked.map(({ id }) => id))
  return ids.filter((id) => !blockedIds.has(id))
}
