import type { Millis } from '../lib/clock'
import { fold } from '../lib/fold'
import { mailboxKey } from '../lib/mailbox'
import { personHashes } from '../lib/person-hashes'
import { Refused } from '../lib/refused'
import type { Identity } from './id-token'
import { isReserved, usernameKey } from './names'
import { PERSON, type PersonRow } from './people'
import { countedReferrer, ownCode, payNewcomer, payReferrer, referralKey, type TypedReferral } from './referrals'

const PROVIDER = 'google'
export const googleFailed = () => new Refused('bad_credentials', 'Google sign-in failed')

type House = { db: D1Database; secret: string }
/** What somebody brings along: a referral, and below which words about their age they pressed the button, if any. */
type Arrival = TypedReferral & { ageWording: string | null }

/**
 * The account of somebody whom Google vouches for: the one that this subject has logged in to before, whatever its
 * address is now; else the one with the same address; else a new one with a name made of theirs.
 * @throws Refused `bad_credentials` when Google has not verified the address; `forbidden` for a suspended account.
 */
export async function personOfGoogle(
  { db, secret }: House,
  identity: Identity,
  arrival: Arrival,
  now: Millis,
): Promise<PersonRow> {
  const known = await bySubject(db, identity.subject)
  if (known) return admit(known)
  if (!identity.emailVerified) throw googleFailed()
  const emailKey = fold(identity.email)
  const holder = await db
    .prepare(
      'SELECT id, email_verified_at IS NOT NULL AS verified FROM users WHERE email_key = ?1 AND erased_at IS NULL',
    )
    .bind(emailKey)
    .first<{ id: number; verified: number }>()
  await (holder ? link(db, holder, identity, now) : create({ db, secret }, identity, emailKey, arrival, now))
  const person = await bySubject(db, identity.subject)
  if (!person) throw new Error('The Google account was not stored.')
  return admit(person)
}

function admit(person: PersonRow): PersonRow {
  if (person.banned) throw new Refused('forbidden', 'This account has been suspended.')
  return person
}

function bySubject(db: D1Database, subject: string): Promise<PersonRow | null> {
  return db
    .prepare(
      `SELECT ${PERSON} FROM identities JOIN users ON users.id = identities.user_id
       WHERE identities.provider = '${PROVIDER}' AND identities.subject = ?1 AND users.erased_at IS NULL`,
    )
    .bind(subject)
    .first<PersonRow>()
}

const identityRow = (
  db: D1Database,
  { subject }: Identity,
  column: 'id' | 'username_key',
  value: number | string,
  now: Millis,
) =>
  db
    .prepare(
      `INSERT INTO identities (provider, subject, user_id, created_at)
       SELECT '${PROVIDER}', ?1, id, ?2 FROM users WHERE ${column} = ?3 AND erased_at IS NULL ON CONFLICT DO NOTHING`,
    )
    .bind(subject, now, value)

/**
 * Joins Google to the account of this address. If nobody has verified the address here, whoever chose the password may
 * not be its owner: password, sessions and mailed links of the account end (security: pre-hijacking).
 */
async function link(
  db: D1Database,
  holder: { id: number; verified: number },
  identity: Identity,
  now: Millis,
): Promise<void> {
  const takeOver = holder.verified
    ? []
    : [
        db
          .prepare(
            `UPDATE users SET email_verified_at = ?2, password_hash = NULL, phone_hash = NULL, phone_last2 = NULL,
               session_epoch = session_epoch + 1 WHERE id = ?1 AND email_verified_at IS NULL AND erased_at IS NULL`,
          )
          .bind(holder.id, now),
        db.prepare('DELETE FROM mail_tokens WHERE user_id = ?1').bind(holder.id),
        payReferrer(db, { id: holder.id }, now),
      ]
  await db.batch([...takeOver, identityRow(db, identity, 'id', holder.id, now)])
}

const REFERRER = countedReferrer({ referrer: '?7', here: '?8', mailbox: '?6', had: '?10' })

async function create(
  { db, secret }: House,
  identity: Identity,
  emailKey: string,
  arrival: Arrival,
  now: Millis,
): Promise<void> {
  const code = referralKey(arrival.code)
  const site = await db
    .prepare(
      `SELECT coalesce((SELECT name FROM site), '') AS name,
         (SELECT id FROM users WHERE referral_code = ?1 AND banned_at IS NULL AND erased_at IS NULL) AS referrer`,
    )
    .bind(code)
    .first<{ name: string; referrer: number | null }>()
  const mailbox = mailboxKey(identity.email)
  const had = await personHashes(secret, 'referral', { mailboxKey: mailbox, phoneHash: null })
  for (const username of namesOf(identity, site?.name ?? '')) {
    const key = usernameKey(username)
    const taken = await db
      .batch([
        db
          .prepare(
            `INSERT INTO users (username, username_key, email, email_key, email_verified_at, mailbox_key, referred_by,
               created_at, last_active_at, age_wording, age_confirmed_at)
             SELECT ?1, ?2, ?3, ?4, ?5, ?6, ${REFERRER}, ?5, ?5, ?9, iif(?9 IS NULL, NULL, ?5)`,
          )
          .bind(
            username,
            key,
            identity.email,
            emailKey,
            now,
            mailbox,
            site?.referrer ?? null,
            arrival.here,
            arrival.ageWording,
            had,
          ),
        ownCode(db, key),
        payNewcomer(db, key, now),
        identityRow(db, identity, 'username_key', key, now),
        payReferrer(db, { usernameKey: key }, now),
      ])
      .then(
        () => false,
        (error: Error) => {
          if (error.message.includes('users.username_key')) return true
          // Another tab of the same person was faster: its account is the one.
          if (error.message.includes('users.email_key')) return false
          throw error
        },
      )
    if (taken) continue
    return
  }
  throw new Refused('conflict', 'We found no free name for you. Please sign up with your address instead.')
}

/** Names to try for somebody, nicest first: theirs, their mailbox's, then with a number. They can change it later. */
function namesOf({ name, email }: Identity, siteName: string): string[] {
  const plain = (text: string) =>
    text
      .normalize('NFKD')
      .replace(/[^A-Za-z0-9._-]/g, '')
      .slice(0, 24)
  const bases = [plain(name.replace(/\s+/g, '.')), plain(email.split('@')[0] ?? ''), 'supporter'].filter(
    (base) => base.length >= 3 && /[A-Za-z0-9]/.test(base),
  )
  const numbered = Array.from({ length: 8 }, () => `${bases[0]}${crypto.getRandomValues(new Uint16Array(1))[0]}`)
  return [...bases, ...numbered].filter((username) => !isReserved(username, siteName))
}
