import { type SQL, sql } from 'drizzle-orm'
import { RETENTION } from '../contract/retention'
import { type BatchResult, processDueRows } from '../db/cleanup-batches'
import type { Db } from '../db/client'
import type { Deps } from '../deps'
import type { DataSubject, PersonalData } from '../gdpr/personal-data'
import type { Millis } from '../lib/clock'
import { UPLOADS_FOLDER } from '../uploads/uploads'
import { FINALISTS_PUBLIC_AT } from './challenge-state'
import { listUserBallots } from './my-challenge'
import { ANONYMIZED_VERSE } from './withdraw'

const BATCH_SIZE = 500

const exportVerses = (
  where: SQL,
) => sql`SELECT challenges.title AS challenge, v.name, v.email, phone_number, submitted_at, terms_version,
  audio_key IS NOT NULL AS has_recording, shortlisted, note,
  (SELECT group_concat(rating, ', ') FROM verse_ratings WHERE submission_id = v.id) AS team_ratings FROM verse_submissions v
  JOIN challenges ON challenges.id = v.challenge_id WHERE ${where} ORDER BY submitted_at`

/**
 * Verses stay counted, without name, address and audio. A finalist who is not public yet is removed, so that a verse
 * without audio receives no votes.
 */
const eraseVerses = (where: SQL, at: Millis): SQL[] => [
  sql`DELETE FROM challenge_finalists
    WHERE submission_id IN (SELECT id FROM verse_submissions WHERE ${where}) AND EXISTS (
      SELECT 1 FROM challenges c WHERE c.id = challenge_id AND c.sealed_at IS NULL
        AND ${sql.raw(FINALISTS_PUBLIC_AT)} > ${at})`,
  sql`DELETE FROM outbox WHERE dedupe_key IN (
    SELECT 'verse:' || id FROM verse_submissions WHERE ${where}
    UNION SELECT 'finalist:' || id FROM verse_submissions WHERE ${where}
    UNION SELECT 'winner:' || id FROM verse_submissions WHERE ${where}
    UNION SELECT 'result:' || id FROM verse_submissions WHERE ${where})`,
  sql`UPDATE uploads SET is_dropped = 1 WHERE id IN (
    SELECT replace(audio_key, ${`${UPLOADS_FOLDER}/`}, '') FROM verse_submissions WHERE ${where} AND audio_key IS NOT NULL)`,
  sql`UPDATE verse_submissions SET ${sql.raw(ANONYMIZED_VERSE)} WHERE ${where}`,
]

const sentFrom = ({ emailSpellings }: DataSubject) => sql`lower(email) IN (${emailSpellings})`

export const personalData: PersonalData = {
  name: 'challenge',
  export: ({ userId }, { db, secret }) => ({
    versesSent: exportVerses(sql`v.user_id = ${userId}`),
    challengeVotes: listUserBallots({ db, secret }, userId),
    versesRated: sql`SELECT submission_id AS verse, rating, rated_at FROM verse_ratings WHERE user_id = ${userId} ORDER BY rated_at`,
  }),
  erase: ({ userId, at }) => [
    ...eraseVerses(sql`user_id = ${userId}`, at),
    sql`DELETE FROM verse_ratings WHERE user_id = ${userId}`,
  ],
  byAddress: {
    counts: (subject) => ({ verses: sql`SELECT count(*) FROM verse_submissions WHERE ${sentFrom(subject)}` }),
    export: ({ emailSpellings }) => ({ submissions: exportVerses(sql`lower(v.email) IN (${emailSpellings})`) }),
    erase: (subject) => eraseVerses(sentFrom(subject), subject.at),
  },
  retention: [
    { name: 'Delete senders of old verses', step: anonymizeOldVerses },
    { name: 'Delete reasons for vote decisions', step: clearBallotReasons },
  ],
}

/** Phone numbers sent with verses from the subject's address. */
export async function listVersePhones(db: Db, subject: DataSubject): Promise<string[]> {
  const rows = await db.all<{ phone: string }>(
    sql`SELECT phone_number AS phone FROM verse_submissions WHERE ${sentFrom(subject)}`,
  )
  return rows.map(({ phone }) => phone)
}

function anonymizeOldVerses({ db }: Pick<Deps, 'db'>, at: Millis): Promise<BatchResult> {
  return processDueRows(db, {
    due: `SELECT id, submitted_at AS since FROM verse_submissions
      WHERE submitted_at <= ?1 AND email <> 'deleted' ORDER BY submitted_at`,
    months: RETENTION.verseMonths,
    at,
    size: BATCH_SIZE,
    change: [`UPDATE verse_submissions SET ${ANONYMIZED_VERSE} WHERE id IN (SELECT value FROM json_each(?1))`],
  })
}

/** Clears the reasons of old decisions on flagged ballots, in the audit log too; the decisions stay. */
function clearBallotReasons({ db }: Pick<Deps, 'db'>, at: Millis): Promise<BatchResult> {
  return processDueRows(db, {
    due: `SELECT ballot_id AS id, decided_at AS since FROM ballot_flags
      WHERE decided_at <= ?1 AND reason <> '' ORDER BY decided_at`,
    months: RETENTION.ballotReasonMonths,
    at,
    size: BATCH_SIZE,
    change: [
      `UPDATE audit_log SET detail = json_remove(detail, '$.reason') WHERE subject IN (
         SELECT 'ballot:' || value FROM json_each(?1)
         UNION SELECT 'challenge:' || challenge_id FROM ballot_flags WHERE ballot_id IN (SELECT value FROM json_each(?1)))
       AND action IN ('ballot.kept', 'ballot.excluded', 'ballots.kept')
       AND at <= (SELECT max(decided_at) FROM ballot_flags WHERE ballot_id IN (SELECT value FROM json_each(?1)))
       AND json_extract(detail, '$.reason') IS NOT NULL`,
      "UPDATE ballot_flags SET reason = '' WHERE ballot_id IN (SELECT value FROM json_each(?1))",
    ],
  })
}
