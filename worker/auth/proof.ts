import { DAY, MINUTE, type Millis, SECOND } from '../lib/clock'
import { Refused } from '../lib/refused'
import { sign } from '../lib/signature'
import { limits } from '../limits'
import { posted } from '../mail/outbox'
import { allowed, attemptKey } from './attempts'
import { confirmLetter } from './letters'
import { keepToken } from './mail-tokens'
import { verifyPassword } from './password'
import type { Caller } from './people'
import type { Claim } from './sessions'

/** How long after proving who they are somebody may export, erase or set a first password. */
export const PROOF_LIFE: Millis = 15 * MINUTE

type House = { db: D1Database; secret: string }
export type Proof = { password: string } | { code: string }

/**
 * An administrator's session is proven by its log-in alone, and is told so.
 * @throws Refused `confirm_required` when the session's owner has not shown who they are for a quarter of an hour.
 */
export function requireProof({ provenAt, kind }: Claim, now: Millis): void {
  if (now - provenAt <= PROOF_LIFE) return
  throw new Refused(
    'confirm_required',
    kind === 'administrator'
      ? 'This needs a log-in of the last 15 minutes. Please log out and in again.'
      : 'Please confirm that it is you, then try again.',
  )
}

/**
 * Checks the password or the mailed code of somebody who is logged in. Tries are counted before anything is hashed.
 * @throws Refused `bad_credentials`, `rate_limited`.
 */
export async function prove({ db, secret }: House, { userId }: Caller, proof: Proof, now: Millis): Promise<void> {
  const key = await attemptKey(secret, 'prove', String(userId))
  const per = limits.loginWindowMinutes * MINUTE
  if (!(await allowed(db, key, { max: limits.loginTriesHere, per }, now)))
    throw new Refused('rate_limited', 'Too many tries. Please wait a few minutes.', { retryAfterSeconds: per / SECOND })
  if ('code' in proof) {
    const used = await db
      .prepare(
        `UPDATE mail_tokens SET used_at = ?2 WHERE hash = ?1 AND purpose = 'confirm' AND used_at IS NULL AND expires_at > ?2
           AND email_key = (SELECT email_key FROM users WHERE id = mail_tokens.user_id) RETURNING hash`,
      )
      .bind(await codeHash(secret, userId, proof.code), now)
      .first()
    if (!used) throw new Refused('bad_credentials', 'That code is not right, or it is over. Please ask for a new one.')
    return
  }
  const row = await db
    .prepare('SELECT password_hash AS hash FROM users WHERE id = ?1')
    .bind(userId)
    .first<{ hash: string | null }>()
  const { matches } = await verifyPassword(proof.password, row?.hash ?? null)
  if (!matches) throw new Refused('bad_credentials', 'That password is not right.')
}

/**
 * Mails six digits that prove who is there; the ones before are dead. A few times a day: the address may be somebody
 * else's. @throws Refused `conflict` without an address, `rate_limited`.
 */
export async function mailCode({ db, secret }: House, { userId, username, email }: Caller, now: Millis): Promise<void> {
  if (email === '') throw new Refused('conflict', 'This account has no address that a code could go to.')
  const key = await attemptKey(secret, 'mail-confirm', String(userId))
  if (!(await allowed(db, key, { max: limits.mailsPerAddressADay, per: DAY }, now)))
    throw new Refused('rate_limited', 'We have mailed you enough codes for today. Please use the newest one.', {
      retryAfterSeconds: DAY / SECOND,
    })
  const code = String(crypto.getRandomValues(new Uint32Array(1))[0]! % 1_000_000).padStart(6, '0')
  const hash = await codeHash(secret, userId, code)
  const site = await db
    .prepare("SELECT coalesce((SELECT name FROM site), 'This site') AS name")
    .first<{ name: string }>()
  await db.batch([
    db.prepare("DELETE FROM mail_tokens WHERE user_id = ?1 AND purpose = 'confirm'").bind(userId),
    keepToken(db, { id: userId }, { hash, purpose: 'confirm', at: now }),
    posted(db, {
      to: email,
      letter: confirmLetter({ siteName: site?.name ?? '', username, code }),
      dedupeKey: `confirm:${userId}:${now}`,
      at: now,
    }),
  ])
}

// Keyed: six digits behind a plain hash could be tried out by whoever reads the table.
const codeHash = (secret: string, userId: number, code: string) => sign(secret, 'confirm-code', `${userId}:${code}`)
