import { sql } from 'drizzle-orm'
import type { Caller } from '../auth/current-user'
import type { VerseDraft } from '../contract/drafts'
import type { Deps } from '../deps'
import { enqueueWithinQuotas, requestedEmailQuotas } from '../email/email-quotas'
import { AppError } from '../lib/app-error'
import { type Millis, toIso, utcToZonedTime } from '../lib/clock'
import { newId, signValue } from '../lib/crypto'
import { mailboxKey } from '../lib/email'
import { consumeQuotas, QUOTAS, quotaUse, rateLimitedError } from '../quotas/quotas'
import { site } from '../site/site.table'
import { type IncomingFile, receiveAudio } from '../uploads/receive'
import { uploadId, uploadKey } from '../uploads/uploads'
import { normalizePhone } from '../users/phone'
import { requireChallenge } from './challenge-state'
import { VERSE_TOKEN_PURPOSE } from './confirm-verse'
import { verseReceivedEmail } from './emails'

const submissionsClosedError = () => new AppError('closed', 'Submissions are not open right now.')

const NETWORK_LIMIT_MESSAGE =
  'Too many recordings were sent from this network today. Log in or sign up to send yours now, or come back tomorrow.'

/** SQL condition, ?1 now. */
const ACCEPTS_VERSES = 'submissions_open_at <= ?1 AND ?1 < submissions_close_at AND removed_at IS NULL'

/**
 * Stores a recording for a later submission and returns its upload id and size. @throws AppError `closed` when no
 * challenge accepts verses, `rate_limited`, and the errors of `receiveAudio`.
 */
export async function saveVerseAudio(
  { db, files, secret }: Pick<Deps, 'db' | 'files' | 'secret'>,
  { address, ...upload }: Omit<IncomingFile, 'db' | 'files'> & { address: string },
): Promise<{ recording: string; sizeBytes: number }> {
  const { ownerId, at } = upload
  if (!(await db.$client.prepare(`SELECT 1 FROM challenges WHERE ${ACCEPTS_VERSES}`).bind(at).first()))
    throw submissionsClosedError()
  const [subject, quota, message] =
    ownerId === null
      ? ([`address ${address}`, QUOTAS.verseUploadsPerAddress, NETWORK_LIMIT_MESSAGE] as const)
      : ([
          `user ${ownerId}`,
          QUOTAS.verseUploadsPerAccount,
          'You have sent as many recordings as you can today. Please come back tomorrow.',
        ] as const)
  if (!(await consumeQuotas({ db }, [await quotaUse(secret, quota, subject)], at)))
    throw rateLimitedError(message, quota)
  const { audio, sizeBytes } = await receiveAudio({ ...upload, db, files })
  return { recording: uploadId(audio), sizeBytes }
}

/** SQL condition: the recording is a complete upload, by a visitor or by this account. */
const isUploadedSql = (
  recording: string,
  userId: string,
) => `EXISTS (SELECT 1 FROM uploads WHERE uploads.id = ${recording}
  AND kind = 'audio' AND stored_at IS NOT NULL AND (owner_id IS NULL OR owner_id IS ${userId}))`

/** SQL condition: the account, if there is one, was not erased meanwhile. */
const userExistsSql = (userId: string) =>
  `(${userId} IS NULL OR EXISTS (SELECT 1 FROM users WHERE users.id = ${userId} AND erased_at IS NULL))`

/**
 * ?1 now, ?2 id, ?3 challenge, ?4 name, ?5 address, ?6 phone, ?7 user, ?8 mailbox key, ?9 terms, ?10 R2 key,
 * ?11 recording, ?12 time of confirmation. Atomic: one verse per account and confirmed mailbox, during submissions.
 */
const INSERT_VERSE_SQL = `
  INSERT INTO verse_submissions (id, challenge_id, name, email, phone_number, submitted_at, user_id, mailbox_key,
    terms_version, audio_key, confirmed_at)
  SELECT ?2, id, ?4, ?5, ?6, ?1, ?7, ?8, ?9, ?10, ?12 FROM challenges WHERE id = ?3 AND ${ACCEPTS_VERSES}
    AND NOT EXISTS (SELECT 1 FROM verse_submissions WHERE challenge_id = ?3 AND mailbox_key = ?8 AND confirmed_at IS NOT NULL)
    AND ${isUploadedSql('?11', '?7')} AND ${userExistsSql('?7')}
  ON CONFLICT DO NOTHING RETURNING id`

