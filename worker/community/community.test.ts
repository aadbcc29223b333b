import { env } from 'cloudflare:test'
import { beforeAll, expect, test } from 'vitest'
import { callerBinds } from '../auth/sessions'
import { AdminExclusivePost, ExclusivePost, HiddenPost, ModeratedPost, Post } from '../contract/community'
import { POINTS } from '../contract/points'
import { listStatement } from '../db/list'
import { eraseUser } from '../gdpr/erase-user'
import { DAY_MS } from '../lib/clock'
import { limits } from '../limits'
import { missions } from '../missions/missions.table'
import { errorOf, readPages, send, statusAndCodeOf } from '../testing/client'
import { addUser, db, queryPlan } from '../testing/fixtures'
import { NOON, seedSite } from '../testing/seed'
import { cookieHeaderFor, newSupporter, sessionFor } from '../testing/users'
import { moderatedPostList } from './admin-list'
import { EXCLUSIVE_POSTS_SQL } from './exclusive-posts'
import { FEED_SQL } from './posts'

const POSTS = '/api/community/posts'
const MODERATED_POSTS = '/api/admin/community/posts'
let adminCookie = ''

beforeAll(async () => {
  await seedSite(env.DB)
  adminCookie = await cookieHeaderFor('administrator')
})

const asAdmin = (method: string, path: string, json?: unknown, at = NOON) =>
  send(method, path, json, { at, headers: { cookie: adminCookie } })
const getFeed = async () => (await (await send('GET', POSTS, undefined, { at: NOON })).json()) as Post[]
const dismissReports = (id: string, reports: number, at = NOON) =>
  asAdmin('POST', `${MODERATED_POSTS}/${id}/keep`, { reports }, at)
const moderationQueue = async (tab: 'reported' | 'all' = 'reported') =>
  (await (await asAdmin('GET', `${MODERATED_POSTS}?tab=${tab}`)).json()) as ModeratedPost[]
const findPost = async (id: string) =>
  (await readPages<Post>(POSTS, { at: NOON })).flat().find((post) => post.id === id)

test('publishes a post for fifteen points', async () => {
  const supporter = await newSupporter({ username: 'first.fan' })
  const response = await supporter.request('POST', POSTS, { text: '  What a night.\r\nAgain!  ' })
  const writtenPost = (await response.json()) as { id: string }
  expect([response.status, writtenPost]).toEqual([
    201,
    { id: writtenPost.id, pointsAwarded: POINTS.community_post, totalPoints: 15, missions: [] },
  ])
  const post = await findPost(writtenPost.id)
  expect(Post.parse(post)).toEqual(post)
  expect(post).toMatchObject({
    author: 'first.fan',
    text: 'What a night.\nAgain!',
    likes: 0,
    liked: false,
    mine: false,
  })
  expect((await supporter.getFeed()).find(({ id }) => id === writtenPost.id)?.mine).toBe(true)
})

test('awards points for three posts a day, removed ones included', async () => {
  const supporter = await newSupporter()
  const awards = []
  for (const n of [1, 2]) awards.push((await supporter.createPost(`Post ${n}`)).pointsAwarded)
  const third = await supporter.createPost('Post 3')
  expect((await supporter.request('DELETE', `${POSTS}/${third.id}`)).status).toBe(204)
  expect(await supporter.getPoints()).toBe(30)
  awards.push(third.pointsAwarded, (await supporter.createPost('Post 4')).pointsAwarded)
  expect(awards).toEqual([15, 15, 15, 0])
  expect((await supporter.createPost('Post 5', NOON + DAY_MS)).pointsAwarded).toBe(15)
  expect(await supporter.getPoints()).toBe(45)
})

