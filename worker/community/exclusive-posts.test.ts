import { env } from 'cloudflare:test'
import { beforeAll, expect, test } from 'vitest'
import { AdminExclusivePost } from '../contract/community'
import { send } from '../testing/client'
import { addUser, queryPlan } from '../testing/fixtures'
import { NOON, seedSite } from '../testing/seed'
import { cookieHeaderFor, newSupporter, sessionFor } from '../testing/users'
import { UNPUBLISHED_SQL } from './exclusive-posts'

const POSTS = '/api/community/posts'
let desk = ''

beforeAll(async () => {
  await seedSite(env.DB)
  desk = await cookieHeaderFor('administrator')
})

const asDesk = (method: string, path: string, json?: unknown) =>
  send(method, path, json, { at: NOON, headers: { cookie: desk } })

test('unpublishes and restores a tier post without moving points', async () => {
  const author = await newSupporter()
  const { id: theirs } = await author.createPost('A supporter’s own')
  const published = await asDesk('POST', '/api/admin/posts', { title: 'Oops', text: 'Too early', tier: 'silver' })
  const { id } = (await published.json()) as { id: string }
  const { headers } = await sessionFor(await addUser({ tier: 'gold' }), NOON)
  const readers = async () =>
    (await (await send('GET', '/api/community/exclusive', undefined, { at: NOON, headers })).text()).includes(
      'Too early',
    )
  const listed = async () => {
    const posts = (await (await asDesk('GET', '/api/admin/posts')).json()) as AdminExclusivePost[]
    return posts.find((post) => post.id === id)
  }
  expect(AdminExclusivePost.parse(await listed())).toMatchObject({ title: 'Oops', text: 'Too early', tier: 'silver' })
  const entries = async () => (await env.DB.prepare('SELECT count(*) AS n FROM ledger').first<{ n: number }>())?.n
  const before = await entries()
  const move = {
    down: (post: string) => asDesk('DELETE', `/api/admin/posts/${post}`),
    back: (post: string) => asDesk('POST', `/api/admin/posts/${post}/restore`),
  }
  expect([(await move.down(id)).status, (await move.down(id)).status]).toEqual([204, 404])
  expect([await readers(), await listed()]).toEqual([false, undefined])
  expect([(await move.back(id)).status, (await move.back(id)).status]).toEqual([204, 404])
  expect([await readers(), (await listed())?.text]).toEqual([true, 'Too early'])
  const { results } = await env.DB.prepare('SELECT action FROM audit_log WHERE subject = ?1 ORDER BY id')
    .bind(`post:${id}`)
    .all()
  expect(results.map(({ action }) => action)).toEqual(['post.published', 'post.taken_down', 'post.put_back'])
  expect(await entries()).toBe(before)
  // Routes for tier posts do not change supporters' posts, and vice versa.
  const other = `/api/admin/community/posts/${id}`
  expect([
    (await move.down(theirs)).status,
    (await asDesk('POST', `${other}/hide`, { reason: 'x' })).status,
    (await asDesk('POST', `${other}/keep`, { reports: 0 })).status,
  ]).toEqual([404, 404, 404])
  // Its author cannot remove it as a supporter's post.
  await env.DB.prepare('UPDATE posts SET author_id = ?2 WHERE id = ?1').bind(id, author.user.id).run()
  expect([(await author.request('DELETE', `${POSTS}/${id}`)).status, (await listed())?.text]).toEqual([
    404,
    'Too early',
  ])
  await move.down(id)
  expect(await (await author.request('GET', '/api/community/hidden')).json()).toEqual([])
  await author.request('DELETE', `${POSTS}/${theirs}`)
  expect((await move.back(theirs)).status).toBe(404)
})

test('updates a tier post in place', async () => {
  const draft = { title: 'Typoo', text: 'Reheersal on Tuesday', tier: 'silver' }
  const answer = await asDesk('POST', '/api/admin/posts', draft)
  const { id } = (await answer.json()) as { id: string }
  const theirs = (await (await newSupporter()).createPost('A supporter’s words')).id
  const change = (post: string, json: unknown) => asDesk('PATCH', `/api/admin/posts/${post}`, json)
  const of = async (path: string) => {
    const posts = (await (await asDesk('GET', path)).json()) as AdminExclusivePost[]
    return posts.map((post) => AdminExclusivePost.parse(post)).find((post) => post.id === id)
  }
  const before = await of('/api/admin/posts')
  const mended = { title: 'Typo', text: 'Rehearsal on Tuesday', tier: 'gold' }
  expect((await change(id, mended)).status).toBe(204)
  expect(await of('/api/admin/posts')).toEqual({ ...before, ...mended })
  const { headers } = await sessionFor(await addUser({ tier: 'silver' }), NOON)
  const silver = await (await send('GET', '/api/community/exclusive', undefined, { at: NOON, headers })).text()
  expect([silver.includes('"Typo"'), silver.includes('Rehearsal')]).toEqual([true, false])
  for (const bad of [{}, { text: 'x' }, { ...mended, title: ' ' }, { ...mended, tier: 'bronze' }])
    expect((await change(id, bad)).status).toBe(400)
  // Neither supporters' posts nor unpublished ones can be updated.
  expect([(await change(theirs, mended)).status, (await change('none', mended)).status]).toEqual([404, 404])
  await asDesk('DELETE', `/api/admin/posts/${id}`)
  expect((await change(id, draft)).status).toBe(404)
  expect(await of('/api/admin/taken-down-posts')).toEqual({ ...before, ...mended })
  await asDesk('POST', `/api/admin/posts/${id}/restore`)
  expect(await of('/api/admin/taken-down-posts')).toBeUndefined()
  const { results } = await env.DB.prepare('SELECT action, detail FROM audit_log WHERE subject = ?1 ORDER BY id')
    .bind(`post:${id}`)
    .all()
  expect(results[1]).toEqual({ action: 'post.changed', detail: '{"tier":"gold"}' })
  expect(results).toHaveLength(4)
})

test('reads unpublished posts by index', async () => {
  const down = (await queryPlan({ sql: UNPUBLISHED_SQL, params: [] })).join('\n')
  expect([down.includes('posts_taken_down'), down.includes('TEMP B-TREE')]).toEqual([true, false])
})
