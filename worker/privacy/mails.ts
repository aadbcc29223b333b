import { ERASED } from '../auth/letters'
import { RETENTION } from '../contract/retention'
import { aged, type Step, together, took } from '../db/portions'
import { DAY, type Millis } from '../lib/clock'
import type { House } from './job-runs'

const AT_ONCE = 1_000

/**
 * Empties mails of their words: links and codes are nobody's business once a mail was sent, nor, somewhat later, when
 * it could not be sent. That there was one is kept until `deleteOldMails`.
 */
export async function emptyMails({ db }: House, at: Millis): Promise<Step> {
  const d1 = db.$client
  const emptied = await d1
    .prepare(
      `UPDATE outbox SET text = '', html = '', headers = '{}' WHERE id IN (
         SELECT id FROM outbox WHERE html <> '' AND created_at <= ?1
           AND ((state = 'sent' AND sent_at <= ?1) OR created_at <= ?2) ORDER BY created_at LIMIT ${AT_ONCE})
       RETURNING id`,
    )
    .bind(at - RETENTION.mailWordsDays * DAY, at - RETENTION.unsentMailWordsDays * DAY)
    .all()
  return took(emptied, AT_ONCE)
}

/** What is counted by or must not be written twice: the row stays, and says no more whom it went to. */
const STAYS = "(broadcast_id IS NOT NULL OR kind IN ('receipt', 'refund'))"
const due = (stays: string) =>
  `SELECT id FROM outbox WHERE recipient <> '' AND created_at <= ?1 AND ${stays} ORDER BY created_at LIMIT ${AT_ONCE}`

/** Forgets to whom mails went, whatever became of them. */
export async function deleteOldMails({ db }: House, at: Millis): Promise<Step> {
  const d1 = db.$client
  const until = at - RETENTION.mailAddressDays * DAY
  const [deleted, emptied] = await d1.batch([
    d1.prepare(`DELETE FROM outbox WHERE id IN (${due(`NOT ${STAYS}`)}) RETURNING id`).bind(until),
    d1
      .prepare(
        // A broadcast's key holds the address; its copies are listed once, so nothing asks for it any more.
        `UPDATE outbox SET recipient = '', recipient_key = '', headers = '{}', text = '', html = '',
           dedupe_key = iif(broadcast_id IS NULL, dedupe_key, 'forgotten:' || id)
         WHERE id IN (${due(STAYS)}) RETURNING id`,
      )
      .bind(until),
  ])
  return together([took(deleted, AT_ONCE), took(emptied, AT_ONCE)])
}

/** Forgets to whom receipts of deleted accounts were sent, and those that could not be sent within a week. */
export async function forgetReceipts({ db }: Pick<House, 'db'>, at: Millis): Promise<Step> {
  const deleted = await db.$client
    .prepare(
      `DELETE FROM outbox WHERE id IN (
         SELECT id FROM outbox WHERE kind = '${ERASED}' AND (state = 'sent' OR created_at <= ?1) LIMIT ${AT_ONCE})
       RETURNING id`,
    )
    .bind(at - RETENTION.mailWordsDays * DAY)
    .all()
  return took(deleted, AT_ONCE)
}

/** Forgets that mail to an address came back: whoever has the mailbox now may never have heard of us. */
export const forgetMailStops = ({ db: { $client: d1 } }: House, at: Millis): Promise<Step> =>
  aged(
    d1,
    {
      due: 'SELECT hash AS id, created_at AS since FROM mail_stops WHERE created_at <= ?1 ORDER BY created_at',
      months: RETENTION.mailStopMonths,
      at,
      size: AT_ONCE,
    },
    (hashes) => [d1.prepare('DELETE FROM mail_stops WHERE hash IN (SELECT value FROM json_each(?1))').bind(hashes)],
  )