test('rejects duplicate text and an eleventh post, also concurrently', async () => {
  const supporter = await newSupporter()
  await supporter.createPost('Hello')
  expect(await errorOf(await supporter.request('POST', POSTS, { text: 'Hello' }))).toEqual([
    409,
    'conflict',
    'You have already posted this today.',
  ])
  const eager = await newSupporter()
  const statuses = await Promise.all(
    Array.from({ length: 25 }, async (_, n) => (await eager.request('POST', POSTS, { text: `Again ${n}` })).status),
  )
  expect(statuses.filter((status) => status === 201)).toHaveLength(limits.postsPerUserPerDay)
  expect(await eager.getPoints()).toBe(45)
  const response = await eager.request('POST', POSTS, { text: 'One more' })
  // Noon in New York: twelve hours remain.
  expect([response.status, response.headers.get('retry-after')]).toEqual([429, '43200'])
})

test('stores hostile text verbatim and rejects invalid posts', async () => {
  const supporter = await newSupporter()
  const text = `<img src=x onerror=alert(1)> ' OR 1=1-- {{7*7}} javascript:alert(1) "; drop table users;--`
  const { id } = await supporter.createPost(text)
  expect((await findPost(id))?.text).toBe(text)
  for (const json of [
    {},
    { text: '' },
    { text: ' \n ' },
    { text: 'x'.repeat(1001) },
    { text: '\ud800' },
    { text: ['x'] },
    { text: 'x', likes: 9 },
  ])
    expect((await errorOf(await supporter.request('POST', POSTS, json)))[0]).toBe(400)
  const visitor = await send('POST', POSTS, { text: 'x' }, { at: NOON })
  expect(await errorOf(visitor)).toEqual([401, 'signed_out', 'Please sign up or login to join in'])
})

test('lets only the author remove a post, with its points', async () => {
  const [author, other] = [await newSupporter(), await newSupporter()]
  const { id } = await author.createPost('Soon gone')
  expect((await errorOf(await other.request('DELETE', `${POSTS}/${id}`)))[0]).toBe(404)
  const statuses = await Promise.all(
    [1, 2, 3, 4, 5].map(async () => (await author.request('DELETE', `${POSTS}/${id}`)).status),
  )
  expect(statuses.sort()).toEqual([204, 404, 404, 404, 404])
  expect([await findPost(id), await author.getPoints()]).toEqual([undefined, 0])
  expect(await env.DB.prepare('SELECT text FROM posts WHERE id = ?1').bind(id).first()).toEqual({ text: '' })
})

test('counts one like per user, also concurrently', async () => {
  const [author, supporter, other] = [await newSupporter(), await newSupporter(), await newSupporter()]
  const { id } = await author.createPost('Like this')
  const like = `${POSTS}/${id}/like`
  const responses = await Promise.all(Array.from({ length: 20 }, () => supporter.request('POST', like)))
  expect(responses.every(({ status }) => status === 200)).toBe(true)
  expect(await (await other.request('POST', like)).json()).toEqual({ likes: 2, liked: true })
  expect((await supporter.getFeed()).find((post) => post.id === id)).toMatchObject({
    likes: 2,
    liked: true,
    mine: false,
  })
  await Promise.all([1, 2, 3].map(() => other.request('DELETE', like)))
  expect(await findPost(id)).toMatchObject({ likes: 1, liked: false })
  for (const path of ['none', '%00', '__proto__'])
    expect((await supporter.request('POST', `${POSTS}/${path}/like`)).status).toBe(404)
})

test('deletes post text when its author is erased', async () => {
  const author = await newSupporter()
  const { id } = await author.createPost('Forget these words')
  await eraseUser({ db, secret: env.SIGNING_SECRET }, { userId: author.user.id, byUserRequest: false }, NOON)
  expect(await findPost(id)).toBeUndefined()
  expect(await env.DB.prepare("SELECT count(*) AS n FROM posts WHERE text LIKE 'Forget%'").first()).toEqual({ n: 0 })
})

