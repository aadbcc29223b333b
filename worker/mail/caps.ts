import { DAY, MINUTE, type Millis } from '../lib/clock'
import { limits } from '../limits'
import { type Cap, isWithin, type Letter, postedWithin } from './outbox'

/** Mail that anybody can cause by typing somebody's address. It is counted together (N3). */
const STRANGERS: Cap = {
  kinds: ['newsletter_confirm', 'newsletter_already', 'alert_confirm', 'alert_already'],
  perMailbox: limits.askedMailsPerMailboxADay,
  inAll: limits.askedMailsADay,
  per: DAY,
}

/** Two tries within so long are one mail: fifty presses of a button do not fill a mailbox. */
const ONE_ASKING: Millis = 10 * MINUTE

/** `of` is SQL of what is asked about: asking anew about another is another mail. */
type Asked = { to: string; letter: Letter; key: string; of?: string; at: Millis }

/**
 * The statement that mails what somebody, whoever they are, asked for on a public form: at most a few a day to one
 * mailbox, aliases folded, and a bound for all of them together. Beyond that it silently does nothing. `when` is SQL
 * that must hold as well; its parameters start at ?14.
 */
export function askedFor(
  db: D1Database,
  { to, letter, key, of, at }: Asked,
  also?: { when: string; values: readonly (string | number)[] },
): D1PreparedStatement {
  const dedupeKey = `${key}:${Math.floor(at / ONE_ASKING)}`
  return postedWithin(db, { to, letter, dedupeKey, of, at }, STRANGERS, also)
}

/** Whether asking would still be mailed today. Only for whoever has shown that the address is theirs. */
export const mayAsk = (db: D1Database, to: string, at: Millis): Promise<boolean> => isWithin(db, to, STRANGERS, at)

type Post = { to: string; letter: Letter; dedupeKey: string; at: Millis }

/**
 * The statement that mails a new account the link that verifies its address. One mailbox gets so many a day, under
 * however many aliases accounts are made; each kind of mail is counted by itself, so that no stranger uses up another.
 */
export function postedToNewcomer(db: D1Database, post: Post): D1PreparedStatement {
  return postedWithin(db, post, {
    kinds: ['verify'],
    perMailbox: limits.verifyMailsPerMailboxADay,
    inAll: null,
    per: DAY,
  })
}

/** The same for the receipt of an inquiry. */
export function postedToInquirer(db: D1Database, post: Post): D1PreparedStatement {
  return postedWithin(db, post, { ...STRANGERS, kinds: ['inquiry_received'] })
}

/** The same for whoever sent a verse, once it was taken: `id` is its own. */
export function postedToEntrant(db: D1Database, post: Post, id: string): D1PreparedStatement {
  return postedWithin(
    db,
    post,
    { ...STRANGERS, kinds: ['verse_received'] },
    { when: 'EXISTS (SELECT 1 FROM verse_submissions WHERE id = ?14)', values: [id] },
  )
}
