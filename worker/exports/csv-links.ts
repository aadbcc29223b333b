import { recorded, recordedIfChanged } from '../audit/audit'
import { allowed, attemptKey } from '../auth/attempts'
import { HOUR, type Millis } from '../lib/clock'
import { newId } from '../lib/ids'
import { Refused } from '../lib/refused'
import { seal, unseal } from '../lib/signature'
import { limits } from '../limits'
import { posted } from '../mail/outbox'
import { csvLinkLetter } from './letters'

type House = { db: D1Database; secret: string; origin: string }
const PURPOSE = 'csv-link'

/**
 * Mails a link to the ballots to any address an administrator names (ruling 10): signed, good for a day and five
 * downloads. The audit log says that it was sent and by whom, not to which address.
 * @throws Refused `rate_limited` after five within an hour.
 */
export async function mailCsvLink(
  { db, secret, origin }: House,
  { sender, email, at }: { sender: { userId: number; username: string }; email: string; at: Millis },
): Promise<void> {
  const key = await attemptKey(secret, PURPOSE, String(sender.userId))
  if (!(await allowed(db, key, { max: limits.csvLinksPerHour, per: HOUR }, at)))
    throw new Refused('rate_limited', 'You have sent several links just now. Please wait an hour.')
  const id = newId('link')
  const site = await db
    .prepare("SELECT coalesce((SELECT name FROM site), 'This site') AS name")
    .first<{ name: string }>()
  const letter = csvLinkLetter({
    siteName: site?.name ?? '',
    origin,
    token: await seal(secret, PURPOSE, id),
    sender: sender.username,
    hours: limits.csvLinkHours,
    downloads: limits.csvLinkUses,
  })
  await db.batch([
    db
      .prepare('INSERT INTO csv_links (id, sender_id, expires_at) VALUES (?1, ?2, ?3)')
      .bind(id, sender.userId, at + limits.csvLinkHours * HOUR),
    posted(db, { to: email, letter, dedupeKey: `csv-link:${id}`, at }),
    recorded(db, { actorId: sender.userId, action: 'csv_link.sent', subject: `csv_link:${id}`, at }),
  ])
}

/**
 * Spends one download of a mailed link. The use is written down under its sender's name.
 * @throws Refused `bad_token` for a link that is altered, over, used up, or whose sender is no administrator any more.
 */
export async function redeemCsvLink({ db, secret }: House, token: string, at: Millis): Promise<void> {
  const id = await unseal(secret, PURPOSE, token)
  const link =
    id &&
    (await db
      .prepare('SELECT sender_id AS senderId FROM csv_links WHERE id = ?1')
      .bind(id)
      .first<{ senderId: number }>())
  if (!link) throw overLink()
  const [spent] = await db.batch([
    db
      .prepare(
        `UPDATE csv_links SET uses = uses + 1 WHERE id = ?1 AND expires_at > ?2 AND uses < ${limits.csvLinkUses}
           AND EXISTS (SELECT 1 FROM users WHERE users.id = sender_id AND role = 'administrator' AND banned_at IS NULL
             AND erased_at IS NULL) RETURNING id`,
      )
      .bind(id, at),
    recordedIfChanged(db, { actorId: link.senderId, action: 'csv_link.used', subject: `csv_link:${id}`, at }),
  ])
  if (spent?.results.length !== 1) throw overLink()
}

const overLink = () =>
  new Refused('bad_token', 'This link does not work any more. Please ask whoever sent it for a new one.')