test('sends exclusive posts without text to lower tiers', async () => {
  for (const tier of ['silver', 'gold'])
    await asAdmin('POST', '/api/admin/posts', { title: `For ${tier}`, text: `Secret of ${tier}`, tier })
  const readBy = async (headers: Record<string, string>) => {
    const response = await send('GET', '/api/community/exclusive', undefined, { at: NOON, headers })
    const text = await response.text()
    for (const post of JSON.parse(text) as unknown[]) ExclusivePost.parse(post)
    return ['silver', 'gold'].map((tier) => text.includes(`Secret of ${tier}`))
  }
  const headersOfTier = async (tier: 'bronze' | 'silver' | 'gold') =>
    (await sessionFor(await addUser({ tier }), NOON)).headers
  expect(await readBy({})).toEqual([false, false])
  expect(await readBy(await headersOfTier('bronze'))).toEqual([false, false])
  expect(await readBy(await headersOfTier('silver'))).toEqual([true, false])
  expect(await readBy(await headersOfTier('gold'))).toEqual([true, true])
  // The community feed leaves exclusive posts out, even when they are the newest.
  await env.DB.prepare("UPDATE posts SET created_at = ?1 WHERE tier <> 'bronze'")
    .bind(NOON + 9 * DAY_MS)
    .run()
  expect(JSON.stringify(await getFeed())).not.toContain('Secret of')
})

test('rejects likes and reports of invisible posts', async () => {
  const [author, supporter] = [await newSupporter(), await newSupporter()]
  const removedPost = (await author.createPost('Gone')).id
  await author.request('DELETE', `${POSTS}/${removedPost}`)
  const bannedPost = (await author.createPost('By a banned author')).id
  await env.DB.prepare('UPDATE users SET banned_at = ?2 WHERE id = ?1').bind(author.user.id, NOON).run()
  const published = await asAdmin('POST', '/api/admin/posts', { title: 'Silver', text: 'For some', tier: 'silver' })
  const { id: silver } = (await published.json()) as { id: string }
  for (const id of [removedPost, bannedPost, silver]) {
    expect((await supporter.request('POST', `${POSTS}/${id}/like`)).status).toBe(404)
    expect((await supporter.request('POST', `${POSTS}/${id}/report`, {})).status).toBe(404)
    for (const table of ['post_likes', 'post_reports'])
      expect(await env.DB.prepare(`SELECT 1 FROM ${table} WHERE post_id = ?1`).bind(id).first()).toBeNull()
  }
})

test('rate-limits community actions per user', async () => {
  const { user } = await newSupporter()
  const { headers } = await sessionFor(user, NOON)
  const keys = new Set<string>()
  const LIMIT_WRITES = {
    limit: async ({ key }: { key: string }) => {
      keys.add(key)
      return { success: false }
    },
  }
  const requests: [method: string, path: string, json?: unknown][] = [
    ['POST', POSTS, { text: 'Too fast' }],
    ['DELETE', `${POSTS}/p`],
    ['POST', `${POSTS}/p/like`],
    ['DELETE', `${POSTS}/p/like`],
    ['POST', `${POSTS}/p/report`, {}],
  ]
  for (const [method, path, json] of requests)
    expect((await errorOf(await send(method, path, json, { at: NOON, headers, env: { LIMIT_WRITES } })))[1]).toBe(
      'rate_limited',
    )
  const imageRequest = {
    at: NOON,
    headers: { ...headers, 'content-type': 'image/png' },
    raw: 'x',
    env: { LIMIT_WRITES },
  }
  expect((await send('POST', '/api/community/pictures', undefined, imageRequest)).status).toBe(429)
  expect([...keys].filter((key) => key.includes(` user ${user.id} `))).toHaveLength(requests.length + 1)
})

test('reads posts by index', async () => {
  const params = [...callerBinds(null), Number.MAX_SAFE_INTEGER, '']
  expect((await queryPlan({ sql: FEED_SQL, params })).join('\n')).toContain('posts_newest')
  expect((await queryPlan({ sql: EXCLUSIVE_POSTS_SQL, params: params.slice(0, 3) })).join('\n')).toContain(
    'posts_newest',
  )
})

test('like counts equal the stored likes of all tests above', async () => {
  expect(
    await db.$client
      .prepare(
        'SELECT count(*) AS n FROM posts p WHERE likes <> (SELECT count(*) FROM post_likes WHERE post_id = p.id)',
      )
      .first(),
  ).toEqual({ n: 0 })
})

