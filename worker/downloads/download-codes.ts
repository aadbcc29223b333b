import { eq } from 'drizzle-orm'
import { recordAudit } from '../audit/audit'
import type { CodeBatch, CodeBatchDraft } from '../contract/download-codes'
import type { Download } from '../contract/downloads'
import type { Deps } from '../deps'
import { AppError } from '../lib/app-error'
import type { Millis } from '../lib/clock'
import { fromBase64url, newId, sha256, sign } from '../lib/crypto'
import { listCodeDownloads, oldestValidRedemption } from './access'
import { findCodeBatch } from './admin-list'
import { downloadCodes } from './downloads.table'

type CodeDeps = Pick<Deps, 'db' | 'secret'> & { at: Millis }

/** Without characters that look alike. */
const ALPHABET = '0123456789ABCDEFGHJKMNPQRSTVWXYZ'
/** 60 bits. */
const CODE_LENGTH = 12

/** Derives the code at a position of a batch, so that cards can be printed again although only hashes are stored. */
async function deriveCode(secret: string, batchId: string, position: number): Promise<string> {
  const bytes = fromBase64url(await sign(secret, 'download-code', `${batchId} ${position}`))
  return [...bytes.subarray(0, CODE_LENGTH)].map((byte) => ALPHABET[byte % ALPHABET.length]).join('')
}

const hashCode = (secret: string, code: string) => sign(secret, 'download-code-hash', code)

/** 'ABCD-EFGH-JKMN' */
const displayCode = (code: string) => code.replace(/(.{4})(?=.)/g, '$1-')

/** Normalizes a typed code: any case and separators, O for 0, I and L for 1. */
const normalizeCode = (text: string) =>
  text
    .toUpperCase()
    .replace(/[^A-Z0-9]/g, '')
    .replace(/O/g, '0')
    .replace(/[IL]/g, '1')

/** Creates a batch with its codes in one transaction. @throws AppError `not_found` for an unknown release or track. */
export async function addCodeBatch(
  { db, secret, at }: CodeDeps,
  { draft: { name, good, size }, actorId }: { draft: CodeBatchDraft; actorId: number },
): Promise<CodeBatch> {
  const id = newId('codes')
  const hashes = await Promise.all(
    Array.from({ length: size }, async (_, index) => hashCode(secret, await deriveCode(secret, id, index + 1))),
  )
  const d1 = db.$client
  const [inserted] = await d1.batch([
    d1
      .prepare(
        `INSERT INTO download_code_batches (id, name, good, size, created_at) SELECT ?1, ?2, ?3, ?4, ?5
         WHERE EXISTS (SELECT 1 FROM releases WHERE 'release:' || id = ?3) OR EXISTS (SELECT 1 FROM tracks WHERE 'track:' || id = ?3)
         RETURNING id`,
      )
      .bind(id, name, good, size, at),
    d1
      .prepare(
        `INSERT INTO download_codes (hash, batch_id, position) SELECT value, b.id, key + 1
         FROM download_code_batches b JOIN json_each(?2) WHERE b.id = ?1`,
      )
      .bind(id, JSON.stringify(hashes)),
    recordAudit(db, { actorId, action: 'codes.added', subject: `codes:${id}`, detail: { name, size }, at }),
  ])
  if (inserted?.results.length !== 1) throw new AppError('not_found', 'That release or track does not exist.')
  return findCodeBatch(db, id)
}

export type ListedCode = { code: string; isRedeemed: boolean }

/** A batch with its codes in plain text. @throws AppError `not_found`. */
export async function readCodes(
  { db, secret }: Pick<CodeDeps, 'db' | 'secret'>,
  id: string,
): Promise<{ batch: CodeBatch; codes: ListedCode[] }> {
  const batch = await findCodeBatch(db, id)
  const rows = await db
    .select({ position: downloadCodes.position, redeemedAt: downloadCodes.redeemedAt })
    .from(downloadCodes)
    .where(eq(downloadCodes.batchId, id))
    .orderBy(downloadCodes.position)
  const codes = await Promise.all(
    rows.map(async ({ position, redeemedAt }) => ({
      code: displayCode(await deriveCode(secret, id, position)),
      isRedeemed: redeemedAt !== null,
    })),
  )
  return { batch, codes }
}

/**
 * Redeems a code for the browser that has `key` and returns its downloads. The same browser can redeem the code again
 * for REDEMPTION_TTL_DAYS. If an account is logged in, the downloads join its library, unless they are in another's.
 * @throws AppError `unknown_code`; `code_used` for another browser, and after REDEMPTION_TTL_DAYS.
 */
export async function redeemCode(
  { db, secret, at }: CodeDeps,
  { code, key, userId }: { code: string; key: string; userId: number | null },
): Promise<Download[]> {
  const hash = await hashCode(secret, normalizeCode(code))
  const keyHash = await sha256(key)
  const d1 = db.$client
  const [, , stored] = await d1.batch<{ keyHash: string; redeemedAt: number }>([
    d1
      .prepare('UPDATE download_codes SET key_hash = ?2, redeemed_at = ?3 WHERE hash = ?1 AND redeemed_at IS NULL')
      .bind(hash, keyHash, at),
    d1
      .prepare(
        'UPDATE download_codes SET user_id = ?4 WHERE hash = ?1 AND key_hash = ?2 AND redeemed_at > ?3 AND user_id IS NULL',
      )
      .bind(hash, keyHash, oldestValidRedemption(at), userId),
    d1.prepare('SELECT key_hash AS keyHash, redeemed_at AS redeemedAt FROM download_codes WHERE hash = ?1').bind(hash),
  ])
  const row = stored?.results[0]
  if (!row) throw new AppError('unknown_code', 'We don’t know that code. Compare it with your card and enter it again.')
  if (row.keyHash !== keyHash || row.redeemedAt <= oldestValidRedemption(at))
    throw new AppError('code_used', 'This code has been used already. Each code works once.')
  return listCodeDownloads({ db, secret, at }, hash)
}
