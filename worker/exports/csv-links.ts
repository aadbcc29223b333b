import { recordAudit, recordAuditIfChanged } from '../audit/audit'
import { attemptKey, consumeAttempt } from '../auth/attempts'
import { enqueueEmail } from '../email/outbox'
import { AppError } from '../lib/app-error'
import { HOUR_MS, type Millis } from '../lib/clock'
import { newId, signValue, verifySignedValue } from '../lib/crypto'
import { limits } from '../limits'
import { csvLinkEmail } from './emails'

type Deps = { db: D1Database; secret: string; origin: string }
const PURPOSE = 'csv-link'

/**
 * Mails a link to the ballots to any address an administrator names (ruling 10): signed, good for a day and five
 * downloads. The audit log says that it was sent and by whom, not to which address.
 * @throws AppError `rate_limited` after five within an hour.
 */
export async function sendCsvLink(
  { db, secret, origin }: Deps,
  { sender, email, at }: { sender: { userId: number; username: string }; email: string; at: Millis },
): Promise<void> {
  const key = await attemptKey(secret, PURPOSE, String(sender.userId))
  if (!(await consumeAttempt(db, key, { max: limits.csvLinksPerHour, windowMs: HOUR_MS }, at)))
    throw new AppError('rate_limited', 'You have sent several links just now. Please wait an hour.')
  const id = newId('link')
  const site = await db
    .prepare("SELECT coalesce((SELECT name FROM site), 'This site') AS name")
    .first<{ name: string }>()
  const message = csvLinkEmail({
    siteName: site?.name ?? '',
    origin,
    token: await signValue(secret, PURPOSE, id),
    sender: sender.username,
    hours: limits.csvLinkTtlHours,
    downloads: limits.maxCsvLinkUses,
  })
  await db.batch([
    db
      .prepare('INSERT INTO csv_links (id, sender_id, expires_at) VALUES (?1, ?2, ?3)')
      .bind(id, sender.userId, at + limits.csvLinkTtlHours * HOUR_MS),
    enqueueEmail(db, { to: email, email: message, dedupeKey: `csv-link:${id}`, at }),
    recordAudit(db, { actorId: sender.userId, action: 'csv_link.sent', subject: `csv_link:${id}`, at }),
  ])
}

/**
 * Spends one download of a mailed link. The use is written down under its sender's name.
 * @throws AppError `bad_token` for a link that is altered, over, used up, or whose sender is no administrator any more.
 */
export async function redeemCsvLink({ db, secret }: Deps, token: string, at: Millis): Promise<void> {
  const id = await verifySignedValue(secret, PURPOSE, token)
  const link =
    id &&
    (await db
      .prepare('SELECT sender_id AS senderId FROM csv_links WHERE id = ?1')
      .bind(id)
      .first<{ senderId: number }>())
  if (!link) throw invalidLink()
  const [redeemed] = await db.batch([
    db
      .prepare(
        `UPDATE csv_links SET uses = uses + 1 WHERE id = ?1 AND expires_at > ?2 AND uses < ${limits.maxCsvLinkUses}
           AND EXISTS (SELECT 1 FROM users WHERE users.id = sender_id AND role = 'administrator' AND banned_at IS NULL
             AND erased_at IS NULL) RETURNING id`,
      )
      .bind(id, at),
    recordAuditIfChanged(db, { actorId: link.senderId, action: 'csv_link.used', subject: `csv_link:${id}`, at }),
  ])
  if (redeemed?.results.length !== 1) throw invalidLink()
}

const invalidLink = () =>
  new AppError('bad_token', 'This link does not work any more. Please ask whoever sent it for a new one.')
