import { createExecutionContext, env, waitOnExecutionContext } from 'cloudflare:test'
import fc from 'fast-check'
import { beforeAll, expect, test } from 'vitest'
import { createApp } from '../app'
import { createSession } from '../auth/sessions'
import { readCheckInCode } from '../check-in/check-in-code'
import type { Env } from '../env'
import { DAY_MS, HOUR_MS, SECOND_MS } from '../lib/clock'
import { ORIGIN } from '../testing/client'
import { addTrack, addUser, db, isLongRun } from '../testing/fixtures'
import { NOON, seedSite } from '../testing/seed'
import { spyOnD1 } from '../testing/stores'
import { sessionFor } from '../testing/users'
import { countStreams, nextListen, type StreamJob, signListen } from '../tracks/streams'
import { awardReferrer } from '../users/referrals'
import { LISTED_ON_LEADERBOARD } from './leaderboard'

const ACTION_COUNT = isLongRun ? 10_000 : 300
const ACTIONS_PER_BATCH = 8
const BATCHES_PER_RUN = 12
const USER_COUNT = 6
const POLL_COUNT = 24

const supporters: { id: number; email: string; headers: Record<string, string> }[] = []
let adminHeaders: Record<string, string> = {}

beforeAll(async () => {
  await seedSite(env.DB, { show: { startsAt: NOON, endsAt: NOON + 7 * DAY_MS } })
  for (const id of [1, 2]) await addTrack({ id })
  await env.DB.prepare(
    `INSERT INTO missions (id, title, description, points, action, target, within_days, is_streak, position) VALUES
     ('first', 'Vote', '', 15, 'poll_vote', 1, NULL, 0, 1), ('three', 'Vote thrice', '', 30, 'poll_vote', 3, 7, 0, 2),
     ('days', 'Listen', '', 50, 'track_stream', 3, NULL, 1, 3), ('newsletter', 'Join', '', 20, 'newsletter_signup', 1, NULL, 0, 4)`,
  ).run()
  for (let poll = 0; poll < POLL_COUNT; poll++) {
    const end = NOON + ((poll % 8) - 1) * DAY_MS
    await env.DB.batch([
      env.DB.prepare("INSERT INTO polls (id, title, ends_at, created_at) VALUES (?1, 'A poll', ?2, 0)").bind(
        String(poll),
        end,
      ),
      env.DB.prepare(
        "INSERT INTO poll_options (id, poll_id, title, position) VALUES (?1 || '-a', ?1, 'A', 1), (?1 || '-b', ?1, 'B', 2)",
      ).bind(String(poll)),
    ])
  }
  for (let n = 0; n < USER_COUNT; n++) {
    const email = `fan${n}@fan.example`
    const user = await addUser({ email, emailKey: email, emailVerifiedAt: 0 })
    supporters.push({ id: user.id, email, headers: (await sessionFor(user, NOON)).headers })
  }
  const { id } = await addUser({ role: 'administrator' })
  const { token } = await createSession(env.SESSIONS, 'administrator', { userId: id, epoch: 0 }, NOON)
  adminHeaders = { cookie: `__Host-admin=${token}` }
})

const streamJobs: StreamJob[] = []
const unlimited = { limit: async () => ({ success: true }) }
const bindings = {
  LIMIT_WRITES: unlimited,
  LIMIT_MAIL: unlimited,
  JOBS: { send: async (job: StreamJob) => void streamJobs.push(job) } as unknown as Env['JOBS'],
}
type Supporter = (typeof supporters)[number]

let now = NOON
const app = createApp(() => now)
async function request(headers: Record<string, string>, method: string, path: string, json?: unknown, DB = env.DB) {
  const context = createExecutionContext()
  const init = { method, headers: { origin: ORIGIN, ...headers, ...(json !== undefined && JSON_TYPE) } }
  const call = new Request(`${ORIGIN}${path}`, { ...init, body: json === undefined ? null : JSON.stringify(json) })
  const response = await app.fetch(call, { ...env, ...bindings, DB }, context)
  await waitOnExecutionContext(context)
  return response
}
const JSON_TYPE = { 'content-type': 'application/json' }

/** Reports a listen of 31 seconds. */
async function listen({ id, headers }: Supporter, trackId: number) {
  const playback = nextListen({ trackId, listener: `u${id}`, current: null, at: now - 31 * SECOND_MS })
  const cookie = `${headers.cookie}; listen_${trackId}=${await signListen(env.SIGNING_SECRET, playback!)}`
  return request({ ...headers, cookie }, 'POST', '/api/tracks/stream', { trackId, platform: 'site' })
}

