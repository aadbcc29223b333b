import { and, eq, sql } from 'drizzle-orm'
import { recordAuditIfChanged } from '../audit/audit'
import type { SuppressionReason } from '../contract/email'
import type { Db } from '../db/client'
import type { Actor, Deps } from '../deps'
import { AppError } from '../lib/app-error'
import type { Millis } from '../lib/clock'
import { normalizeKey } from '../lib/email'
import { suppressionHash } from '../lib/keyed-hashes'
import { failWaitingEmails, idIn } from './outbox'
import { suppressedAddresses } from './suppressions.table'

/** Kinds that are sent to a list, and kinds that anyone can cause by typing an address. */
const UNSOLICITED_KINDS = new Set([
  'broadcast',
  'show_alert',
  'newsletter_welcome',
  'newsletter_already',
  'newsletter_confirm',
  'alert_confirm',
  'alert_already',
  'stock_alert',
  'stock_alert_confirm',
  'stock_alert_already',
])

type BlockReason = SuppressionReason | 'erased'

/** Message for the admin on why an email of this kind is not sent; null if it may be sent. */
function blockMessage(reason: BlockReason, kind: string): string | null {
  if (reason === 'bounced') return 'Not sent: this address bounced before.'
  if (reason === 'erased') return kind === 'broadcast' ? 'Erased.' : null
  if (reason === 'unsubscribed') return kind === 'broadcast' ? 'Not sent: the recipient had unsubscribed.' : null
  if (!UNSOLICITED_KINDS.has(kind)) return null
  return reason === 'complained'
    ? 'Not sent: the recipient marked an earlier email as spam.'
    : 'Not sent: the provider does not write to this address.'
}

/** SQL rank of a reason: a higher one suppresses at least the same kinds of email. `reason` is SQL. */
const strengthOf = (reason: string) =>
  `CASE ${reason} WHEN 'bounced' THEN 4 WHEN 'complained' THEN 3 WHEN 'suppressed' THEN 2 ELSE 1 END`

/** Statement that suppresses an address. A stronger reason replaces a weaker one. */
export async function suppressAddress(
  { db, secret }: Pick<Deps, 'db' | 'secret'>,
  { email, reason, mailId, at }: { email: string; reason: SuppressionReason; mailId: string | null; at: Millis },
): Promise<D1PreparedStatement> {
  return db.$client
    .prepare(
      `INSERT INTO mail_stops (hash, reason, mail_id, created_at) VALUES (?1, ?2, ?3, ?4)
       ON CONFLICT (hash) DO UPDATE SET reason = excluded.reason, mail_id = excluded.mail_id, created_at = excluded.created_at
       WHERE ${strengthOf('excluded.reason')} > ${strengthOf('mail_stops.reason')}`,
    )
    .bind(await suppressionHash(secret, normalizeKey(email)), reason, mailId, at)
}

/** Whether an email to the address with this suppression hash bounced permanently. */
export async function hasBounced(db: Db, hash: string): Promise<boolean> {
  const isBounced = and(eq(suppressedAddresses.hash, hash), eq(suppressedAddresses.reason, 'bounced'))
  return (await db.$count(suppressedAddresses, isBounced)) > 0
}

/** Fails the emails among `ids` whose address is suppressed and returns the others. Runs right before sending. */
export async function failSuppressed(
  { db, secret }: Pick<Deps, 'db' | 'secret'>,
  ids: readonly string[],
): Promise<readonly string[]> {
  const emails = await db.all<{ id: string; kind: string; recipient: string }>(
    sql`SELECT id, kind, recipient FROM outbox WHERE ${idIn(ids)} AND state = 'waiting' AND claimed_at IS NULL`,
  )
  if (emails.length === 0) return ids
  const hashes = await Promise.all(emails.map(({ recipient }) => suppressionHash(secret, normalizeKey(recipient))))
  const hashList = JSON.stringify(hashes)
  const blocks = await db.all<{ hash: string; reason: BlockReason }>(
    sql`SELECT hash, 'erased' AS reason FROM suppressions WHERE hash IN (SELECT value FROM json_each(${hashList}))
      UNION ALL SELECT hash, reason FROM mail_stops WHERE hash IN (SELECT value FROM json_each(${hashList}))`,
  )
  const idsByMessage = new Map<string, string[]>()
  emails.forEach(({ id, kind }, index) => {
    const messages = blocks.flatMap(({ hash, reason }) =>
      hash === hashes[index] ? (blockMessage(reason, kind) ?? []) : [],
    )
    const [message] = messages
    if (message !== undefined) idsByMessage.set(message, [...(idsByMessage.get(message) ?? []), id])
  })
  if (idsByMessage.size === 0) return ids
  await db.$client.batch(
    [...idsByMessage].map(([message, blockedIds]) => failWaitingEmails(db, idIn(blockedIds), message)),
  )
  const blocked = new Set([...idsByMessage.values()].flat())
  return ids.filter((id) => !blocked.has(id))
}

/** Allows email to the address again. @throws AppError `not_found`. */
export async function liftSuppression(db: Db, { id, actorId, at }: Actor & { id: string }): Promise<void> {
  const [lifted] = await db.$client.batch([
    db.$client.prepare('DELETE FROM mail_stops WHERE hash = ?1 RETURNING hash').bind(id),
    recordAuditIfChanged(db, { actorId, action: 'mail.stop_lifted', subject: `mail-stop:${id}`, at }),
  ])
  if (lifted?.results.length !== 1) throw new AppError('not_found', 'That address already gets email.')
}
