import { eq, sql } from 'drizzle-orm'
import { recordAudit, recordAuditIfChanged } from '../audit/audit'
import { getLatestVotedChallenge } from '../challenge/challenge'
import { exportsApi } from '../contract/exports'
import { prepare } from '../db/client'
import type { Deps } from '../deps'
import { enqueueEmail } from '../email/outbox'
import { AppError } from '../lib/app-error'
import { HOUR_MS, type Millis } from '../lib/clock'
import { newId, signValue, verifySignedValue } from '../lib/crypto'
import { limits } from '../limits'
import { consumeQuotas, QUOTAS, quotaUse, rateLimitedError } from '../quotas/quotas'
import { readSiteName } from '../site/site'
import { csvLinkEmail } from './emails'
import { csvLinks } from './exports.table'
import { EXPORT_SOURCES } from './sources'
import { writeCsv } from './write-csv'

const PURPOSE = 'csv-link'

/**
 * Emails a signed link to the ballots CSV, which expires and allows a limited number of downloads. The audit entry
 * names the sender, not the recipient.
 * @throws AppError `rate_limited`.
 */
export async function sendCsvLink(
  { db, secret, origin }: Pick<Deps, 'db' | 'secret' | 'origin'>,
  { sender, email, at }: { sender: { userId: number; username: string }; email: string; at: Millis },
): Promise<void> {
  const use = await quotaUse(secret, QUOTAS.csvLinksPerAccount, String(sender.userId))
  if (!(await consumeQuotas({ db }, [use], at)))
    throw rateLimitedError('You have sent several links just now. Please wait an hour.', use.quota)
  const id = newId('link')
  const message = csvLinkEmail({
    siteName: await readSiteName(db),
    origin,
    token: await signValue(secret, PURPOSE, id),
    sender: sender.username,
    hours: limits.csvLinkTtlHours,
    downloads: limits.maxCsvLinkUses,
  })
  const expiresAt = at + limits.csvLinkTtlHours * HOUR_MS
  await db.$client.batch([
    prepare(db, sql`INSERT INTO csv_links (id, sender_id, expires_at) VALUES (${id}, ${sender.userId}, ${expiresAt})`),
    enqueueEmail(db, { to: email, email: message, dedupeKey: `csv-link:${id}`, at }),
    recordAudit(db, { actorId: sender.userId, action: 'csv_link.sent', subject: `csv_link:${id}`, at }),
  ])
}

/**
 * Uses one download of a link; the audit entry names the link's sender.
 * @throws AppError `bad_token` for a link that is invalid, expired, used up, or whose sender may no longer send one.
 */
export async function redeemCsvLink(
  { db, secret }: Pick<Deps, 'db' | 'secret'>,
  token: string,
  at: Millis,
): Promise<void> {
  const id = await verifySignedValue(secret, PURPOSE, token)
  const [link] = await db
    .select()
    .from(csvLinks)
    .where(eq(csvLinks.id, id ?? ''))
  if (!link) throw invalidLinkError()
  const [redeemed] = await db.$client.batch([
    prepare(
      db,
      sql`UPDATE csv_links SET uses = uses + 1
        WHERE id = ${link.id} AND expires_at > ${at} AND uses < ${limits.maxCsvLinkUses}
          AND EXISTS (SELECT 1 FROM users JOIN team_members ON team_members.user_id = users.id
            WHERE users.id = sender_id AND users.role = 'administrator' AND banned_at IS NULL AND erased_at IS NULL
              AND team_members.role IN (SELECT value FROM json_each(${JSON.stringify(exportsApi.emailBallots.roles)})))
        RETURNING id`,
    ),
    recordAuditIfChanged(db, {
      actorId: link.senderId,
      action: 'csv_link.used',
      subject: `csv_link:${link.id}`,
      at,
    }),
  ])
  if (redeemed?.results.length !== 1) throw invalidLinkError()
}

const invalidLinkError = () =>
  new AppError('bad_token', 'This link no longer works. Please ask the sender for a new one.')

/**
 * Writes the ballots CSV of the latest finished challenge if it is missing, and returns its R2 key. The key contains
 * the digest of the ballots, which no longer change.
 * @throws AppError `not_found` before a challenge with votes has finished.
 */
export async function ensureBallotsCsv({ db, files }: Pick<Deps, 'db' | 'files'>, at: Millis): Promise<string> {
  const { id, ballotsSha256 } = await getLatestVotedChallenge(db, at)
  const key = `exports/ballots-${ballotsSha256}.csv`
  if (!(await files.head(key)))
    await writeCsv({
      db,
      files,
      key,
      source: EXPORT_SOURCES['golden-verse-votes'],
      filter: { where: 'row.challenge_id = ?4', values: [id] },
    })
  return key
}
