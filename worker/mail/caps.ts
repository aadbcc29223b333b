import { DAY, MINUTE, type Millis } from '../lib/clock'
import { limits } from '../limits'
import { type Letter, postedWithin } from './outbox'

/** Mail that anybody can cause by typing somebody's address. It is counted together (N3). */
const STRANGERS = ['newsletter_confirm', 'newsletter_already', 'alert_confirm']

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
  const cap = {
    kinds: STRANGERS,
    perMailbox: limits.askedMailsPerMailboxADay,
    inAll: limits.askedMailsADay,
    per: DAY,
  }
  return postedWithin(db, { to, letter, dedupeKey, of, at }, cap, also)
}
