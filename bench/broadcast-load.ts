import { enqueueRecipientPage, type RecipientCursor } from '../worker/broadcasts/enqueue-recipients'
import { limits } from '../worker/limits'

/** Recipients that were put into the outbox a second: by the product, by the floor, and by the floor once more. */
export type Queueing = { product: number; floor: number; again: number }

const PAGE = limits.broadcastPageSize

/** So many confirmed readers and no other. Their ids sort as they were made. */
export async function addReaders(db: D1Database, people: number): Promise<void> {
  await db.batch([
    db.prepare('DELETE FROM subscribers'),
    db
      .prepare(
        `WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < ?1)
         INSERT INTO subscribers (id, email, email_key, state, consent_version, consent_at, confirmed_at, created_at)
         SELECT printf('sub_%07d', i), 'reader' || CAST(i AS INTEGER) || '@mail.example',
           'reader' || CAST(i AS INTEGER) || '@mail.example', 'confirmed', 'v', 0, 0, 0 FROM n`,
      )
      .bind(people),
  ])
}

/** One round: a broadcast to all of them listed as the product does it, and the floor before and behind it. */
export async function queueOnce(db: D1Database, people: number, round: number): Promise<Queueing> {
  const floor = await perSecond(db, people, `floor-${round}`, rawPages)
  const product = await perSecond(db, people, `product-${round}`, productPages)
  const again = await perSecond(db, people, `again-${round}`, rawPages)
  return { product, floor, again }
}

/** The product alone, for whoever watches the memory meanwhile. */
export const queueProduct = (db: D1Database, people: number): Promise<number> =>
  perSecond(db, people, 'watched', productPages)

type Pages = (db: D1Database, id: string, people: number) => Promise<void>

async function perSecond(db: D1Database, people: number, id: string, pages: Pages): Promise<number> {
  await db
    .prepare(
      `INSERT INTO broadcasts (id, subject, markdown, text, html, audience, origin, state, created_at)
       VALUES (?1, 'New drop', '', 't', 'h', 'all', 'https://bench.example', 'sending', 0)`,
    )
    .bind(id)
    .run()
  const began = performance.now()
  await pages(db, id, people)
  const took = performance.now() - began
  const row = await db
    .prepare('SELECT count(DISTINCT recipient) AS n FROM outbox WHERE broadcast_id = ?1')
    .bind(id)
    .first<{ n: number }>()
  if (row?.n !== people) throw new Error(`${id}: ${row?.n} of ${people} readers were queued.`)
  await db.batch([
    db.prepare('DELETE FROM outbox WHERE broadcast_id = ?1').bind(id),
    db.prepare('DELETE FROM broadcasts WHERE id = ?1').bind(id),
  ])
  return (people / took) * 1000
}

const productPages: Pages = async (db, id) => {
  const sending: RecipientCursor = { id, subject: 'New drop', audience: 'all', key: null, listed: 0, cursor: '' }
  while (!sending.listed) await enqueueRecipientPage(db, sending, 0)
}

/**
 * The least that writes the same rows in pages of the same size: one statement a page between bounds known beforehand,
 * with no cursor kept, no state looked at and nothing to take up after a death.
 */
const rawPages: Pages = async (db, id, people) => {
  const statement = db.prepare(
    `INSERT INTO outbox (id, dedupe_key, kind, recipient, subject, text, html, broadcast_id, created_at, queued_at)
     SELECT 'mail_' || lower(hex(randomblob(15))), 'broadcast:' || ?1 || ':' || email_key, 'broadcast', email,
       'New drop', '', '', ?1, 0, 0 FROM subscribers WHERE id > ?2 AND id <= ?3`,
  )
  const reader = (n: number) => `sub_${String(n).padStart(7, '0')}`
  for (let from = 0; from < people; from += PAGE) await statement.bind(id, reader(from), reader(from + PAGE)).run()
}
