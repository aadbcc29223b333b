import { env } from 'cloudflare:test'
import { beforeAll, expect, test } from 'vitest'
import { HiddenPost, ModerationQueuePost, type Post } from '../contract/community'
import { DAY_MS } from '../lib/clock'
import { limits } from '../limits'
import { missions } from '../missions/missions.table'
import { errorOf, send } from '../testing/client'
import { addUser, db, queryPlan } from '../testing/fixtures'
import { NOON, seedSite } from '../testing/seed'
import { cookieHeaderFor, newSupporter } from '../testing/users'
import { REVIEW_QUEUE_SQL } from './moderation'

const POSTS = '/api/community/posts'
const WATCH = '/api/admin/community/posts'
let desk = ''

beforeAll(async () => {
  await seedSite(env.DB)
  desk = await cookieHeaderFor('administrator')
})

const asDesk = (method: string, path: string, json?: unknown, at = NOON) =>
  send(method, path, json, { at, headers: { cookie: desk } })
const keep = (id: string, reports: number, at = NOON) => asDesk('POST', `${WATCH}/${id}/keep`, { reports }, at)
const watched = async () => (await (await asDesk('GET', WATCH)).json()) as ModerationQueuePost[]
const one = async (id: string) =>
  ((await (await send('GET', POSTS, undefined, { at: NOON })).json()) as Post[]).find((post) => post.id === id)

test('lists reported posts first until approved', async () => {
  const [author, one_, two] = [await newSupporter(), await newSupporter(), await newSupporter()]
  const { id } = await author.createPost('Is this fine?')
  const report = (fan: typeof author, reason?: string, at = NOON) =>
    fan.request('POST', `${POSTS}/${id}/report`, reason === undefined ? {} : { reason }, at)
  expect((await report(author)).status).toBe(202)
  for (const fan of [one_, one_, two]) expect((await report(fan, fan === two ? 'Spam' : undefined)).status).toBe(202)
  const [first] = await watched()
  expect(ModerationQueuePost.parse(first)).toEqual(first)
  expect(first).toMatchObject({ id, reports: 2, reasons: ['Spam'], isBanned: false })
  expect((await one(id))?.id).toBe(id)
  expect((await keep(id, 2, NOON + 1)).status).toBe(204)
  expect((await watched()).find((post) => post.id === id)?.reports).toBe(0)
  await report(await newSupporter(), 'Again', NOON + 2)
  expect((await watched())[0]).toMatchObject({ id, reports: 1, reasons: ['Again'] })
})

test('dismisses only the reports that were seen', async () => {
  const author = await newSupporter()
  const { id } = await author.createPost('Watch closely')
  const report = async (reason: string, at = NOON) =>
    (await newSupporter()).request('POST', `${POSTS}/${id}/report`, { reason }, at)
  const open = async () => (await watched()).find((post) => post.id === id)
  await report('First')
  expect((await open())?.reports).toBe(1)
  // A report arrives during the review.
  await report('Second', NOON + 1)
  expect(await errorOf(await keep(id, 1, NOON + 2))).toEqual([
    409,
    'conflict',
    'Its reports have changed meanwhile. Please look at them again.',
  ])
  expect(await open()).toMatchObject({ reports: 2, reasons: ['Second', 'First'] })
  expect((await keep(id, 2, NOON + 2)).status).toBe(204)
  expect((await open())?.reports).toBe(0)
  // A report that was sent before the review and arrives after it.
  await report('Third', NOON)
  expect(await open()).toMatchObject({ reports: 1, reasons: ['Third'] })
  // Concurrently: every dismissed report had been seen.
  const volley = await Promise.all([keep(id, 1), report('Fourth'), keep(id, 1), report('Fifth'), keep(id, 2)])
  const left = (await open())?.reports ?? 0
  const kept = [1, 0, 1, 0, 2].reduce((sum, seen, n) => sum + (volley[n]?.status === 204 ? seen : 0), 0)
  expect(left + kept).toBe(3)
  for (const json of [{}, { reports: -1 }, { reports: '1' }, { reports: 1, id }])
    expect((await asDesk('POST', `${WATCH}/${id}/keep`, json)).status).toBe(400)
  expect((await keep('none', 0)).status).toBe(404)
})

test('hides a post with its points and tells the author why', async () => {
  const author = await newSupporter()
  const { id } = await author.createPost('Bad words')
  const hide = () => asDesk('POST', `/api/admin/community/posts/${id}/hide`, { reason: 'Hurts somebody' })
  expect([(await hide()).status, (await hide()).status]).toEqual([204, 404])
  expect([await one(id), await author.getPoints()]).toEqual([undefined, 0])
  const history = await (await author.request('GET', '/api/points/history')).json()
  expect(history).toMatchObject([{ points: -15, description: 'A post was removed: Hurts somebody' }, { points: 15 }])
  const rows = await env.DB.prepare("SELECT detail FROM audit_log WHERE action = 'post.hidden'").all()
  expect(rows.results).toEqual([{ detail: '{"reason":"Hurts somebody"}' }])
  const hidden = async (fan = author) =>
    (await (await fan.request('GET', '/api/community/hidden')).json()) as HiddenPost[]
  const [told, ...more] = await hidden()
  expect(HiddenPost.parse(told)).toMatchObject({ id, text: 'Bad words', reason: 'Hurts somebody' })
  expect([more, await hidden(await newSupporter())]).toEqual([[], []])
  // The author dismisses it: the text is deleted, the points are reversed once.
  const statuses = await Promise.all(
    [1, 2, 3].map(async () => (await author.request('DELETE', `${POSTS}/${id}`)).status),
  )
  expect([statuses.sort(), await hidden(), await author.getPoints()]).toEqual([[204, 404, 404], [], 0])
  const row = await env.DB.prepare('SELECT text, removed_for, removed_at FROM posts WHERE id = ?1').bind(id).first()
  expect(row).toEqual({ text: '', removed_for: 'Hurts somebody', removed_at: NOON })
})