/** As an administrator, reverses one of the first 60 ledger entries, which `entry` selects. */
async function reverseEntry(n: number): Promise<Response> {
  const rows = await env.DB.prepare('SELECT id FROM ledger ORDER BY id LIMIT 60').all<{ id: number }>()
  const id = rows.results[n % Math.max(1, rows.results.length)]?.id ?? 1
  return request(adminHeaders, 'POST', `/api/admin/points/${id}/void`, { reason: 'At random' })
}

/** Sends a request whose response is lost after the commit, then repeats it. */
async function retryAfterLoss(headers: Record<string, string>, path: string, json?: unknown) {
  const lost = spyOnD1(env.DB, {
    after: () => {
      throw new Error('D1_ERROR: Network connection lost.')
    },
  })
  await request(headers, 'POST', path, json, lost.DB)
  const { status } = await request(headers, 'POST', path, json)
  return { ok: [200, 409].includes(status), status }
}

async function removePost({ id, headers }: Supporter) {
  const post = await env.DB.prepare('SELECT id FROM posts WHERE author_id = ?1 AND removed_at IS NULL LIMIT 1')
    .bind(id)
    .first<{ id: string }>()
  return request(headers, 'DELETE', `/api/community/posts/${post?.id ?? 'none'}`)
}

/** Adds a user whom the supporter referred, and awards the referral twice, concurrently. */
async function referFriend({ id }: Supporter) {
  const friend = await addUser({ referredBy: id, emailVerifiedAt: now })
  await Promise.all([1, 2].map(() => awardReferrer(db, friend, now).run()))
  return { ok: true, status: 200 }
}

const updateUser = (set: string, { id }: Supporter) =>
  env.DB.prepare(`UPDATE users SET ${set} WHERE id = ?1`)
    .bind(id)
    .run()
    .then(() => ({ ok: true, status: 200 }))

/** Actions that award or reverse points or change a user's status. */
const ACTIONS: Record<string, (supporter: Supporter, n: number) => Promise<Pick<Response, 'ok' | 'status'>>> = {
  vote: (supporter, n) =>
    request(supporter.headers, 'POST', `/api/polls/${n % (POLL_COUNT + 1)}/vote`, {
      optionId: `${n % (POLL_COUNT + 1)}-${'abc'[n % 3]}`,
    }),
  like: (supporter, n) => request(supporter.headers, 'POST', `/api/tracks/${(n % 3) + 1}/like`),
  unlike: (supporter, n) => request(supporter.headers, 'DELETE', `/api/tracks/${(n % 3) + 1}/like`),
  poll: (supporter, n) =>
    request(supporter.headers, 'POST', '/api/polls', { title: `Poll ${n}`, options: [{ title: 'A' }, { title: 'B' }] }),
  post: (supporter, n) => request(supporter.headers, 'POST', '/api/community/posts', { text: `Post ${n}` }),
  remove: removePost,
  checkIn: async (supporter, n) => {
    const { code } = await readCheckInCode({ db, secret: env.SIGNING_SECRET }, 'show-1', now)
    return request(supporter.headers, 'POST', '/api/concerts/show-1/check-in', { code: n % 5 ? code : '000000' })
  },
  refer: referFriend,
  likeAgain: (supporter, n) => retryAfterLoss(supporter.headers, `/api/tracks/${(n % 2) + 1}/like`),
  voteAgain: (supporter, n) =>
    retryAfterLoss(supporter.headers, `/api/polls/${n % POLL_COUNT}/vote`, { optionId: `${n % POLL_COUNT}-a` }),
  listen: (supporter, n) => listen(supporter, (n % 2) + 1),
  subscribe: (supporter) => request(supporter.headers, 'POST', '/api/newsletter/subscribe', { email: supporter.email }),
  complete: (supporter, n) =>
    request(
      supporter.headers,
      'POST',
      `/api/missions/${['first', 'three', 'days', 'newsletter', 'none'][n % 5]}/complete`,
    ),
  reverse: (_, n) => reverseEntry(n),
  hide: (supporter) => updateUser('leaderboard_opt_out = 1 - leaderboard_opt_out', supporter),
  ban: (supporter, n) => updateUser(n % 4 ? 'banned_at = NULL' : 'banned_at = 1', supporter),
}

/** SQL: the day of `created_at` in New York, whose summer time is four hours behind UTC. */
const CALENDAR_DAY = `(created_at - ${4 * HOUR_MS}) / ${DAY_MS}`

