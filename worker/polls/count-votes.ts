import { sql } from 'drizzle-orm'
import type { EmailConfirmedHandler } from '../auth/email-confirmed'
import { prepare } from '../db/client'
import { limits } from '../limits'
import { pollMailboxHash } from './vote'

/**
 * Counts the pending votes of a user whose email is confirmed now, in open polls where no other account of the mailbox
 * has a counted vote. A takeover deletes them instead, so that the mailbox's owner may vote; their points stay.
 */
export const countPendingVotes: EmailConfirmedHandler = async (
  { db, secret },
  { userId, mailboxKey, isTakeover },
  at,
) => {
  if (isTakeover)
    return [
      prepare(
        db,
        sql`DELETE FROM poll_votes WHERE user_id = ${userId} AND counted_at IS NULL
          AND EXISTS (SELECT 1 FROM users WHERE id = ${userId} AND email_verified_at IS NOT NULL)`,
      ),
    ]
  // All polls shown on the site are included: a vote may be cast in one between this query and the batch.
  const open = await db.all<{ id: string }>(sql`
    SELECT p.id FROM poll_votes v JOIN polls p ON p.id = v.poll_id
      WHERE v.user_id = ${userId} AND v.counted_at IS NULL AND p.ends_at > ${at}
    UNION SELECT id FROM (SELECT id FROM polls
      WHERE ends_at > ${at} AND hidden_at IS NULL ORDER BY ends_at, id LIMIT ${limits.maxActivePollsShown})`)
  const hashes = JSON.stringify(
    await Promise.all(open.map(async ({ id }) => [id, await pollMailboxHash(secret, id, mailboxKey)])),
  )
  const candidates = sql`json_each(${hashes}) h
    JOIN users u ON u.id = ${userId} AND u.email_verified_at IS NOT NULL AND u.mailbox_key = ${mailboxKey}
    JOIN polls p ON p.id = h.value ->> 0 AND p.ends_at > ${at}
    JOIN poll_votes v ON v.poll_id = p.id AND v.user_id = u.id AND v.counted_at IS NULL`
  return [
    prepare(
      db,
      sql`INSERT INTO poll_mailboxes (poll_id, hash, user_id) SELECT p.id, h.value ->> 1, u.id FROM ${candidates}
        WHERE true ON CONFLICT DO NOTHING`,
    ),
    prepare(
      db,
      sql`UPDATE poll_votes SET counted_at = ${at} WHERE user_id = ${userId} AND poll_id IN (
        SELECT p.id FROM ${candidates} JOIN poll_mailboxes m
        ON m.poll_id = p.id AND m.hash = h.value ->> 1 AND m.user_id = u.id)`,
    ),
  ]
}