test('unpublishes and restores an exclusive post without changing points', async () => {
  const author = await newSupporter()
  const { id: supportersPost } = await author.createPost('A supporter’s own')
  const published = await asAdmin('POST', '/api/admin/posts', { title: 'Oops', text: 'Too early', tier: 'silver' })
  const { id } = (await published.json()) as { id: string }
  const { headers } = await sessionFor(await addUser({ tier: 'gold' }), NOON)
  const isReadable = async () =>
    (await (await send('GET', '/api/community/exclusive', undefined, { at: NOON, headers })).text()).includes(
      'Too early',
    )
  const findListed = async () => {
    const posts = (await (await asAdmin('GET', '/api/admin/posts')).json()) as AdminExclusivePost[]
    return posts.find((post) => post.id === id)
  }
  expect(AdminExclusivePost.parse(await findListed())).toMatchObject({
    title: 'Oops',
    text: 'Too early',
    tier: 'silver',
  })
  const countEntries = async () => (await env.DB.prepare('SELECT count(*) AS n FROM ledger').first<{ n: number }>())?.n
  const before = await countEntries()
  const unpublish = (post: string) => asAdmin('DELETE', `/api/admin/posts/${post}`)
  const restore = (post: string) => asAdmin('POST', `/api/admin/posts/${post}/restore`)
  expect([(await unpublish(id)).status, (await unpublish(id)).status]).toEqual([204, 409])
  expect([await isReadable(), (await findListed())?.removedAt]).toEqual([false, new Date(NOON).toISOString()])
  expect([(await restore(id)).status, (await restore(id)).status]).toEqual([204, 409])
  expect([await isReadable(), (await findListed())?.removedAt]).toEqual([true, null])
  const { results } = await env.DB.prepare('SELECT action FROM audit_log WHERE subject = ?1 ORDER BY id')
    .bind(`post:${id}`)
    .all()
  expect(results.map(({ action }) => action)).toEqual(['post.published', 'post.taken_down', 'post.put_back'])
  expect(await countEntries()).toBe(before)
  // Routes for exclusive posts do not change supporters' posts, and vice versa.
  const moderationPath = `/api/admin/community/posts/${id}`
  expect([
    (await unpublish(supportersPost)).status,
    (await asAdmin('POST', `${moderationPath}/hide`, { reason: 'x' })).status,
    (await asAdmin('POST', `${moderationPath}/keep`, { reports: 0 })).status,
  ]).toEqual([404, 404, 404])
  // The author of an exclusive post cannot remove it through the route of supporters' posts.
  await env.DB.prepare('UPDATE posts SET author_id = ?2 WHERE id = ?1').bind(id, author.user.id).run()
  expect([(await author.request('DELETE', `${POSTS}/${id}`)).status, (await findListed())?.text]).toEqual([
    404,
    'Too early',
  ])
  await unpublish(id)
  expect(await (await author.request('GET', '/api/community/hidden')).json()).toEqual([])
  await author.request('DELETE', `${POSTS}/${supportersPost}`)
  expect((await restore(supportersPost)).status).toBe(404)
})

