import { sql } from 'drizzle-orm'
import type { EmailConfirmedHandler } from '../auth/email-confirmed'
import { prepare } from '../db/client'
import { limits } from '../limits'
import { pollMailboxHash } from './vote'

/**
 * Statements that count a user's pending votes when the email is confirmed, in open polls where no other account of the
 * mailbox has a counted vote. A takeover deletes them instead, so that the mailbox's owner can vote; the points stay.
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
  // Includes every poll that the site shows: the user may vote in one between this query and the batch.
  const openPolls = await db.all<{ id: string }>(sql`
    SELECT poll.id FROM poll_votes vote JOIN polls poll ON poll.id = vote.poll_id
      WHERE vote.user_id = ${userId} AND vote.counted_at IS NULL AND poll.ends_at > ${at}
    UNION SELECT id FROM (SELECT id FROM polls
      WHERE ends_at > ${at} AND hidden_at IS NULL ORDER BY ends_at, id LIMIT ${limits.maxActivePollsShown})`)
  const hashes = JSON.stringify(
    await Promise.all(openPolls.map(async ({ id }) => [id, await pollMailboxHash(secret, id, mailboxKey)])),
  )
  const candidates = sql`json_each(${hashes}) hashed
    JOIN users voter ON voter.id = ${userId} AND voter.email_verified_at IS NOT NULL AND voter.mailbox_key = ${mailboxKey}
    JOIN polls poll ON poll.id = hashed.value ->> 0 AND poll.ends_at > ${at}
    JOIN poll_votes vote ON vote.poll_id = poll.id AND vote.user_id = voter.id AND vote.counted_at IS NULL`
  return [
    prepare(
      db,
      sql`INSERT INTO poll_mailboxes (poll_id, hash, user_id) SELECT poll.id, hashed.value ->> 1, voter.id FROM ${candidates}
        WHERE true ON CONFLICT DO NOTHING`,
    ),
    prepare(
      db,
      sql`UPDATE poll_votes SET counted_at = ${at} WHERE user_id = ${userId} AND poll_id IN (
        SELECT poll.id FROM ${candidates} JOIN poll_mailboxes mailbox
        ON mailbox.poll_id = poll.id AND mailbox.hash = hashed.value ->> 1 AND mailbox.user_id = voter.id)`,
    ),
  ]
}
