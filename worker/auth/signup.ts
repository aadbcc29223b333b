import type * as z from 'zod/mini'
import type { SignUp } from '../contract/credentials'
import type { Millis } from '../lib/clock'
import { fold } from '../lib/fold'
import { mailboxKey } from '../lib/mailbox'
import { personHashes } from '../lib/person-hashes'
import { Refused } from '../lib/refused'
import { postedToNewcomer } from '../mail/caps'
import { isCommonPassword } from './common-passwords'
import { verifyLetter } from './letters'
import { keepToken, newMailToken } from './mail-tokens'
import { isReserved, usernameKey } from './names'
import { hashPassword } from './password'
import { PERSON, type PersonRow } from './people'
import { keepPhone } from './phone'
import { countedReferrer, ownCode, payNewcomer, referralKey } from './referrals'

const REFERRER = countedReferrer({ referrer: '?9', here: '?11', mailbox: '?5', phone: '?7', had: '?13' })

type House = { db: D1Database; secret: string; origin: string }

/**
 * Makes an account: the person, their referral code, the 50 points of a referral that counts, and the mail that asks to
 * verify the address, in one batch; a mailbox that was mailed often today gets none, and the account is made. `here` is who was logged in to this browser: nobody refers themselves.
 * @throws Refused `name_taken`, `email_taken`, `unknown_code`, or `bad_input` for a password or name that cannot be had.
 */
export async function signUp(
  { db, secret, origin }: House,
  input: z.output<typeof SignUp>,
  { here, now }: { here: number | null; now: Millis },
): Promise<PersonRow> {
  const key = usernameKey(input.username)
  const emailKey = fold(input.email)
  const code = referralKey(input.referralCode ?? '')
  const known = await look(db, { key, emailKey, code })
  if (known.nameTaken || isReserved(input.username, known.siteName)) throw nameTaken()
  if (known.emailTaken) throw emailTaken()
  if (code && known.referrer === null)
    throw new Refused('unknown_code', 'We do not know that referral code. Please correct it or clear the field.')
  refuseCommon(input.password, [input.username, emailKey.split('@')[0] ?? '', known.siteName])
  const phone = input.phoneNumber ? await keepPhone(secret, input.phoneNumber) : null

  const passwordHash = await hashPassword(input.password)
  const { token, hash } = await newMailToken()
  const letter = verifyLetter({ siteName: known.siteName, origin, username: input.username, token })
  const mailbox = mailboxKey(input.email)
  const results = await db
    .batch<PersonRow>([
      db
        .prepare(
          `INSERT INTO users (username, username_key, email, email_key, mailbox_key, password_hash, phone_hash, phone_last2,
             referred_by, created_at, last_active_at, age_wording, age_confirmed_at)
           SELECT ?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8,
             ${REFERRER}, ?10, ?10, ?12, iif(?12 IS NULL, NULL, ?10)`,
        )
        .bind(
          input.username,
          key,
          input.email,
          emailKey,
          mailbox,
          passwordHash,
          phone?.hash ?? null,
          phone?.last2 ?? null,
          known.referrer,
          now,
          here,
          input.ageWording ?? null,
          await personHashes(secret, 'referral', { mailboxKey: mailbox, phoneHash: phone?.hash ?? null }),
        ),
      ownCode(db, key),
      payNewcomer(db, key, now),
      keepToken(db, { usernameKey: key }, { hash, purpose: 'verify', at: now }),
      postedToNewcomer(db, { to: input.email, letter, dedupeKey: `verify:${hash}`, at: now }),
      db.prepare(`SELECT ${PERSON} FROM users WHERE users.username_key = ?1`).bind(key),
    ])
    .catch(refuseTaken)
  const person = results.at(-1)?.results[0]
  if (!person) throw new Error('The new account is not there.')
  return person
}

/** @throws Refused `bad_input` for a password that is easily guessed; `known` are words that everybody knows. */
export function refuseCommon(password: string, known: readonly string[]): void {
  if (isCommonPassword(password, known))
    throw new Refused('bad_input', 'That password is easily guessed. Please choose another.')
}

export const nameTaken = () => new Refused('name_taken', 'That username is taken. Please choose another.')
const emailTaken = () => new Refused('email_taken', 'There is an account with that address already. Please log in.')

/** Somebody was faster between the look and the write: the constraints decide. */
export function refuseTaken(error: Error): never {
  const text = `${error.message} ${error.cause instanceof Error ? error.cause.message : ''}`
  if (text.includes('users.username_key')) throw nameTaken()
  if (text.includes('users.email_key')) throw emailTaken()
  throw error
}

type Known = { siteName: string; nameTaken: number; emailTaken: number; referrer: number | null }

async function look(
  db: D1Database,
  { key, emailKey, code }: { key: string; emailKey: string; code: string },
): Promise<Known> {
  const row = await db
    .prepare(
      `SELECT coalesce((SELECT name FROM site), 'This site') AS siteName,
         EXISTS (SELECT 1 FROM users WHERE username_key = ?1) AS nameTaken,
         EXISTS (SELECT 1 FROM users WHERE email_key = ?2) AS emailTaken,
         (SELECT id FROM users WHERE referral_code = ?3 AND banned_at IS NULL AND erased_at IS NULL) AS referrer`,
    )
    .bind(key, emailKey, code)
    .first<Known>()
  if (!row) throw new Error('A SELECT without FROM returned nothing.')
  return row
}