test('shows no removed posts among hidden ones', async () => {
  const author = await newSupporter()
  const { id } = await author.createPost('My own mind')
  await author.request('DELETE', `${POSTS}/${id}`)
  expect(await (await author.request('GET', '/api/community/hidden')).json()).toEqual([])
})

test('hides a banned author’s posts until unbanned', async () => {
  const author = await newSupporter()
  const { id } = await author.createPost('I will be banned')
  const path = `/api/admin/supporters/${author.user.id}`
  expect((await asDesk('POST', `${path}/ban`, { reason: 'Spam' })).status).toBe(204)
  expect([await one(id), (await author.request('POST', POSTS, { text: 'Still here?' })).status]).toEqual([
    undefined,
    403,
  ])
  expect((await watched()).find((post) => post.id === id)?.isBanned).toBe(true)
  expect((await asDesk('POST', `${path}/unban`)).status).toBe(204)
  expect((await one(id))?.id).toBe(id)
  const administrator = await addUser({ role: 'administrator' })
  const refused = await asDesk('POST', `/api/admin/supporters/${administrator.id}/ban`, { reason: 'x' })
  expect((await errorOf(refused)).slice(0, 2)).toEqual([409, 'conflict'])
  for (const no of ['999999', '0', '-1', 'x'])
    expect((await asDesk('POST', `/api/admin/supporters/${no}/ban`, { reason: 'x' })).status).toBe(404)
})

test('keeps mission points after the post is removed', async () => {
  const mission = { id: 'speaker', title: 'Speaker', description: '', points: 40, target: 1, position: 9 }
  await db.insert(missions).values({ ...mission, action: 'community_post' })
  const author = await newSupporter()
  const { id } = await author.createPost('My first word')
  expect(await author.getPoints()).toBe(55)
  await asDesk('POST', `${WATCH}/${id}/hide`, { reason: 'Spam' })
  expect(await author.getPoints()).toBe(40)
  await author.createPost('My second word')
  expect(await author.getPoints()).toBe(55)
})

test('pages through the review queue, reported posts first', async () => {
  const fan = await newSupporter()
  const [one_, two] = [await newSupporter(), await newSupporter()]
  const total = limits.maxModerationPostsShown * 2 + 5
  await env.DB.batch(
    Array.from({ length: total }, (_, n) =>
      env.DB.prepare('INSERT INTO posts (id, author_id, text, created_at) VALUES (?1, ?2, ?1, ?3)').bind(
        `watch-${n}`,
        fan.user.id,
        NOON - DAY_MS + Math.floor(n / 3),
      ),
    ),
  )
  // More reported posts than a page, all older than the others.
  const reported = Array.from({ length: limits.maxModerationPostsShown + 3 }, (_, n) => `watch-${n}`)
  await env.DB.batch(
    reported.flatMap((id, n) =>
      [one_, two]
        .slice(0, n === 7 ? 2 : 1)
        .map((by) =>
          env.DB.prepare('INSERT INTO post_reports (post_id, user_id, created_at) VALUES (?1, ?2, ?3)').bind(
            id,
            by.user.id,
            NOON,
          ),
        ),
    ),
  )
  const seen: ModerationQueuePost[] = []
  let path: string | undefined = WATCH
  for (let pages = 0; path !== undefined && pages < 9; pages++) {
    const answer: Response = await asDesk('GET', path)
    const page = (await answer.json()) as ModerationQueuePost[]
    expect(page.length).toBeLessThanOrEqual(limits.maxModerationPostsShown)
    seen.push(...page)
    path = /<([^>]+)>; rel="next"/.exec(answer.headers.get('link') ?? '')?.[1]
  }
  const ids = seen.map(({ id }) => id)
  expect(new Set(ids).size).toBe(ids.length)
  expect(ids.filter((id) => id.startsWith('watch-'))).toHaveLength(total)
  expect(seen.find(({ id }) => id.startsWith('watch-'))).toMatchObject({ id: 'watch-7', reports: 2 })
  const counts = seen.map(({ reports }) => reports)
  expect(counts).toEqual(counts.toSorted((a, b) => b - a))
  for (const cursor of ['x', '1', '1.2', '1.2.', `1.${'9'.repeat(20)}.a`])
    expect((await asDesk('GET', `${WATCH}?cursor=${cursor}`)).status).toBe(400)
  const END = Number.MAX_SAFE_INTEGER
  const plan = (await queryPlan({ sql: REVIEW_QUEUE_SQL, params: [END, END, '', END, ''] })).join('\n')
  expect(plan).toContain('posts_newest')
})