test('updates an exclusive post in place', async () => {
  const draft = { title: 'Typoo', text: 'Reheersal on Tuesday', tier: 'silver' }
  const response = await asAdmin('POST', '/api/admin/posts', draft)
  const { id } = (await response.json()) as { id: string }
  const supportersPost = (await (await newSupporter()).createPost('A supporter’s words')).id
  const change = (post: string, json: unknown) => asAdmin('PATCH', `/api/admin/posts/${post}`, json)
  const findIn = async (path: string) => {
    const posts = (await (await asAdmin('GET', path)).json()) as AdminExclusivePost[]
    return posts.map((post) => AdminExclusivePost.parse(post)).find((post) => post.id === id)
  }
  const before = await findIn('/api/admin/posts')
  const edit = { title: 'Typo', text: 'Rehearsal on Tuesday', tier: 'gold' }
  expect((await change(id, edit)).status).toBe(204)
  expect(await findIn('/api/admin/posts')).toEqual({ ...before, ...edit, version: 2 })
  const { headers } = await sessionFor(await addUser({ tier: 'silver' }), NOON)
  const silverFeed = await (await send('GET', '/api/community/exclusive', undefined, { at: NOON, headers })).text()
  expect([silverFeed.includes('"Typo"'), silverFeed.includes('Rehearsal')]).toEqual([true, false])
  for (const bad of [{}, { text: 'x' }, { ...edit, title: ' ' }, { ...edit, tier: 'bronze' }])
    expect((await change(id, bad)).status).toBe(400)
  // Neither supporters' posts nor unpublished ones can be updated.
  expect([(await change(supportersPost, edit)).status, (await change('none', edit)).status]).toEqual([404, 404])
  await asAdmin('DELETE', `/api/admin/posts/${id}`)
  expect((await change(id, draft)).status).toBe(404)
  const unpublished = { ...before, ...edit, version: 2, removedAt: new Date(NOON).toISOString() }
  expect(await findIn('/api/admin/posts?state=unpublished')).toEqual(unpublished)
  await asAdmin('POST', `/api/admin/posts/${id}/restore`)
  expect(await findIn('/api/admin/posts?state=unpublished')).toBeUndefined()
  expect(await statusAndCodeOf(await change(id, { ...edit, version: 1 }))).toEqual([409, 'conflict'])
  expect((await change(id, { ...edit, version: 2 })).status).toBe(204)
  const { results } = await env.DB.prepare('SELECT action, detail FROM audit_log WHERE subject = ?1 ORDER BY id')
    .bind(`post:${id}`)
    .all()
  expect(results[1]).toEqual({ action: 'post.changed', detail: '{"tier":"gold"}' })
  expect(results).toHaveLength(5)
})

test('lists reported posts until the reports are dismissed', async () => {
  const [author, firstReporter, secondReporter] = [await newSupporter(), await newSupporter(), await newSupporter()]
  const { id } = await author.createPost('Is this fine?')
  const report = (supporter: typeof author, reason?: string, at = NOON) =>
    supporter.request('POST', `${POSTS}/${id}/report`, reason === undefined ? {} : { reason }, at)
  // Reports by the author and repeated reports are accepted, but not counted.
  expect((await report(author)).status).toBe(202)
  for (const supporter of [firstReporter, firstReporter, secondReporter])
    expect((await report(supporter, supporter === secondReporter ? 'Spam' : undefined)).status).toBe(202)
  const [first] = await moderationQueue()
  expect(ModeratedPost.parse(first)).toEqual(first)
  expect(first).toMatchObject({ id, reports: 2, reasons: ['Spam'], isBanned: false })
  expect((await findPost(id))?.id).toBe(id)
  expect((await dismissReports(id, 2, NOON + 1)).status).toBe(204)
  expect((await moderationQueue()).map((post) => post.id)).not.toContain(id)
  await report(await newSupporter(), 'Again', NOON + 2)
  expect((await moderationQueue())[0]).toMatchObject({ id, reports: 1, reasons: ['Again'] })
})

