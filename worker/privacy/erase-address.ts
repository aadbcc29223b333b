import { recordedIfChanged } from '../audit/audit'
import { forgottenOfAddress } from '../auth/by-address'
import { forgetting } from '../auth/erasure'
import { ERASED } from '../auth/letters'
import { keepPhone } from '../auth/phone'
import type { ErasedAddress, Found } from '../contract/privacy'
import { Refused } from '../lib/refused'
import { suppressionHash } from '../lib/suppression'
import { postedIfChanged } from '../mail/outbox'
import { bounced } from '../mail/stops'
import { type Act, asker, erasedAlready, FOUND, held, INQUIRER, SPELT } from './addresses'
import { type House, siteName } from './inquiries'
import { erasedAddressLetter } from './letters'

/** ?1 the inquiry, ?2 now, ?3 hashes of the phone numbers that came with their verses, as a JSON array. */
export const FORGOTTEN_OF_INQUIRER: readonly string[] = [
  ...forgottenOfAddress(INQUIRER),
  `DELETE FROM show_alerts WHERE entry_key IN (SELECT 'phone:' || value FROM json_each(?3))`,
  `DELETE FROM privacy_inquiries WHERE email_key = (${INQUIRER.key}) AND id <> ?1`,
]

/**
 * Erases what is kept about the address of an inquiry as an account's erasure does (ruling 28): everything goes but what
 * the books need, without a name, and a keyed hash so that nothing is sent there again. The inquiry stays, closed and
 * without words, as the receipt that the audit points to; a last letter goes to the address unless its mail comes back.
 * @throws as `asker`; Refused `conflict` while an account has the address (its erasure takes all of this along), and
 * where nobody has confirmed from the mailbox that they asked and it was not `shownOtherwise` either.
 */
export async function eraseAddress(
  { db, secret }: House,
  { id, actorId, at, shownOtherwise }: Act & { shownOtherwise: boolean },
): Promise<ErasedAddress> {
  const { email, emailKey, account, confirmedAt } = await asker(db, id)
  if (account !== null)
    throw new Refused('conflict', `${account} has an account with that address. Please delete that under Supporters.`)
  if (confirmedAt === null && !shownOtherwise)
    throw new Refused('conflict', 'Nobody has confirmed from that mailbox that they asked.')
  const hash = await suppressionHash(secret, emailKey)
  const letterSent = !(await bounced(db, hash))
  const mayGo = `EXISTS (SELECT 1 FROM privacy_inquiries mine WHERE mine.id = ?1 AND mine.email <> ''
    AND NOT EXISTS (SELECT 1 FROM users WHERE users.email_key = mine.email_key))`
  const erasedAt = new Date(at).toISOString()
  const { found } = await held(db, id, at)
  const letter = erasedAddressLetter({ siteName: await siteName(db), at: erasedAt, orders: found.orders })
  const detail = { ...found, shown: confirmedAt === null ? 'otherwise' : 'mailbox' }
  const phones = JSON.stringify(await phonesOf(db, secret, id))
  const [counted, ...done] = await db.batch<Found & { id: string }>([
    db.prepare(FOUND).bind(id, at),
    ...forgetting(db, FORGOTTEN_OF_INQUIRER, { binds: [id, at, phones], mayGo }),
    db
      .prepare(`INSERT INTO suppressions (hash, created_at) SELECT ?2, ?3 WHERE ${mayGo} ON CONFLICT (hash) DO NOTHING`)
      .bind(id, hash, at),
    db
      .prepare(
        `UPDATE privacy_inquiries SET email = '', email_key = 'deleted:' || id, message = '',
           answer = 'Everything that was kept about this address was erased.', answered_at = coalesce(answered_at, ?2)
         WHERE id = ?1 AND ${mayGo} RETURNING id`,
      )
      .bind(id, at),
    recordedIfChanged(db, { actorId, action: 'address.erased', subject: `inquiry:${id}`, detail, at }),
    ...(letterSent ? [postedIfChanged(db, { to: email, letter, dedupeKey: `${ERASED}:${id}`, at })] : []),
  ])
  const [before] = counted?.results ?? []
  if (!before || !done.some(({ results }) => results.length > 0)) throw erasedAlready()
  return { erasedAt, found: before, letterSent }
}

/** The numbers that came with their verses, as they are kept of who asked to be told of shows by one. */
async function phonesOf(db: D1Database, secret: string, id: string): Promise<string[]> {
  const { results } = await db
    .prepare(`SELECT phone_number AS phone FROM verse_submissions WHERE lower(email) IN (${SPELT})`)
    .bind(id)
    .all<{ phone: string }>()
  const kept = await Promise.all(
    results.map(({ phone }) =>
      keepPhone(secret, phone).catch((error) => {
        if (error instanceof Refused) return null
        throw error
      }),
    ),
  )
  return kept.flatMap((phone) => phone?.hash ?? [])
}