/** Each query returns the rows that break a rule. The view `standing_acts` has the entries that were not reversed. */
const CHECKS = [
  `SELECT 'points' AS what, id FROM users WHERE points <> (SELECT coalesce(sum(points), 0) FROM ledger WHERE user_id = users.id)`,
  `SELECT 'votes', id FROM poll_options WHERE votes <> (SELECT count(*) FROM poll_votes WHERE option_id = poll_options.id AND counted_at IS NOT NULL AND excluded_at IS NULL)`,
  `SELECT 'likes', id FROM tracks WHERE likes <> (SELECT count(*) FROM track_likes WHERE track_id = tracks.id)`,
  `SELECT 'plays', id FROM tracks WHERE plays <> (SELECT coalesce(sum(plays), 0) FROM track_days WHERE track_id = tracks.id)`,
  `SELECT 'standings', points FROM standings WHERE people <> (SELECT count(*) FROM users WHERE ${LISTED_ON_LEADERBOARD} AND points = standings.points)`,
  `SELECT 'votes without points', user_id FROM poll_votes WHERE NOT EXISTS (SELECT 1 FROM ledger WHERE user_id = poll_votes.user_id AND key = 'poll_vote:' || poll_votes.poll_id)`,
  `SELECT 'points without votes', user_id FROM ledger WHERE key GLOB 'poll_vote:*' GROUP BY user_id HAVING count(*) <> (SELECT count(*) FROM poll_votes WHERE poll_votes.user_id = ledger.user_id)`,
  `SELECT 'reversed twice', user_id FROM ledger GROUP BY user_id, action HAVING sum(points < 0) > sum(points > 0)`,
  `SELECT 'points of a poll', user_id FROM ledger WHERE action = 'poll_created' AND points > 0 GROUP BY user_id, key HAVING count(*) > 1`,
  `SELECT 'polls a day', created_by FROM polls WHERE created_by IS NOT NULL GROUP BY created_by, ${CALENDAR_DAY} HAVING count(*) > 3`,
  `SELECT 'posts a day', user_id FROM ledger WHERE action = 'community_post' AND points > 0 GROUP BY user_id, ${CALENDAR_DAY} HAVING count(*) > 3`,
  `SELECT 'bonuses', user_id FROM ledger WHERE action = 'referral_bonus' AND points > 0 GROUP BY user_id HAVING count(*) > 3`,
  `SELECT 'awards', user_id FROM standing_acts WHERE action = 'mission' GROUP BY user_id, substr(key || '#', 1, instr(key || '#', '#')) HAVING count(*) > 1`,
  `SELECT 'check-ins', user_id FROM check_ins WHERE (SELECT count(*) FROM ledger WHERE user_id = check_ins.user_id AND key = 'check_in:' || check_ins.concert_id AND points = 250) <> 1`,
  `SELECT 'points of removed posts', author_id FROM posts WHERE removed_at IS NOT NULL AND EXISTS (SELECT 1 FROM standing_acts WHERE user_id = posts.author_id AND key = 'community_post:' || posts.id)`,
]

const actionInput = fc.record({
  action: fc.constantFrom(...Object.keys(ACTIONS)),
  supporter: fc.nat(USER_COUNT - 1),
  n: fc.nat(999),
})
const concurrentActions = fc.record({
  hours: fc.nat(6 * 24),
  actions: fc.array(actionInput, { minLength: ACTIONS_PER_BATCH, maxLength: ACTIONS_PER_BATCH }),
})
const batches = fc.array(concurrentActions, { minLength: BATCHES_PER_RUN, maxLength: BATCHES_PER_RUN })

test(
  `${ACTION_COUNT} random actions keep ledger and totals consistent`,
  async () => {
    const succeeded = new Set<string>()
    await fc.assert(
      fc.asyncProperty(batches, async (sequence) => {
        for (const { hours, actions } of sequence) {
          now = NOON + hours * HOUR_MS
          const responses = await Promise.all(
            actions.map(({ action, supporter, n }) => ACTIONS[action]!(supporters[supporter]!, n)),
          )
          for (const [index, { ok }] of responses.entries()) if (ok) succeeded.add(actions[index]!.action)
          expect(responses.filter(({ status }) => status >= 500)).toEqual([])
          await countStreams(db, streamJobs.splice(0))
        }
        const violations = await env.DB.batch(CHECKS.map((sql) => env.DB.prepare(sql)))
        expect(violations.flatMap(({ results }) => results)).toEqual([])
      }),
      { numRuns: Math.ceil(ACTION_COUNT / (ACTIONS_PER_BATCH * BATCHES_PER_RUN)), endOnFailure: true },
    )
    // A short run may contain no success of a rare action, such as a second mission.
    const minActions = isLongRun ? Object.keys(ACTIONS).length : Object.keys(ACTIONS).length - 3
    expect(succeeded.size).toBeGreaterThanOrEqual(minActions)
  },
  20_000 + ACTION_COUNT * 20,
)
