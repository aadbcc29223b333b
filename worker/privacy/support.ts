import { RETENTION } from '../contract/retention'
import type { Millis } from '../lib/clock'
import { monthsAfter, youngestDue } from '../lib/months'
import { type House as Inquiries, remindOfInquiries } from './inquiries'
import type { House, Step } from './job-runs'

const AT_ONCE = 500

/** Forgets inquiries so long after their answer as the policy says. An open one is never forgotten. */
export async function deleteOldInquiries({ db }: House, at: Millis): Promise<Step> {
  const d1 = db.$client
  const { results } = await d1
    .prepare(
      `SELECT id, answered_at AS answeredAt FROM privacy_inquiries
       WHERE answered_at IS NOT NULL AND answered_at <= ?1 ORDER BY answered_at LIMIT ?2`,
    )
    .bind(youngestDue(at, RETENTION.supportMonths), AT_ONCE)
    .all<{ id: string; answeredAt: Millis }>()
  const due = results.filter(({ answeredAt }) => monthsAfter(answeredAt, RETENTION.supportMonths) <= at)
  if (due.length)
    await d1.batch(due.map(({ id }) => d1.prepare('DELETE FROM privacy_inquiries WHERE id = ?1').bind(id)))
  return { affected: due.length, more: due.length > 0 && results.length === AT_ONCE }
}

/** Reminds the administrators of inquiries that fall due. */
export async function remind({ db, secret, origin }: House, at: Millis): Promise<Step> {
  const inquiries: Inquiries = { db: db.$client, secret, origin }
  return { affected: await remindOfInquiries(inquiries, at), more: false }
}
