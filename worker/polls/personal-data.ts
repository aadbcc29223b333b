import { sql } from 'drizzle-orm'
import { RETENTION } from '../contract/retention'
import type { BatchResult } from '../db/cleanup-batches'
import type { Deps } from '../deps'
import type { PersonalData } from '../gdpr/personal-data'
import { DAY_MS, type Millis } from '../lib/clock'

const BATCH_SIZE = 500

/**
 * Votes stay counted, and their mailboxes cannot vote again. The text of a supporter's poll is deleted; official polls
 * belong to the artist.
 */
export const personalData: PersonalData = {
  name: 'polls',
  export: ({ userId }) => ({
    votes: sql`SELECT polls.title AS poll, poll_options.title AS option, cast_at, counted_at FROM poll_votes
      JOIN polls ON polls.id = poll_votes.poll_id JOIN poll_options ON poll_options.id = poll_votes.option_id
      WHERE user_id = ${userId} ORDER BY cast_at`,
    polls: sql`SELECT title, description, ends_at, created_at FROM polls WHERE created_by = ${userId} ORDER BY created_at`,
  }),
  erase: ({ userId, at }) => [
    sql`UPDATE ledger SET description = 'Created a poll' WHERE user_id = ${userId} AND action = 'poll_created' AND points > 0`,
    sql`UPDATE poll_options SET title = 'Option ' || position WHERE poll_id IN (
      SELECT id FROM polls WHERE created_by = ${userId} AND official = 0)`,
    sql`UPDATE polls SET title = 'A deleted poll', description = '', hidden_at = coalesce(hidden_at, ${at}),
      title_forgotten_up_to = 0 WHERE created_by = ${userId} AND official = 0`,
    sql`UPDATE poll_mailboxes SET user_id = NULL WHERE user_id = ${userId}`,
  ],
  retention: [
    { name: 'Delete poll titles of deleted accounts', step: clearPollTitles },
    { name: 'Delete mailbox hashes of closed polls', step: deletePollMailboxes },
  ],
}

/** A closed poll accepts no votes, so its mailboxes need not be recognized. */
async function deletePollMailboxes({ db }: Pick<Deps, 'db'>, at: Millis): Promise<BatchResult> {
  const rows = await db.all(sql`DELETE FROM poll_mailboxes WHERE rowid IN (
    SELECT mailbox.rowid FROM polls JOIN poll_mailboxes mailbox ON mailbox.poll_id = polls.id
    WHERE polls.ends_at <= ${at - RETENTION.pollMailboxDays * DAY_MS} LIMIT ${BATCH_SIZE}) RETURNING hash`)
  return { affected: rows.length, more: rows.length === BATCH_SIZE }
}

/** Removes the titles of erased users' polls from the voters' point histories. The poll's row stores the progress. */
async function clearPollTitles({ db: { $client: d1 } }: Pick<Deps, 'db'>): Promise<BatchResult> {
  const voters = `SELECT user_id FROM poll_votes WHERE poll_id = ?1 AND user_id > ?2 ORDER BY user_id LIMIT ${BATCH_SIZE}`
  const poll = await d1
    .prepare(
      'SELECT id, title_forgotten_up_to AS upTo FROM polls WHERE title_forgotten_up_to IS NOT NULL ORDER BY id LIMIT 1',
    )
    .first<{ id: string; upTo: number }>()
  if (!poll) return { affected: 0, more: false }
  const [cleared] = await d1.batch([
    d1
      .prepare(
        `UPDATE ledger SET description = 'Voted in a poll'
         WHERE key = 'poll_vote:' || ?1 AND user_id IN (${voters}) RETURNING id`,
      )
      .bind(poll.id, poll.upTo),
    d1
      .prepare(`UPDATE polls SET title_forgotten_up_to = (SELECT max(user_id) FROM (${voters})) WHERE id = ?1`)
      .bind(poll.id, poll.upTo),
  ])
  return { affected: cleared?.results.length ?? 0, more: true }
}
