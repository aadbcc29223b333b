import { allowed, attemptKey } from '../auth/attempts'
import { dialable } from '../auth/phone'
import type { VerseDraft } from '../contract/challenge-now'
import { DAY, type Millis, wallClock } from '../lib/clock'
import { newId } from '../lib/ids'
import { mailboxKey } from '../lib/mailbox'
import { Refused } from '../lib/refused'
import { seal } from '../lib/signature'
import { limits } from '../limits'
import { postedToEntrant } from '../mail/caps'
import { receiveAudio, type Sender } from '../uploads/receive'
import { UPLOADS, uploadKey } from '../uploads/uploads'
import { known } from './known'
import { verseReceivedLetter } from './letters'
import { WITHDRAW } from './withdraw'

type House = { db: D1Database; secret: string; origin: string }

const notOpen = () => new Refused('closed', 'Verses are not taken just now.')

const FULL_NETWORK =
  'Many recordings have come from this network today. Please log in, or sign up, to send yours now; or come back tomorrow.'

/** ?1 now. The votes of a challenge are fixed after its verses: no instant of a sealed one lies ahead. */
const TAKES = 'submissions_open_at <= ?1 AND ?1 < submissions_close_at AND removed_at IS NULL'

/**
 * Keeps the recording of a verse that is about to be sent; its name is known to its sender alone.
 * @throws Refused `closed` where no challenge takes verses, `rate_limited`, and as `receiveAudio`.
 */
export async function receiveRecording(
  { secret }: Pick<House, 'secret'>,
  { address, ...sender }: Sender & { address: string },
): Promise<{ recording: string; sizeBytes: number }> {
  const { db, ownerId, at } = sender
  if (!(await db.prepare(`SELECT 1 FROM challenges WHERE ${TAKES}`).bind(at).first())) throw notOpen()
  const [who, max, words] =
    ownerId === null
      ? [`address ${address}`, limits.versesSentPerAddressADay, FULL_NETWORK]
      : [
          `user ${ownerId}`,
          limits.versesSentPerDay,
          'That is enough recordings for one day. Please come back tomorrow.',
        ]
  const key = await attemptKey(secret, 'verse', who)
  if (!(await allowed(db, key, { max, per: DAY }, at)))
    throw new Refused('rate_limited', words, { retryAfterSeconds: DAY / 1000 })
  const { audio, sizeBytes } = await receiveAudio(sender)
  return { recording: audio.replace(`${UPLOADS}/`, ''), sizeBytes }
}

/** A recording that is there whole, sent by a visitor or by this very account. */
const SENT = (recording: string, userId: string) => `EXISTS (SELECT 1 FROM uploads WHERE uploads.id = ${recording}
  AND kind = 'audio' AND stored_at IS NOT NULL AND (owner_id IS NULL OR owner_id IS ${userId}))`

/** Whoever was logged in is still somebody: an erased row must not be told by a verse whose it was. */
const STANDS = (userId: string) =>
  `(${userId} IS NULL OR EXISTS (SELECT 1 FROM users WHERE users.id = ${userId} AND erased_at IS NULL))`

/** ?1 now, ?2 id, ?3 challenge, ... One verse a mailbox and account, within the days for verses, decided where it is written. */
const VERSE = `
  INSERT INTO verse_submissions (id, challenge_id, name, email, phone_number, submitted_at, user_id, mailbox_key,
    terms_version, audio_key)
  SELECT ?2, id, ?4, ?5, ?6, ?1, ?7, ?8, ?9, ?10 FROM challenges WHERE id = ?3 AND ${TAKES}
    AND ${SENT('?11', '?7')} AND ${STANDS('?7')}
  ON CONFLICT DO NOTHING RETURNING id`

/**
 * Takes a verse with who sent it; a mail says so and how to take it back. `userId` is who was logged in.
 * @throws Refused `not_found`, `closed`, `signed_out` for who was erased meanwhile, `conflict` for a second verse,
 * `bad_input` for a phone number or a recording that is none.
 */
export async function submitVerse(
  { db, secret, origin }: House,
  { challengeId, draft, userId, at }: { challengeId: string; draft: VerseDraft; userId: number | null; at: Millis },
): Promise<{ id: string; submittedAt: string }> {
  const challenge = await known(db, challengeId)
  const phone = await dialable(draft.phoneNumber)
  const id = newId('verse')
  const site = await db.prepare('SELECT name, time_zone AS zone FROM site').first<{ name: string; zone: string }>()
  const [day, zone] = [challenge.finalistsOn, site?.zone ?? 'UTC']
  const letter = verseReceivedLetter({
    siteName: site?.name ?? 'This site',
    origin,
    token: await seal(secret, WITHDRAW, id),
    challenge: challenge.title,
    stageName: draft.name,
    decided: new Date(`${day}T12:00:00Z`).toLocaleDateString('en-US', { timeZone: 'UTC', dateStyle: 'long' }),
  })
  const mailbox = mailboxKey(draft.email)
  const [verse, , facts] = await db.batch<{ id?: string; again?: number; has?: number; stands?: number }>([
    db
      .prepare(VERSE)
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
      ),
    postedToEntrant(db, { to: draft.email, letter, dedupeKey: `verse:${id}`, at }, id),
    db
      .prepare(
        `SELECT EXISTS (SELECT 1 FROM verse_submissions
           WHERE challenge_id = ?1 AND (mailbox_key = ?2 OR user_id = ?3)) AS again,
         ${SENT('?4', '?3')} AND NOT EXISTS (SELECT 1 FROM verse_submissions WHERE audio_key = ?5) AS has, ${STANDS('?3')} AS stands`,
      )
      .bind(challengeId, mailbox, userId, draft.recording, uploadKey(draft.recording)),
  ])
  if (verse?.results.length === 1) return { id, submittedAt: new Date(at).toISOString() }
  const [fact] = facts?.results ?? []
  if (!fact?.stands) throw new Refused('signed_out', 'Please log in first.')
  if (at < challenge.submissionsOpenAt)
    throw new Refused('closed', `Verses are taken from ${wallClock(challenge.submissionsOpenAt, zone).date} on.`)
  if (at >= challenge.submissionsCloseAt) throw new Refused('closed', 'The days for verses are over.')
  if (fact?.again)
    throw new Refused(
      'conflict',
      'A verse has been sent in from you already: one each. The mail says how to take it back.',
    )
  if (!fact?.has) throw new Refused('bad_input', 'That recording is gone. Please choose it again.')
  throw notOpen()
}
