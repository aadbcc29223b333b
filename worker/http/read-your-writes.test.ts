import { env } from 'cloudflare:test'
import { beforeAll, beforeEach, expect, test } from 'vitest'
import { createApp } from '../app'
import type { PollView } from '../contract/polls'
import { HOUR_MS } from '../lib/clock'
import { pollOptions, polls } from '../polls/polls.table'
import { send } from '../testing/client'
import { TIER_DRAFT } from '../testing/drafts'
import { db } from '../testing/fixtures'
import { NOON, seedSite } from '../testing/seed'
import { laggingReplica } from '../testing/stores'
import { addNamedUser, browserWithSession } from '../testing/users'

let replica: Awaited<ReturnType<typeof laggingReplica>>

beforeAll(async () => {
  await seedSite(env.DB)
  await addNamedUser('dora')
  await addNamedUser('gus', { role: 'administrator' })
  await db.insert(polls).values({ id: 'one', title: 'One?', endsAt: NOON + HOUR_MS, createdAt: 0 })
  const option = (name: string, position: number) => ({ id: `one-${name}`, pollId: 'one', title: name, position })
  await db.insert(pollOptions).values([option('a', 1), option('b', 2)])
  replica = await laggingReplica()
})
beforeEach(() => replica.catchUp())

const options = () => ({ at: NOON, replicated: replica.DB })

test('reads own writes despite replication lag', async () => {
  const dora = await browserWithSession('dora', options())
  const ownVote = async () => {
    const [poll] = (await (await dora.send('GET', '/api/polls/active')).json()) as PollView[]
    return poll?.userVote ?? null
  }
  expect(await ownVote()).toBeNull()
  expect((await dora.send('POST', '/api/polls/one/vote', { optionId: 'one-b' })).status).toBe(200)
  expect(await ownVote()).toEqual({ optionId: 'one-b', counted: true })

  // The bookmark selects the primary until the replica has caught up.
  const bookmark = dora.cookies.get('__Host-bookmark')!
  dora.cookies.delete('__Host-bookmark')
  expect(await ownVote()).toBeNull()
  await replica.catchUp()
  dora.cookies.set('__Host-bookmark', bookmark)
  replica.queried.length = 0
  expect(await ownVote()).toEqual({ optionId: 'one-b', counted: true })
  expect(new Set(replica.queried)).toEqual(new Set(['replica']))
})

test('recognizes a session right after sign-up', async () => {
  const newcomer = await browserWithSession('dora', options())
  newcomer.cookies.clear()
  const signUp = { username: 'newcomer', email: 'newcomer@fan.example', password: 'quite a long one, this' }
  const response = await newcomer.send('POST', '/api/auth/signup', signUp)
  expect([response.status, newcomer.cookies.has('__Host-bookmark')]).toEqual([201, true])
  expect(await (await newcomer.send('GET', '/api/auth/status')).json()).toMatchObject({ username: 'newcomer' })
})

test('reads for visitors come from the replica, without a cookie', async () => {
  replica.queried.length = 0
  for (const path of ['/api/tracks', '/api/products', '/api/polls/active', '/'])
    expect((await send('GET', path, undefined, options())).status).toBe(200)
  expect(new Set(replica.queried)).toEqual(new Set(['replica']))
  const response = await send('POST', '/api/newsletter/subscribe', { email: 'v@fan.example' }, options())
  expect([response.ok, response.headers.getSetCookie()]).toEqual([true, []])
})

test('checks sessions on the primary', async () => {
  const dora = await browserWithSession('dora', options())
  await env.DB.prepare(
    "UPDATE users SET banned_at = 1, session_epoch = session_epoch + 1 WHERE username = 'dora'",
  ).run()
  expect((await dora.send('GET', '/api/points/history')).status).toBe(403)
  expect((await dora.send('POST', '/api/polls/one/vote', { optionId: 'one-a' })).status).toBe(403)
  await env.DB.prepare("UPDATE users SET banned_at = NULL WHERE username = 'dora'").run()
})

test('ignores forged bookmarks', async () => {
  const dora = await browserWithSession('dora', options())
  for (const value of ['b999', `b999.${'A'.repeat(43)}`, '', '.', "first-primary'--"]) {
    dora.cookies.set('__Host-bookmark', value)
    replica.queried.length = 0
    expect((await dora.send('GET', '/api/polls/active')).status).toBe(200)
    expect(replica.queried).toContain('replica')
  }
})

test('administrators read their own changes on the site', async () => {
  const gus = await browserWithSession('gus', { ...options(), as: 'administrator' })
  const readAsVisitor = () => send('GET', '/api/polls/active', undefined, options())
  expect((await gus.send('POST', '/api/admin/polls/one/hide')).status).toBe(204)
  expect(await (await gus.send('GET', '/api/polls/active')).json()).toEqual([])
  expect(await (await readAsVisitor()).json()).toHaveLength(1)
  await replica.catchUp()
  expect(await (await readAsVisitor()).json()).toEqual([])
})

test('serves no stale cache entries to the writer', async () => {
  const gus = await browserWithSession('gus', { ...options(), as: 'administrator' })
  const [writerApp, otherApp] = [createApp(() => NOON), createApp(() => NOON)]
  const isRenamed = async (response: Promise<Response>) => (await (await response).text()).includes('Renamed')
  const paths = ['/api/config', '/subscribe']
  const visitorsSee = (app: typeof writerApp) =>
    Promise.all(paths.map((path) => isRenamed(send('GET', path, undefined, { ...options(), app }))))
  const adminSees = (app: typeof writerApp) =>
    Promise.all(paths.map((path) => isRenamed(gus.send('GET', path, undefined, { app }))))
  await visitorsSee(otherApp)
  const saved = await gus.send('PATCH', '/api/admin/tiers/gold', { ...TIER_DRAFT, name: 'Renamed' }, { app: writerApp })
  expect(saved.status).toBe(204)
  // While the replica lags, reads cache the old values again in either isolate.
  for (const app of [writerApp, otherApp]) {
    expect(await visitorsSee(app)).toEqual([false, false])
    expect(await adminSees(app)).toEqual([true, true])
  }
  await replica.catchUp()
  const freshApp = createApp(() => NOON)
  expect(await visitorsSee(freshApp)).toEqual([true, true])
})

test('shows a post to its author at once', async () => {
  const dora = await browserWithSession('dora', options())
  const app = createApp(() => NOON)
  const shows = async (response: Promise<Response>) => (await (await response).text()).includes('Gold all night')
  const visitorSees = () => shows(send('GET', '/community', undefined, { ...options(), app }))
  expect(await visitorSees()).toBe(false)
  expect((await dora.send('POST', '/api/community/posts', { text: 'Gold all night' }, { app })).status).toBe(201)
  expect(await visitorSees()).toBe(false)
  expect(await shows(dora.send('GET', '/community', undefined, { app }))).toBe(true)
})
