import { sql } from 'drizzle-orm'
import type { Deps } from '../deps'
import { type Email, enqueueEmail } from '../email/outbox'
import { DAY_MS, type Millis } from '../lib/clock'
import { readSiteName } from '../site/site'
import { FINALISTS_PUBLIC_AT, HIDDEN_FINALIST_NAME, isFinalistHiddenSql } from './challenge-state'
import { type FinalistEmailProps, finalistEmail, resultEmail, winnerEmail } from './emails'

/**
 * How long after the event an email is still sent. Shorter than the retention of outbox rows
 * (RETENTION.emailRecipientDays), which prevent a second email.
 */
const NOTIFY_WINDOW_MS: Millis = 30 * DAY_MS
const BATCH_SIZE = 50

type RecipientRow = Omit<FinalistEmailProps, 'siteName' | 'origin' | 'sharedWith'> & {
  verse: string
  email: string
  /** JSON array of the names of the other finalists with as many votes. */
  sharedNames: string
}

// SQL conditions, ?1 is now.
/** The finalist became public recently, is not hidden, and can still receive votes. */
const IS_NEW_FINALIST = `${FINALISTS_PUBLIC_AT} <= ?1 AND ${FINALISTS_PUBLIC_AT} > ?1 - ${NOTIFY_WINDOW_MS} AND c.sealed_at IS NULL AND ?1 < c.voting_closes_at
  AND NOT ${isFinalistHiddenSql('f')}`
/** The result became public recently. */
const HAS_NEW_RESULT = `c.ballots_sha256 IS NOT NULL AND c.publish_at <= ?1 AND max(c.publish_at, c.sealed_at) > ?1 - ${NOTIFY_WINDOW_MS}`
const IS_WINNER = `${HAS_NEW_RESULT}
  AND f.votes > 0 AND f.votes = (SELECT max(votes) FROM challenge_finalists WHERE challenge_id = c.id)`

const FINALIST_EMAILS: readonly { key: string; condition: string; render: (props: FinalistEmailProps) => Email }[] = [
  { key: 'finalist', condition: IS_NEW_FINALIST, render: finalistEmail },
  { key: 'winner', condition: IS_WINNER, render: winnerEmail },
  { key: 'result', condition: HAS_NEW_RESULT, render: resultEmail },
]

const recipientsSql = (condition: string) => `challenges c JOIN challenge_finalists f ON f.challenge_id = c.id
  JOIN verse_submissions v ON v.id = f.submission_id WHERE c.removed_at IS NULL AND v.email <> 'deleted' AND ${condition}`

/**
 * Emails finalists when they become public, and finalists and winners when the result is. Scheduled every few minutes;
 * the outbox deduplicates.
 */
export async function notifyEntrants({ db, origin }: Pick<Deps, 'db' | 'origin'>, at: Millis): Promise<void> {
  const siteName = await readSiteName(db)
  for (const { key, condition, render } of FINALIST_EMAILS) {
    const { results } = await db.$client
      .prepare(
        `SELECT v.id AS verse, v.email, f.name AS stageName, c.id AS challengeId, c.title AS challenge, c.prize,
           c.voting_from AS votingFrom, c.voting_until AS votingUntil, c.closed_on AS closedOn,
           coalesce(c.ballots_sha256, '') AS sha256, coalesce(c.ballots_count, 0) AS ballots,
           (SELECT json_group_array(name) FROM (
             SELECT iif(${isFinalistHiddenSql('other')}, '${HIDDEN_FINALIST_NAME}', other.name) AS name FROM challenge_finalists other
             WHERE other.challenge_id = c.id AND other.id <> f.id AND other.votes = f.votes ORDER BY other.position)) AS sharedNames
         FROM ${recipientsSql(condition)} AND NOT EXISTS (SELECT 1 FROM outbox WHERE dedupe_key = '${key}:' || v.id) LIMIT ${BATCH_SIZE}`,
      )
      .bind(at)
      .all<RecipientRow>()
    const statements = results.map(({ verse, email: recipient, sharedNames, ...props }) => {
      const email = render({
        ...props,
        sharedWith: JSON.parse(sharedNames),
        siteName,
        origin,
      })
      // An entrant who withdraws the verse in the meantime gets no email.
      const isStillEntered = sql`EXISTS (SELECT 1 FROM challenge_finalists f JOIN verse_submissions v ON v.id = f.submission_id
        WHERE v.id = ${verse} AND v.email <> 'deleted')`
      return enqueueEmail(db, { to: recipient, email, dedupeKey: `${key}:${verse}`, at, when: isStillEntered })
    })
    if (statements.length > 0) await db.$client.batch(statements)
  }
}
