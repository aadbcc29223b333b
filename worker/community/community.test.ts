import { env } from 'cloudflare:test'
import { beforeAll, expect, test } from 'vitest'
import { callerBinds } from '../auth/sessions'
import { ExclusivePost, Post } from '../contract/community'
import { POINTS } from '../contract/points'
import { eraseUser } from '../gdpr/erase-user'
import { DAY_MS } from '../lib/clock'
import { limits } from '../limits'
import { errorOf, send } from '../testing/client'
import { addUser, db, queryPlan } from '../testing/fixtures'
import { NOON, seedSite } from '../testing/seed'
import { cookieHeaderFor, newSupporter, sessionFor } from '../testing/users'
import { EXCLUSIVE_POSTS_SQL } from './exclusive-posts'
import { FEED_SQL } from './posts'

const POSTS = '/api/community/posts'
let desk = ''

beforeAll(async () => {
  await seedSite(env.DB)
  desk = await cookieHeaderFor('administrator')
})

const asDesk = (method: string, path: string, json?: unknown, at = NOON) =>
  send(method, path, json, { at, headers: { cookie: desk } })
const seen = async () => (await (await send('GET', POSTS, undefined, { at: NOON })).json()) as Post[]
const one = async (id: string) => (await seen()).find((post) => post.id === id)

test('publishes a post for fifteen points', async () => {
  const fan = await newSupporter({ username: 'first.fan' })
  const answer = await fan.request('POST', POSTS, { text: '  What a night.\r\nAgain!  ' })
  const written = (await answer.json()) as { id: string }
  expect([answer.status, written]).toEqual([
    201,
    { id: written.id, pointsAwarded: POINTS.community_post, totalPoints: 15, missions: [] },
  ])
  const post = await one(written.id)
  expect(Post.parse(post)).toEqual(post)
  expect(post).toMatchObject({
    author: 'first.fan',
    text: 'What a night.\nAgain!',
    likes: 0,
    liked: false,
    mine: false,
  })
  expect((await fan.getFeed()).find(({ id }) => id === written.id)?.mine).toBe(true)
})

test('awards points for three posts a day, removed ones included', async () => {
  const fan = await newSupporter()
  const paid = []
  for (const n of [1, 2]) paid.push((await fan.createPost(`Post ${n}`)).pointsAwarded)
  const third = await fan.createPost('Post 3')
  expect((await fan.request('DELETE', `${POSTS}/${third.id}`)).status).toBe(204)
  expect(await fan.getPoints()).toBe(30)
  paid.push(third.pointsAwarded, (await fan.createPost('Post 4')).pointsAwarded)
  expect(paid).toEqual([15, 15, 15, 0])
  expect((await fan.createPost('Post 5', NOON + DAY_MS)).pointsAwarded).toBe(15)
  expect(await fan.getPoints()).toBe(45)
})

test('rejects duplicate text and an eleventh post, also concurrently', async () => {
  const fan = await newSupporter()
  await fan.createPost('Hello')
  expect(await errorOf(await fan.request('POST', POSTS, { text: 'Hello' }))).toEqual([
    409,
    'conflict',
    'You have posted this today already.',
  ])
  const eager = await newSupporter()
  const statuses = await Promise.all(
    Array.from({ length: 25 }, async (_, n) => (await eager.request('POST', POSTS, { text: `Again ${n}` })).status),
  )
  expect(statuses.filter((status) => status === 201)).toHaveLength(limits.postsPerUserPerDay)
  expect(await eager.getPoints()).toBe(45)
  const refused = await eager.request('POST', POSTS, { text: 'One more' })
  // Noon in New York: twelve hours remain.
  expect([refused.status, refused.headers.get('retry-after')]).toEqual([429, '43200'])
})

test('stores hostile text verbatim and rejects invalid posts', async () => {
  const fan = await newSupporter()
  const text = `<img src=x onerror=alert(1)> ' OR 1=1-- {{7*7}} javascript:alert(1) "; drop table users;--`
  const { id } = await fan.createPost(text)
  expect((await one(id))?.text).toBe(text)
  for (const json of [
    {},
    { text: '' },
    { text: ' \n ' },
    { text: 'x'.repeat(1001) },
    { text: '\ud800' },
    { text: ['x'] },
    { text: 'x', likes: 9 },
  ])
    expect((await errorOf(await fan.request('POST', POSTS, json)))[0]).toBe(400)
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
  expect([await one(id), await author.getPoints()]).toEqual([undefined, 0])
  expect(await env.DB.prepare('SELECT text FROM posts WHERE id = ?1').bind(id).first()).toEqual({ text: '' })
})

test('counts one like per user, also concurrently', async () => {
  const [author, fan, other] = [await newSupporter(), await newSupporter(), await newSupporter()]
  const { id } = await author.createPost('Like this')
  const like = `${POSTS}/${id}/like`
  const answers = await Promise.all(Array.from({ length: 20 }, () => fan.request('POST', like)))
  expect(answers.every(({ status }) => status === 200)).toBe(true)
  expect(await (await other.request('POST', like)).json()).toEqual({ likes: 2, liked: true })
  expect((await fan.getFeed()).find((post) => post.id === id)).toMatchObject({ likes: 2, liked: true, mine: false })
  await Promise.all([1, 2, 3].map(() => other.request('DELETE', like)))
  expect(await one(id)).toMatchObject({ likes: 1, liked: false })
  for (const path of ['none', '%00', '__proto__'])
    expect((await fan.request('POST', `${POSTS}/${path}/like`)).status).toBe(404)
})

