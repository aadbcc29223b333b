import { sql } from 'drizzle-orm'
import type { EmailConfirmedHandler } from '../auth/email-confirmed'
import { prepare } from '../db/client'
import type { Deps } from '../deps'
import { AppError } from '../lib/app-error'
import type { Millis } from '../lib/clock'
import { verifySignedValue } from '../lib/crypto'

/** Purpose of the token in a verse's receipt, which confirms or withdraws the verse. */
export const VERSE_TOKEN_PURPOSE = 'verse-withdraw'

const invalidLinkError = () => new AppError('bad_token', 'This link does not work. Please use the link in the email.')

/** The verse that a token is for. @throws AppError `bad_token`. */
export async function readVerseToken(secret: string, token: string): Promise<string> {
  const id = await verifySignedValue(secret, VERSE_TOKEN_PURPOSE, token)
  if (id === null) throw invalidLinkError()
  return id
}

/** Condition on `verse_submissions`: the challenge has no confirmed verse from the same mailbox. */
const IS_MAILBOX_FREE = sql`NOT EXISTS (SELECT 1 FROM verse_submissions other
  WHERE other.challenge_id = verse_submissions.challenge_id AND other.mailbox_key = verse_submissions.mailbox_key
    AND other.confirmed_at IS NOT NULL)`

/** Confirms a verse by emailed token; idempotent. @throws AppError `bad_token`, `conflict` for a second verse. */
export async function confirmVerse(
  { db, secret }: Pick<Deps, 'db' | 'secret'>,
  token: string,
  at: Millis,
): Promise<void> {
  const id = await readVerseToken(secret, token)
  const [, verseRows] = await db.$client.batch<{ confirmedAt: Millis | null }>([
    prepare(
      db,
      sql`UPDATE verse_submissions SET confirmed_at = ${at} WHERE id = ${id} AND confirmed_at IS NULL AND ${IS_MAILBOX_FREE}`,
    ),
    prepare(db, sql`SELECT confirmed_at AS confirmedAt FROM verse_submissions WHERE id = ${id} AND email <> 'deleted'`),
  ])
  const [verse] = verseRows?.results ?? []
  if (!verse) throw invalidLinkError()
  if (verse.confirmedAt === null)
    throw new AppError('conflict', 'You have already confirmed another verse. Each person can enter one.')
}

/**
 * When a user's mailbox is confirmed: confirms the verses that the user sent with an address of that mailbox. After
 * a takeover all unconfirmed verses are detached from the account instead, because a stranger may have sent them.
 */
export const confirmUserVerses: EmailConfirmedHandler = async ({ db }, { userId, mailboxKey, isTakeover }, at) => [
  isTakeover
    ? prepare(
        db,
        sql`UPDATE verse_submissions SET user_id = NULL WHERE user_id = ${userId} AND confirmed_at IS NULL
          AND EXISTS (SELECT 1 FROM users WHERE id = ${userId} AND email_verified_at IS NOT NULL)`,
      )
    : prepare(
        db,
        sql`UPDATE verse_submissions SET confirmed_at = ${at}
          WHERE user_id = ${userId} AND confirmed_at IS NULL AND mailbox_key = ${mailboxKey}
            AND EXISTS (SELECT 1 FROM users WHERE id = ${userId} AND email_verified_at IS NOT NULL) AND ${IS_MAILBOX_FREE}`,
      ),
]