test('dismisses only the reports that the admin saw', async () => {
  const author = await newSupporter()
  const { id } = await author.createPost('Watch closely')
  const report = async (reason: string, at = NOON) =>
    (await newSupporter()).request('POST', `${POSTS}/${id}/report`, { reason }, at)
  const findQueued = async () => (await moderationQueue()).find((post) => post.id === id)
  await report('First')
  expect((await findQueued())?.reports).toBe(1)
  // A report arrives during the review.
  await report('Second', NOON + 1)
  expect(await errorOf(await dismissReports(id, 1, NOON + 2))).toEqual([
    409,
    'conflict',
    'The post’s reports have changed in the meantime. Please look at them again.',
  ])
  expect(await findQueued()).toMatchObject({ reports: 2, reasons: ['Second', 'First'] })
  expect((await dismissReports(id, 2, NOON + 2)).status).toBe(204)
  expect(await findQueued()).toBeUndefined()
  // A report that was sent before the review and arrives after it.
  await report('Third', NOON)
  expect(await findQueued()).toMatchObject({ reports: 1, reasons: ['Third'] })
  // Concurrent reviews dismiss only reports that were shown.
  const responses = await Promise.all([
    dismissReports(id, 1),
    report('Fourth'),
    dismissReports(id, 1),
    report('Fifth'),
    dismissReports(id, 2),
  ])
  const remainingReports = (await findQueued())?.reports ?? 0
  // How many reports each of the five requests dismisses if it succeeds.
  const dismissedReports = [1, 0, 1, 0, 2].reduce(
    (sum, reports, n) => sum + (responses[n]?.status === 204 ? reports : 0),
    0,
  )
  expect(remainingReports + dismissedReports).toBe(3)
  for (const json of [{}, { reports: -1 }, { reports: '1' }, { reports: 1, id }])
    expect((await asAdmin('POST', `${MODERATED_POSTS}/${id}/keep`, json)).status).toBe(400)
  expect((await dismissReports('none', 0)).status).toBe(404)
})

test('hides a post with a reason and reverses its points', async () => {
  const author = await newSupporter()
  const { id } = await author.createPost('Bad words')
  const hide = () => asAdmin('POST', `/api/admin/community/posts/${id}/hide`, { reason: 'Hurts somebody' })
  expect([(await hide()).status, (await hide()).status]).toEqual([204, 404])
  expect([await findPost(id), await author.getPoints()]).toEqual([undefined, 0])
  const history = await (await author.request('GET', '/api/points/history')).json()
  expect(history).toMatchObject([{ points: -15, description: 'A post was removed: Hurts somebody' }, { points: 15 }])
  const auditEntries = await env.DB.prepare("SELECT detail FROM audit_log WHERE action = 'post.hidden'").all()
  expect(auditEntries.results).toEqual([{ detail: '{"reason":"Hurts somebody"}' }])
  const hidden = async (supporter = author) =>
    (await (await supporter.request('GET', '/api/community/hidden')).json()) as HiddenPost[]
  const [hiddenPost, ...otherPosts] = await hidden()
  expect(HiddenPost.parse(hiddenPost)).toMatchObject({ id, text: 'Bad words', reason: 'Hurts somebody' })
  expect([otherPosts, await hidden(await newSupporter())]).toEqual([[], []])
  // The author dismisses the notice: the text is deleted, the points are reversed only once.
  const statuses = await Promise.all(
    [1, 2, 3].map(async () => (await author.request('DELETE', `${POSTS}/${id}`)).status),
  )
  expect([statuses.sort(), await hidden(), await author.getPoints()]).toEqual([[204, 404, 404], [], 0])
  const row = await env.DB.prepare('SELECT text, removed_for, removed_at FROM posts WHERE id = ?1').bind(id).first()
  expect(row).toEqual({ text: '', removed_for: 'Hurts somebody', removed_at: NOON })
})

test('does not list posts removed by their author as hidden', async () => {
  const author = await newSupporter()
  const { id } = await author.createPost('My own mind')
  await author.request('DELETE', `${POSTS}/${id}`)
  expect(await (await author.request('GET', '/api/community/hidden')).json()).toEqual([])
})

test('hides a banned author’s posts until unbanned', async () => {
  const author = await newSupporter()
  const { id } = await author.createPost('I will be banned')
  const path = `/api/admin/supporters/${author.user.id}`
  expect((await asAdmin('POST', `${path}/ban`, { reason: 'Spam' })).status).toBe(204)
  expect([await findPost(id), (await author.request('POST', POSTS, { text: 'Still here?' })).status]).toEqual([
    undefined,
    403,
  ])
  expect((await moderationQueue('all')).find((post) => post.id === id)?.isBanned).toBe(true)
  expect((await asAdmin('POST', `${path}/unban`)).status).toBe(204)
  expect((await findPost(id))?.id).toBe(id)
  const administrator = await addUser({ role: 'administrator' })
  const response = await asAdmin('POST', `/api/admin/supporters/${administrator.id}/ban`, { reason: 'x' })
  expect(await statusAndCodeOf(response)).toEqual([409, 'conflict'])
  for (const id of ['999999', '0', '-1', 'x'])
    expect((await asAdmin('POST', `/api/admin/supporters/${id}/ban`, { reason: 'x' })).status).toBe(404)
})

