import { listUserBallots } from '../challenge/my-challenge'
import { requesterHash } from '../concerts/city-requests'
import type { Millis } from '../lib/clock'
import { addressDataQueries } from './email-address-data'
import { SUPPORTER_SUBJECT } from './erase-user-statements'

/**
 * Everything that is kept about one person, for the file they can download (ruling 28): own rows only, and neither
 * hashes nor secrets. What is found by an address is shown only to who has confirmed it. A feature that stores something
 * about people adds its query here and to erasure.ts.
 */
export async function exportUserData(
  { db, secret }: { db: D1Database; secret: string },
  userId: number,
  now: Millis,
): Promise<Record<string, unknown>> {
  const queries: Record<string, string> = {
    account: `SELECT id, username, email, email_verified_at, role, tier, points, referral_code, referred_by, phone_last2,
      leaderboard_opt_out, age_confirmed_at, age_wording, created_at, last_active_at FROM users WHERE id = ?1`,
    points: 'SELECT action, description, points, created_at FROM ledger WHERE user_id = ?1 ORDER BY id',
    votes: `SELECT polls.title AS poll, poll_options.title AS option, cast_at FROM poll_votes
      JOIN polls ON polls.id = poll_votes.poll_id JOIN poll_options ON poll_options.id = poll_votes.option_id
      WHERE user_id = ?1 ORDER BY cast_at`,
    polls: 'SELECT title, description, ends_at, created_at FROM polls WHERE created_by = ?1 ORDER BY created_at',
    likes: `SELECT tracks.title AS track, liked_at FROM track_likes JOIN tracks ON tracks.id = track_likes.track_id
      WHERE user_id = ?1 ORDER BY liked_at`,
    posts: `SELECT text, '/media/uploads/' || picture_id AS picture, picture_alt, link_url, likes, created_at, removed_at,
      removed_for FROM posts WHERE author_id = ?1 ORDER BY created_at`,
    postLikes: 'SELECT post_id, liked_at FROM post_likes WHERE user_id = ?1 ORDER BY liked_at',
    reports: 'SELECT post_id, reason, created_at FROM post_reports WHERE user_id = ?1 ORDER BY created_at',
    goingTo: `SELECT concerts.venue AS show, concerts.starts_at, is_named, created_at FROM show_goers
      JOIN concerts ON concerts.id = show_goers.concert_id WHERE user_id = ?1 ORDER BY created_at`,
    checkIns: `SELECT concerts.venue AS show, concerts.starts_at, checked_in_at FROM check_ins
      JOIN concerts ON concerts.id = check_ins.concert_id WHERE user_id = ?1 ORDER BY checked_in_at`,
    ...addressDataQueries(SUPPORTER_SUBJECT),
    versesSent: `SELECT challenges.title AS challenge, v.name, v.email, phone_number, submitted_at, terms_version,
      audio_key IS NOT NULL AS has_recording, shortlisted, note FROM verse_submissions v
      JOIN challenges ON challenges.id = v.challenge_id WHERE v.user_id = ?1 ORDER BY submitted_at`,
    subscriptions: 'SELECT tier, status, trial_ends_at, period_ends_at, cancels FROM subscriptions WHERE user_id = ?1',
    paymentProvider: 'SELECT customer_id, trial_used_at FROM billing_customers WHERE user_id = ?1',
    cityRequests: 'SELECT city, created_at FROM city_requests WHERE ?1 > 0 AND requester = ?2 ORDER BY created_at',
    logins: 'SELECT provider, created_at FROM identities WHERE user_id = ?1',
  }
  const requester = await requesterHash(secret, { userId, address: '', at: now })
  const [parts, challengeVotes] = await Promise.all([
    runExportQueries(db, queries, [userId, requester], now),
    listUserBallots({ db, secret }, userId),
  ])
  return { ...parts, challengeVotes }
}

/** Runs the queries of a file about one person, each with the first of `binds` that it names. */
export async function runExportQueries(
  db: D1Database,
  queries: Record<string, string>,
  binds: readonly (string | number)[],
  now: Millis,
): Promise<Record<string, unknown>> {
  const results = await db.batch<Record<string, unknown>>(
    Object.values(queries).map((query) => db.prepare(query).bind(...binds.slice(0, query.includes('?2') ? 2 : 1))),
  )
  const parts = Object.keys(queries).map(
    (name, index) => [name, results[index]?.results.map(withIsoDates) ?? []] as const,
  )
  return { writtenAt: new Date(now).toISOString(), ...Object.fromEntries(parts) }
}

/** Instants as text: `created_at` in milliseconds is no answer to a person. */
function withIsoDates(row: Record<string, unknown>): Record<string, unknown> {
  const entries = Object.entries(row).map(([name, value]) => [
    name,
    name.endsWith('_at') && typeof value === 'number' ? new Date(value).toISOString() : value,
  ])
  return Object.fromEntries(entries)
}