test('deletes post text when its author is erased', async () => {
  const author = await newSupporter()
  const { id } = await author.createPost('Forget these words')
  await eraseUser({ db, secret: env.SIGNING_SECRET }, { userId: author.user.id, byUserRequest: false }, NOON)
  expect(await one(id)).toBeUndefined()
  expect(await env.DB.prepare("SELECT count(*) AS n FROM posts WHERE text LIKE 'Forget%'").first()).toEqual({ n: 0 })
})

test('pages through posts without gaps or duplicates', async () => {
  const fan = await newSupporter()
  const rows = Array.from({ length: limits.postsPageSize * 2 + 3 }, (_, n) =>
    env.DB.prepare('INSERT INTO posts (id, author_id, text, created_at) VALUES (?1, ?2, ?1, ?3)').bind(
      `page-${n}`,
      fan.user.id,
      NOON + DAY_MS + Math.floor(n / 3),
    ),
  )
  await env.DB.batch(rows)
  const ids: string[] = []
  let path: string | undefined = POSTS
  for (let pages = 0; path !== undefined && pages < 3; pages++) {
    const answer: Response = await send('GET', path)
    ids.push(...((await answer.json()) as Post[]).map(({ id }) => id))
    path = /<([^>]+)>; rel="next"/.exec(answer.headers.get('link') ?? '')?.[1]
  }
  expect(new Set(ids).size).toBe(ids.length)
  expect(ids.filter((id) => id.startsWith('page-'))).toHaveLength(rows.length)
  for (const cursor of ['x', '1', '1.', `${'9'.repeat(20)}.a`])
    expect((await send('GET', `${POSTS}?cursor=${cursor}`)).status).toBe(400)
})

test('sends tier posts without text to other callers', async () => {
  for (const tier of ['silver', 'gold'])
    await asDesk('POST', '/api/admin/posts', { title: `For ${tier}`, text: `Secret of ${tier}`, tier })
  const readBy = async (headers: Record<string, string>) => {
    const answer = await send('GET', '/api/community/exclusive', undefined, { at: NOON, headers })
    const text = await answer.text()
    for (const post of JSON.parse(text) as unknown[]) ExclusivePost.parse(post)
    return ['silver', 'gold'].map((tier) => text.includes(`Secret of ${tier}`))
  }
  const fan = async (tier: 'bronze' | 'silver' | 'gold') => (await sessionFor(await addUser({ tier }), NOON)).headers
  expect(await readBy({})).toEqual([false, false])
  expect(await readBy(await fan('bronze'))).toEqual([false, false])
  expect(await readBy(await fan('silver'))).toEqual([true, false])
  expect(await readBy(await fan('gold'))).toEqual([true, true])
  // The community feed leaves them out.
  await env.DB.prepare("UPDATE posts SET created_at = ?1 WHERE tier <> 'bronze'")
    .bind(NOON + 9 * DAY_MS)
    .run()
  expect(JSON.stringify(await seen())).not.toContain('Secret of')
})

test('rejects likes and reports of invisible posts', async () => {
  const [author, fan] = [await newSupporter(), await newSupporter()]
  const gone = (await author.createPost('Gone')).id
  await author.request('DELETE', `${POSTS}/${gone}`)
  const theirs = (await author.createPost('Of somebody suspended')).id
  await env.DB.prepare('UPDATE users SET banned_at = ?2 WHERE id = ?1').bind(author.user.id, NOON).run()
  const published = await asDesk('POST', '/api/admin/posts', { title: 'Silver', text: 'For some', tier: 'silver' })
  const { id: silver } = (await published.json()) as { id: string }
  for (const id of [gone, theirs, silver]) {
    expect((await fan.request('POST', `${POSTS}/${id}/like`)).status).toBe(404)
    expect((await fan.request('POST', `${POSTS}/${id}/report`, {})).status).toBe(404)
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
  const acts: [method: string, path: string, json?: unknown][] = [
    ['POST', POSTS, { text: 'Too fast' }],
    ['DELETE', `${POSTS}/p`],
    ['POST', `${POSTS}/p/like`],
    ['DELETE', `${POSTS}/p/like`],
    ['POST', `${POSTS}/p/report`, {}],
  ]
  for (const [method, path, json] of acts)
    expect((await errorOf(await send(method, path, json, { at: NOON, headers, env: { LIMIT_WRITES } })))[1]).toBe(
      'rate_limited',
    )
  const picture = { at: NOON, headers: { ...headers, 'content-type': 'image/png' }, raw: 'x', env: { LIMIT_WRITES } }
  expect((await send('POST', '/api/community/pictures', undefined, picture)).status).toBe(429)
  expect([...keys].filter((key) => key.endsWith(` user ${user.id}`))).toHaveLength(acts.length + 1)
})

test('the community is read by index', async () => {
  const params = [...callerBinds(null), Number.MAX_SAFE_INTEGER, '']
  expect((await queryPlan({ sql: FEED_SQL, params })).join('\n')).toContain('posts_newest')
  expect((await queryPlan({ sql: EXCLUSIVE_POSTS_SQL, params: params.slice(0, 3) })).join('\n')).toContain(
    'posts_newest',
  )
  expect(
    await db.$client
      .prepare(
        'SELECT count(*) AS n FROM posts p WHERE likes <> (SELECT count(*) FROM post_likes WHERE post_id = p.id)',
      )
      .first(),
  ).toEqual({ n: 0 })
})
