import { FINALISTS_PUBLIC_AT } from '../challenge/challenge-state'
import { ANONYMIZED_VERSE } from '../challenge/withdraw'
import { hasPendingFulfilment } from '../orders/retention'
import { UPLOADS_FOLDER } from '../uploads/uploads'

/**
 * Whose address is meant, in SQL over ?1: the folded address, its spellings (SQLite folds A-Z alone, `fold` every
 * letter), and the orders that are theirs. A supporter who has confirmed it (forgotten.ts), or somebody without an
 * account who asked (privacy/addresses.ts): what belongs to an address is forgotten and shown in one way.
 */
export type DataSubjectSql = { emailKey: string; emailSpellings: string; orders: string }

/** The orders that were made without an account, with one of these spellings. */
export const guestOrdersSql = (emailSpellings: string) =>
  `SELECT id FROM orders WHERE email IS NOT NULL AND user_id IS NULL AND lower(email) IN (${emailSpellings})`

const ORDER_IN_PROGRESS = hasPendingFulfilment('?2')
/** A mail that waits to tell of money or a parcel under way: retention.ts of the orders deletes it once it has gone. */
const PENDING_ORDER_EMAIL = `(state = 'waiting' AND kind IN ('receipt', 'refund') AND EXISTS (
  SELECT 1 FROM orders WHERE orders.id = substr(dedupe_key, instr(dedupe_key, ':') + 1) AND ${ORDER_IN_PROGRESS}))`

/**
 * Verses that are somebody's (SQL): the mails about each, to whatever address was given with it, go;
 * the recording leaves R2 within minutes, whoever sent it; and the verse stays counted. A finalist
 * whom nobody has been told of is none any more: nobody votes between people who are not there. ?2 now.
 */
export const eraseVerseStatements = (versesWhere: string): readonly string[] => [
  `DELETE FROM challenge_finalists
     WHERE submission_id IN (SELECT id FROM verse_submissions WHERE ${versesWhere}) AND EXISTS (
       SELECT 1 FROM challenges c WHERE c.id = challenge_id AND c.sealed_at IS NULL
         AND ${FINALISTS_PUBLIC_AT} > ?2)`,
  `DELETE FROM outbox WHERE dedupe_key IN (
     SELECT 'verse:' || id FROM verse_submissions WHERE ${versesWhere}
     UNION SELECT 'finalist:' || id FROM verse_submissions WHERE ${versesWhere}
     UNION SELECT 'winner:' || id FROM verse_submissions WHERE ${versesWhere}
     UNION SELECT 'result:' || id FROM verse_submissions WHERE ${versesWhere})`,
  `UPDATE uploads SET is_dropped = 1 WHERE id IN (
     SELECT replace(audio_key, '${UPLOADS_FOLDER}/', '') FROM verse_submissions WHERE ${versesWhere} AND audio_key IS NOT NULL)`,
  `UPDATE verse_submissions SET ${ANONYMIZED_VERSE} WHERE ${versesWhere}`,
]

/**
 * What erasing an address does to all that is found by it; ?2 now. Each ends so that `AND` can follow. A feature that
 * stores an address adds its statement here and its query to `dataOfAddress`.
 */
export const eraseAddressStatements = ({
  emailKey: key,
  emailSpellings: spelt,
  orders,
}: DataSubjectSql): readonly string[] => [
  `DELETE FROM subscribers WHERE email_key = (${key})`,
  `DELETE FROM show_alerts WHERE email_key IS NOT NULL AND email_key = (${key})`,
  `DELETE FROM outbox WHERE lower(recipient) IN (${spelt}) AND NOT ${PENDING_ORDER_EMAIL}`,
  `DELETE FROM outbox WHERE recipient_key = (${key}) AND instr(recipient, '+') = 0 AND NOT ${PENDING_ORDER_EMAIL}`,
  // Of orders, to whatever address was given at the checkout.
  `DELETE FROM outbox WHERE dedupe_key IN (
     SELECT 'receipt:' || id FROM orders WHERE id IN (${orders}) UNION SELECT 'refund:' || id FROM orders WHERE id IN (${orders}))
     AND NOT ${PENDING_ORDER_EMAIL}`,
  // Why a refund was made may name them. Before their orders lose the address by which they are found.
  `UPDATE audit_log SET detail = json_remove(detail, '$.reason')
   WHERE subject IN (SELECT 'order:' || id FROM orders WHERE id IN (${orders})) AND json_extract(detail, '$.reason') IS NOT NULL`,
  // A transaction is kept without who it was (ruling 28); while the parcel or the money is on its way, with the address:
  // orders/retention.ts forgets that afterwards, and the whole row seven years later.
  `UPDATE orders SET holder = NULL, forget_wanted_at = iif(${ORDER_IN_PROGRESS}, ?2, NULL), email = iif(${ORDER_IN_PROGRESS}, email, NULL),
     shipping_address = iif(${ORDER_IN_PROGRESS}, shipping_address, NULL), tracking = iif(${ORDER_IN_PROGRESS}, tracking, '')
   WHERE id IN (${orders})`,
  // Somebody else's order that told this address of itself: the parcel stays the buyer's business.
  `UPDATE orders SET forget_wanted_at = iif(${ORDER_IN_PROGRESS}, ?2, forget_wanted_at), email = iif(${ORDER_IN_PROGRESS}, email, NULL)
   WHERE email IS NOT NULL AND user_id IS NOT NULL AND lower(email) IN (${spelt})`,
  ...eraseVerseStatements(`lower(email) IN (${spelt})`),
  // Files that may hold the person: not to be had from now on, and gone from R2 within minutes. One that is being written
  // is begun anew; whoever is at it finds that it is not theirs any more.
  `UPDATE exports SET expires_at = ?2 WHERE state = 'ready' AND kind <> 'golden-verse-votes' AND expires_at > ?2`,
  `UPDATE exports SET state = 'waiting', upload_id = NULL, leased_until = 0
   WHERE state = 'running' AND kind <> 'golden-verse-votes'`,
]

/** What is kept about whoever an address belongs to: a query a part, ?1 as `Whose` has it. */
export const addressDataQueries = ({
  emailKey: key,
  emailSpellings: spelt,
  orders,
}: DataSubjectSql): Record<string, string> => ({
  newsletter: `SELECT email, state, city, consent_version, consent_at, confirmed_at, unsubscribed_at FROM subscribers
    WHERE email_key = (${key})`,
  showAlerts: `SELECT entry, city, confirmed_at, created_at FROM show_alerts
    WHERE email_key IS NOT NULL AND email_key = (${key}) ORDER BY created_at`,
  submissions: `SELECT challenges.title AS challenge, v.name, v.email, phone_number, submitted_at, terms_version,
    audio_key IS NOT NULL AS has_recording, shortlisted, note FROM verse_submissions v
    JOIN challenges ON challenges.id = v.challenge_id WHERE lower(v.email) IN (${spelt}) ORDER BY submitted_at`,
  inquiries: `SELECT kind, message, created_at, confirmed_at, answer, answered_at FROM privacy_inquiries
    WHERE email_key = (${key}) ORDER BY created_at`,
  orders: `SELECT orders.id, products.name AS product, quantity, amount_cents, refunded_cents, status, fulfilment, tracking,
    orders.email, shipping_address, orders.created_at, paid_at FROM orders JOIN products ON products.id = orders.product_id
    WHERE orders.id IN (${orders}) ORDER BY orders.created_at`,
  mails: `SELECT kind, subject, created_at, sent_at FROM outbox WHERE lower(recipient) IN (${spelt}) ORDER BY created_at`,
})