test('does not reverse mission points when a post is hidden', async () => {
  const mission = { id: 'speaker', title: 'Speaker', description: '', points: 40, target: 1, position: 9 }
  await db.insert(missions).values({ ...mission, action: 'community_post' })
  const author = await newSupporter()
  const { id } = await author.createPost('My first word')
  expect(await author.getPoints()).toBe(55)
  await asAdmin('POST', `${MODERATED_POSTS}/${id}/hide`, { reason: 'Spam' })
  expect(await author.getPoints()).toBe(40)
  await author.createPost('My second word')
  expect(await author.getPoints()).toBe(55)
})

test('pages through posts to moderate, most reported first', async () => {
  const supporter = await newSupporter()
  const [firstReporter, secondReporter] = [await newSupporter(), await newSupporter()]
  const total = limits.adminPageSize * 2 + 5
  await env.DB.batch(
    Array.from({ length: total }, (_, n) =>
      env.DB.prepare('INSERT INTO posts (id, author_id, text, created_at) VALUES (?1, ?2, ?1, ?3)').bind(
        `watch-${n}`,
        supporter.user.id,
        NOON - DAY_MS + Math.floor(n / 3),
      ),
    ),
  )
  // More reported posts than a page, all older than the others.
  const reported = Array.from({ length: limits.adminPageSize + 3 }, (_, n) => `watch-${n}`)
  await env.DB.batch(
    reported.flatMap((id, n) =>
      [firstReporter, secondReporter]
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
  const readAll = async (path: string) =>
    (await readPages<ModeratedPost>(path, { at: NOON, headers: { cookie: adminCookie } })).flat()
  const all = (await readAll(MODERATED_POSTS)).map(({ id }) => id)
  expect(new Set(all).size).toBe(all.length)
  expect(all.filter((id) => id.startsWith('watch-'))).toHaveLength(total)
  const queue = (await readAll(`${MODERATED_POSTS}?tab=reported`)).filter(({ id }) => id.startsWith('watch-'))
  expect(queue.map(({ id }) => id).toSorted()).toEqual(reported.toSorted())
  expect(queue[0]).toMatchObject({ id: 'watch-7', reports: 2 })
  const counts = queue.map(({ reports }) => reports)
  expect(counts).toEqual(counts.toSorted((a, b) => b - a))
  for (const cursor of ['x', '1', '1.2', '1.2.', `1.${'9'.repeat(20)}.a`])
    expect((await asAdmin('GET', `${MODERATED_POSTS}?cursor=${cursor}`)).status).toBe(400)
  const query = { q: '', sort: null, cursor: null, filters: {} }
  const plan = (await queryPlan(db.run(listStatement(moderatedPostList(false), query)).getQuery())).join('\n')
  expect(plan).toContain('posts_newest')
})

test('pages through posts without gaps or duplicates', async () => {
  const supporter = await newSupporter()
  const rows = Array.from({ length: limits.postsPageSize * 2 + 3 }, (_, n) =>
    env.DB.prepare('INSERT INTO posts (id, author_id, text, created_at) VALUES (?1, ?2, ?1, ?3)').bind(
      `page-${n}`,
      supporter.user.id,
      NOON + DAY_MS + Math.floor(n / 3),
    ),
  )
  await env.DB.batch(rows)
  const ids = (await readPages<Post>(POSTS)).flat().map(({ id }) => id)
  expect(new Set(ids).size).toBe(ids.length)
  expect(ids.filter((id) => id.startsWith('page-'))).toHaveLength(rows.length)
  for (const cursor of ['x', '1', '1.', `${'9'.repeat(20)}.a`])
    expect((await send('GET', `${POSTS}?cursor=${cursor}`)).status).toBe(400)
})