/** The account that enters a verse; null for a visitor. */
type Entrant = Pick<Caller, 'userId' | 'emailVerified' | 'mailboxKey'> | null

/**
 * Saves a verse and queues its receipt. A verse with an address of the account's confirmed mailbox counts at once; any
 * other counts once its emailed link confirms it.
 * @throws AppError `not_found`; `closed`; `signed_out` if the account was erased meanwhile; `conflict` for a second
 *   verse; `bad_input` for an invalid phone number or recording.
 */
export async function submitVerse(
  { db, secret, origin }: Pick<Deps, 'db' | 'secret' | 'origin'>,
  {
    challengeId,
    draft,
    entrant,
    network,
    at,
  }: { challengeId: string; draft: VerseDraft; entrant: Entrant; network: string; at: Millis },
): Promise<{ id: string; submittedAt: string }> {
  const challenge = await requireChallenge(db, challengeId)
  const phone = await normalizePhone(draft.phoneNumber)
  const id = newId('verse')
  const userId = entrant?.userId ?? null
  const mailbox = mailboxKey(draft.email)
  const isConfirmed = entrant?.emailVerified === true && entrant.mailboxKey === mailbox
  const siteRow = await db.select({ name: site.name, zone: site.timeZone }).from(site).get()
  const zone = siteRow?.zone ?? 'UTC'
  const email = verseReceivedEmail({
    siteName: siteRow?.name ?? 'This site',
    origin,
    token: await signValue(secret, VERSE_TOKEN_PURPOSE, id),
    challenge: challenge.title,
    isConfirmed,
    finalistsOn: challenge.finalistsOn,
  })
  const [verse, , , checks] = await db.$client.batch<{
    id?: string
    hasEntered?: number
    isUploaded?: number
    userExists?: number
  }>([
    db.$client
      .prepare(INSERT_VERSE_SQL)
      .bind(
        at,
        id,
        challengeId,
        draft.name,
        draft.email,
        phone,
        userId,
        mailbox,
        draft.terms,
        uploadKey(draft.recording),
        draft.recording,
        isConfirmed ? at : null,
      ),
    ...enqueueWithinQuotas(db, {
      to: draft.email,
      email,
      dedupeKey: `verse:${id}`,
      at,
      quotas: await requestedEmailQuotas({ db, secret }, draft.email, { userId, network }),
      when: sql`EXISTS (SELECT 1 FROM verse_submissions WHERE id = ${id})`,
    }),
    db.$client
      .prepare(
        `SELECT EXISTS (SELECT 1 FROM verse_submissions
           WHERE challenge_id = ?1 AND (mailbox_key = ?2 AND confirmed_at IS NOT NULL OR user_id = ?3)) AS hasEntered,
         ${isUploadedSql('?4', '?3')} AND NOT EXISTS (SELECT 1 FROM verse_submissions WHERE audio_key = ?5) AS isUploaded,
         ${userExistsSql('?3')} AS userExists`,
      )
      .bind(challengeId, mailbox, userId, draft.recording, uploadKey(draft.recording)),
  ])
  if (verse?.results.length === 1) return { id, submittedAt: toIso(at) }
  const [check] = checks?.results ?? []
  if (!check?.userExists) throw new AppError('signed_out', 'Please log in first.')
  if (at < challenge.submissionsOpenAt)
    throw new AppError('closed', `Submissions open on ${utcToZonedTime(challenge.submissionsOpenAt, zone).date}.`)
  if (at >= challenge.submissionsCloseAt) throw new AppError('closed', 'Submissions have closed.')
  if (check.hasEntered)
    throw new AppError(
      'conflict',
      'You already entered a verse, and each person can enter one. The confirmation email has a link to withdraw it.',
    )
  if (!check.isUploaded) throw new AppError('bad_input', 'That recording is gone. Please choose it again.')
  throw submissionsClosedError()
}
