import { env } from 'cloudflare:test'
import { eq } from 'drizzle-orm'
import { challengeBallots, challengeFinalists, challenges, verseSubmissions } from '../challenge/challenge.table'
import { timestampsOf } from '../challenge/challenge-state'
import { finalizeDueChallenges } from '../challenge/finalize'
import { posts } from '../community/posts.table'
import type { ShowRow } from '../concerts/concerts'
import { VERSE_TERMS } from '../contract/draft-rules'
import type { TeamRole } from '../contract/endpoint'
import { openDb } from '../db/client'
import { DAY_MS, HOUR_MS } from '../lib/clock'
import { mailboxKey, normalizeKey } from '../lib/email'
import { missions } from '../missions/missions.table'
import { pollOptions, polls, pollVotes } from '../polls/polls.table'
import type { Vote } from '../polls/vote'
import { releases, releaseTracks } from '../releases/releases.table'
import { tracks } from '../tracks/tracks.table'
import { teamMembers } from '../users/team.table'
import { users } from '../users/users.table'
import { type Browser, fillPath } from './client'
import { buildMp3 } from './files'
import { NOON, seedSite } from './seed'

/** Values of path parameters that exist after loadFixtures(). */
export function fixtureParams(path: string): Record<string, string> {
  let id = '1'
  if (/\/(concerts|shows)\//.test(path)) id = 'show-1'
  else if (path.includes('/products/')) id = 'clip'
  else if (path.includes('/legal/')) id = 'terms'
  return {
    id,
    show: 'show-1',
    product: 'show-1',
    slug: 'a-release',
    release: 'a-release',
    track: 'a-song',
    folder: 'any',
    name: 'hero.webp',
    width: '32',
  }
}

/** A page's path with its parameters filled. Tests of all pages give each record, also products, the slug `show-1`. */
export const fillPage = (page: string) => fillPath(page, page.startsWith('/legal/') ? 'terms' : 'show-1')

/** Days of a challenge that was closed and decided before NOON. */
const DAYS_MAY_2026 = {
  submissionsFrom: '2026-05-01',
  submissionsUntil: '2026-05-10',
  finalistsOn: '2026-05-11',
  votingFrom: '2026-05-11',
  votingUntil: '2026-05-14',
  winnerOn: '2026-05-14',
  closedOn: '2026-05-20',
}

/**
 * Adds rows for tests of all routes. Challenge `1` is published with a ballot, challenge `open`
 * accepts verses at NOON, show `show-1` starts a day after NOON.
 */
export async function loadFixtures(): Promise<void> {
  await seedSite(env.DB)
  const supporter = await addUser()
  await addChallenge('1', { ...DAYS_MAY_2026, title: 'A challenge', beatKey: 'uploads/verse' })
  await addChallenge('open', DAYS_JULY_2026)
  await addTrack({ id: 1, slug: 'a-song', audioKey: 'audio/song.mp3', isTrending: true })
  await db.batch([
    db.insert(polls).values({ id: '1', title: 'Which one?', endsAt: NOON + DAY_MS, createdAt: NOON }),
    db.insert(pollOptions).values(['a', 'b'].map((id, position) => ({ id, pollId: '1', title: id, position }))),
    db.insert(pollVotes).values({ pollId: '1', userId: supporter.id, optionId: 'a', castAt: NOON, countedAt: NOON }),
    db.insert(verseSubmissions).values({
      id: '1',
      challengeId: '1',
      name: 'A Fan',
      email: 'a.fan@mail.example',
      phoneNumber: '+18135550100',
      submittedAt: NOON,
      audioKey: 'uploads/verse',
    }),
    db.insert(challengeFinalists).values([
      { id: '1', challengeId: '1', name: 'Finalist', position: 1, submissionId: '1' },
      { id: '2', challengeId: '1', name: 'Second', position: 2 },
    ]),
    db.insert(challengeBallots).values({ challengeId: '1', finalistId: '1', castAt: NOON, voterPseudonym: 'v1' }),
    db.insert(posts).values({ id: '1', authorId: supporter.id, text: 'What a night.', createdAt: NOON }),
    db.insert(missions).values({
      id: '1',
      title: 'A mission',
      description: 'Vote.',
      points: 10,
      action: 'poll_vote',
      target: 1,
      position: 1,
    }),
  ])
  await addRelease({ id: '1', slug: 'a-release', title: 'A Release' }, [1])
  await finalizeDueChallenges(db, NOON)
  await env.FILES.put('uploads/verse', new Uint8Array(500), { httpMetadata: { contentType: 'audio/mpeg' } })
  await env.FILES.put('audio/song.mp3', new Uint8Array(5000), { httpMetadata: { contentType: 'audio/mpeg' } })
  await env.FILES.put('any/hero.webp', new Uint8Array(50), { httpMetadata: { contentType: 'image/webp' } })
}

export const db = openDb(env.DB)

/** Whether `npm run test:long` runs, which repeats tests more often. */
export const isLongRun = (env as unknown as { LONG: boolean }).LONG

export async function addTrack(row: Partial<typeof tracks.$inferInsert> = {}) {
  const [track] = await db
    .insert(tracks)
    .values({
      title: 'A Song',
      artist: 'Somebody',
      durationSeconds: 180,
      coverUrl: '/media/a/cover.webp',
      coverAlt: 'A cover',
      position: 1,
      releasedAt: 0,
      ...row,
    })
    .returning()
  return track!
}

/** A public album with these tracks. */
export async function addRelease(
  row: Partial<typeof releases.$inferInsert> & { slug: string },
  trackIds: readonly number[],
): Promise<void> {
  const release = { id: row.slug, title: row.slug, artist: 'Somebody', kind: 'album' as const, releasedAt: 0, ...row }
  await db.insert(releases).values({ coverUrl: '/media/a/cover.webp', coverAlt: 'A cover', ...release })
  for (const [index, trackId] of trackIds.entries())
    await db.insert(releaseTracks).values({ releaseId: release.id, position: index + 1, trackId })
}

let userCount = 0
type NewUser = Partial<typeof users.$inferInsert> & { emailVerified?: boolean; teamRole?: TeamRole }

/** A user. The email is confirmed unless `emailVerified` is false; admins are owners unless `teamRole` is set. */
export async function addUser({ emailVerified = true, teamRole = 'owner', ...row }: NewUser = {}) {
  const username = `fan${++userCount}`
  const { email = `${username}@user.example` } = row
  const [user] = await db
    .insert(users)
    .values({
      username,
      usernameKey: row.username?.toLowerCase() ?? username,
      email,
      emailKey: email && normalizeKey(email),
      mailboxKey: email && mailboxKey(email),
      emailVerifiedAt: email && emailVerified ? 0 : null,
      createdAt: 0,
      lastActiveAt: 0,
      ...row,
    })
    .returning()
  if (row.role === 'administrator')
    await db.update(teamMembers).set({ role: teamRole }).where(eq(teamMembers.userId, user!.id))
  return user!
}

export const pointsOf = (userId: number) =>
  env.DB.prepare('SELECT points FROM users WHERE id = ?1').bind(userId).first<number>('points')

type Statement = { sql: string; params: unknown[] }

/** SQLite's query plan, one line per step. */
export async function queryPlan(query: { toSQL(): Statement } | Statement): Promise<string[]> {
  const { sql, params } = 'sql' in query ? query : query.toSQL()
  const { results } = await env.DB.prepare(`EXPLAIN QUERY PLAN ${sql}`)
    .bind(...params)
    .all<{ detail: string }>()
  return results.map(({ detail }) => detail)
}

/** Submissions from July 2 to 16, 2025, voting from July 17 to 20, winner on the last day. */
export const DAYS_2025 = {
  submissionsFrom: '2025-07-02',
  submissionsUntil: '2025-07-16',
  finalistsOn: '2025-07-17',
  votingFrom: '2025-07-17',
  votingUntil: '2025-07-20',
  winnerOn: '2025-07-20',
  closedOn: '2025-07-25',
}

type ChallengeRow = typeof challenges.$inferInsert

/** A challenge whose timestamps follow from its days in New York. Finalist ids are `<challenge>-<name>`. */
export async function addChallenge(
  id: string,
  { finalists = [], ...row }: Partial<ChallengeRow> & { finalists?: readonly string[] } = {},
): Promise<void> {
  const days = { ...DAYS_2025, ...row }
  await db.insert(challenges).values({
    id,
    title: `Challenge ${id}`,
    prize: 'A prize',
    rules: 'Be kind.',
    ...timestampsOf(days, 'America/New_York'),
    ...days,
  })
  if (finalists.length > 0)
    await db
      .insert(challengeFinalists)
      .values(finalists.map((name, i) => ({ id: `${id}-${name}`, challengeId: id, name, position: i + 1 })))
}

/** Submissions until July 10, 2026 (open at NOON), voting from July 11 to 14. */
export const DAYS_JULY_2026 = {
  submissionsFrom: '2026-07-01',
  submissionsUntil: '2026-07-10',
  finalistsOn: '2026-07-11',
  votingFrom: '2026-07-11',
  votingUntil: '2026-07-14',
  winnerOn: '2026-07-15',
  closedOn: '2026-07-20',
}

export const VERSE_FORM = {
  name: 'MC Any',
  email: 'any@mail.example',
  phoneNumber: '(813) 555-0123',
  terms: VERSE_TERMS.version,
}

export const buildShow = (changes: Partial<ShowRow> = {}): ShowRow => ({
  id: 'show',
  slug: changes.id ?? 'show',
  city: 'Tampa',
  venue: 'A Hall',
  address: '1 Street',
  region: '',
  postalCode: '',
  country: '',
  startsAt: NOON,
  endsAt: NOON + 3 * HOUR_MS,
  timeZone: 'America/New_York',
  priceCents: 2500,
  ticketsAvailable: 7,
  isSoldOut: false,
  hasVip: true,
  imageUrl: '/media/a/hall.webp',
  imageAlt: 'A hall',
  removedAt: null,
  ...changes,
})

/** Uploads a recording and submits the verse. */
export async function sendVerse(browser: Browser, challengeId: string, verse: Partial<typeof VERSE_FORM> = {}) {
  const sent = await browser.send('POST', '/api/challenge/recordings', undefined, {
    headers: { 'content-type': 'audio/mpeg' },
    raw: buildMp3(20_000),
  })
  const { recording } = await sent.json<{ recording: string }>()
  const path = `/api/challenges/${challengeId}/submissions`
  return { recording, response: await browser.send('POST', path, { ...VERSE_FORM, ...verse, recording }) }
}

let pollCount = 0

/** A poll with options `<id>-a` and `<id>-b`, open until an hour after NOON. Returns its id. */
export async function addPoll(): Promise<string> {
  const id = `poll-${++pollCount}`
  await db.insert(polls).values({ id, title: id, endsAt: NOON + HOUR_MS, createdAt: 0 })
  const option = (name: string, position: number) => ({ id: `${id}-${name}`, pollId: id, title: name, position })
  await db.insert(pollOptions).values([option('a', 1), option('b', 2)])
  return id
}

/** Per option: its counter, its votes (also pending and excluded ones), and the points of its voters. */
export async function pollCounts(poll: string) {
  const { results } = await env.DB.prepare(
    `SELECT votes, (SELECT count(*) FROM poll_votes WHERE option_id = poll_options.id) AS rows,
       (SELECT sum(points) FROM poll_votes JOIN users ON users.id = poll_votes.user_id
        WHERE option_id = poll_options.id) AS points
     FROM poll_options WHERE poll_id = ?1 ORDER BY position`,
  )
    .bind(poll)
    .all()
  return results
}

/** A vote for the first option. */
export const voteBy = (userId: number, poll: string, changes: Partial<Vote> = {}): Vote => ({
  session: { userId, epoch: 0, sid: '' },
  pollId: poll,
  optionId: `${poll}-a`,
  mailboxHash: `mailbox of ${userId}`,
  at: NOON,
  ...changes,
})

// Cached paths, with the ids of loadFixtures(). response-cache-tables.test.ts reports a missing one.

export const SHOW_API_PATH = '/api/concerts/show-1'
/** Cached for everyone. */
export const CACHED_FOR_ALL = [
  '/api/config',
  '/api/products',
  '/api/download-formats',
  '/api/shop/destinations',
  '/api/announced-releases',
  '/api/releases',
  '/api/releases/a-release',
  '/feed.xml',
  '/embed/a-release',
  '/embed/a-release/a-song',
  '/podcast.xml',
  '/api/concerts',
  '/api/concerts/upcoming',
  '/api/challenge',
  '/api/challenge/current',
  '/api/challenges/1',
  '/api/openapi.json',
]
/** Cached for requests without a cookie. */
export const CACHED_FOR_VISITORS = [
  SHOW_API_PATH,
  '/api/tracks',
  '/api/tracks/trending',
  '/api/polls/active',
  '/api/polls/closed',
  '/api/leaderboard',
  '/api/missions',
]
export const SHOW_PAGE = '/shows/show-1'
const MUSIC_PAGES = ['/music', '/music/a-release', '/music/a-release/a-song']
export const CACHED_PAGES = [
  '/',
  '/subscribe',
  '/subscribe?tier=gold',
  '/privacy-policy',
  '/legal/terms',
  '/shows',
  SHOW_PAGE,
  '/merch',
  '/merch/show-1',
  ...MUSIC_PAGES,
  '/community',
  '/hub',
  '/hub/exclusive',
  '/hub/missions',
  '/challenge',
  '/challenge/1',
  '/auth',
  '/login',
  '/signup',
]
