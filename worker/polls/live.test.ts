import { env, evictDurableObject, runDurableObjectAlarm, runInDurableObject } from 'cloudflare:test'
import { beforeAll, expect, test, vi } from 'vitest'
import { createApp } from '../app'
import { revokeAllSessions, revokeSession } from '../auth/sessions'
import { LiveCounts, REPLACED_CLOSE_CODE, SESSION_ENDED_CLOSE_CODE } from '../contract/polls'
import { DAY_MS, HOUR_MS } from '../lib/clock'
import { limits } from '../limits'
import { errorOf, ORIGIN, send } from '../testing/client'
import { addUser, db } from '../testing/fixtures'
import { NOON, seedSite } from '../testing/seed'
import { cookieHeaderFor, sessionFor } from '../testing/users'
import { pollOptions, polls } from './polls.table'

beforeAll(() => seedSite(env.DB))

let pollCount = 0
async function newPoll() {
  const id = `poll${++pollCount}`
  await db.insert(polls).values({ id, title: id, endsAt: NOON + DAY_MS, createdAt: 0 })
  await db
    .insert(pollOptions)
    .values(['a', 'b'].map((name, position) => ({ id: `${id}${name}`, pollId: id, title: name, position })))
  return id
}

async function newSupporter() {
  const user = await addUser()
  const { headers, session } = await sessionFor(user, NOON)
  const vote = (poll: string, option = 'a', options: Parameters<typeof send>[3] = {}) =>
    send('POST', `/api/polls/${poll}/vote`, { optionId: `${poll}${option}` }, { at: NOON, headers, ...options })
  const connect = (poll: string, extraHeaders: Record<string, string> = {}) =>
    send('GET', `/api/polls/${poll}/live`, undefined, {
      at: NOON,
      headers: { ...headers, upgrade: 'websocket', ...extraHeaders },
    })
  /** Opens the socket and records its messages. */
  const watch = async (poll: string) => {
    const response = await connect(poll)
    expect(response.status).toBe(101)
    const socket = response.webSocket!
    const messages: string[] = []
    const closed: number[] = []
    socket.accept()
    socket.addEventListener('message', ({ data }) => void messages.push(String(data)))
    socket.addEventListener('close', ({ code }) => void closed.push(code))
    const counts = () => LiveCounts.parse(JSON.parse(messages.at(-1)!)).options.map(({ voteCount }) => voteCount)
    return { socket, messages, closed, counts }
  }
  return { user, session, vote, connect, watch }
}
const eventually = <T>(check: () => T) => vi.waitFor(check, { timeout: 3000, interval: 20 })

test('sends counts and updates to voters', async () => {
  const poll = await newPoll()
  const [watcher, other] = [await newSupporter(), await newSupporter()]
  await watcher.vote(poll)
  const { counts, messages } = await watcher.watch(poll)
  await eventually(() => expect(counts()).toEqual([1, 0]))
  expect(JSON.parse(messages[0]!)).toEqual({
    endDate: new Date(NOON + DAY_MS).toISOString(),
    options: [
      { id: `${poll}a`, voteCount: 1 },
      { id: `${poll}b`, voteCount: 0 },
    ],
  })
  await other.vote(poll, 'b')
  await eventually(() => expect(counts()).toEqual([1, 1]))
})

test('rejects sockets of non-voters and other origins', async () => {
  const poll = await newPoll()
  const [supporter, voter] = [await newSupporter(), await newSupporter()]
  await voter.vote(poll)
  const rejection = async (response: Response) => {
    expect(response.webSocket).toBe(null)
    return errorOf(response)
  }
  expect(await rejection(await supporter.connect(poll))).toEqual([403, 'forbidden', 'Vote first to watch the results.'])
  expect((await rejection(await supporter.connect(poll, { cookie: '' }))).slice(0, 2)).toEqual([401, 'signed_out'])
  for (const origin of ['https://evil.example', 'null', `${ORIGIN}.evil.example`, ORIGIN.replace('https', 'http')])
    expect((await rejection(await voter.connect(poll, { origin }))).slice(0, 2)).toEqual([403, 'foreign_origin'])
  expect((await rejection(await voter.connect('none'))).slice(0, 2)).toEqual([404, 'not_found'])
  expect((await rejection(await voter.connect(poll, { upgrade: '' }))).slice(0, 2)).toEqual([400, 'bad_input'])
  const admin = { cookie: await cookieHeaderFor('administrator') }
  await send('POST', `/api/admin/polls/${poll}/hide`, undefined, { at: NOON, headers: admin })
  expect((await rejection(await voter.connect(poll)))[0]).toBe(404)
})

test('sends at most one update per interval during bursts', async () => {
  const poll = await newPoll()
  const supporters = await Promise.all(Array.from({ length: 30 }, newSupporter))
  await supporters[0]!.vote(poll)
  const { counts, messages } = await supporters[0]!.watch(poll)
  await eventually(() => expect(messages.length).toBe(1))
  const startedAt = Date.now()
  await Promise.all(supporters.slice(1).map(({ vote }) => vote(poll)))
  await eventually(() => expect(counts()).toEqual([30, 0]))
  expect(messages.length - 1).toBeLessThanOrEqual(Math.ceil((Date.now() - startedAt) / limits.liveUpdateIntervalMs) + 1)
  expect(messages.length).toBeLessThan(30)
})

test('resumes sockets after hibernation', async () => {
  const poll = await newPoll()
  const [watcher, other] = [await newSupporter(), await newSupporter()]
  await watcher.vote(poll)
  const { counts, socket, messages, closed } = await watcher.watch(poll)
  const stub = env.LIVE.getByName(poll)
  await runInDurableObject(stub, (instance) => Reflect.set(instance, 'isOldInstance', true))
  await evictDurableObject(stub)
  expect(await runInDurableObject(stub, (instance) => Reflect.get(instance, 'isOldInstance'))).toBeUndefined()
  await evictDurableObject(stub)
  socket.send('ping')
  await eventually(() => expect(messages.at(-1)).toBe('pong'))
  await other.vote(poll, 'b')
  await eventually(() => expect(counts()).toEqual([1, 1]))
  expect(closed).toEqual([])
})

test('counts votes while live results fail', async () => {
  const poll = await newPoll()
  const error = vi.spyOn(console, 'error').mockReturnValue()
  const { headers } = await sessionFor(await addUser(), NOON)
  const LIVE = {
    getByName: () => ({ notifyChanged: () => Promise.reject(new Error('the object is overloaded')) }),
  } as unknown as typeof env.LIVE
  const response = await send(
    'POST',
    `/api/polls/${poll}/vote`,
    { optionId: `${poll}a` },
    { at: NOON, headers, env: { LIVE } },
  )
  expect(response.status).toBe(200)
  expect(JSON.parse(String(error.mock.calls.flat()[0]))).toEqual({ at: 'live', error: 'Error' })
})

test('notifies watchers when a poll closes or is hidden', async () => {
  const poll = await newPoll()
  const supporter = await newSupporter()
  await supporter.vote(poll)
  const { messages, closed } = await supporter.watch(poll)
  const admin = { cookie: await cookieHeaderFor('administrator') }
  const at = NOON + HOUR_MS
  await send('POST', `/api/admin/polls/${poll}/close`, undefined, { at, headers: admin })
  await eventually(() => expect(JSON.parse(messages.at(-1)!).endDate).toBe(new Date(at).toISOString()))
  await send('POST', `/api/admin/polls/${poll}/hide`, undefined, { at, headers: admin })
  await eventually(() => expect(closed).toEqual([1001]))
})

test('limits sockets per user, closes one after an unknown message', async () => {
  const poll = await newPoll()
  const supporter = await newSupporter()
  await supporter.vote(poll)
  const sockets: Awaited<ReturnType<typeof supporter.watch>>[] = []
  for (let n = 0; n <= limits.maxLiveSocketsPerUser; n++) sockets.push(await supporter.watch(poll))
  await eventually(() =>
    expect(sockets.map(({ closed }) => closed)).toEqual([
      [REPLACED_CLOSE_CODE],
      ...Array(limits.maxLiveSocketsPerUser).fill([]),
    ]),
  )
  sockets[1]!.socket.send('hello')
  await eventually(() => expect(sockets[1]!.closed).toEqual([1003]))
})

type Watcher = Awaited<ReturnType<typeof newSupporter>>
const setColumn = (column: string) => (watcher: Watcher) =>
  env.DB.prepare(`UPDATE users SET ${column} = 1 WHERE id = ?`).bind(watcher.user.id).run()
test.each<[string, (watcher: Watcher) => unknown]>([
  ['log-out', ({ session }) => revokeSession(db, env.SESSIONS, session)],
  ['log-out everywhere', ({ user, session }) => revokeAllSessions(db, { userId: user.id, session } as never, NOON)],
  ['a ban', setColumn('banned_at')],
  ['erasure', setColumn('erased_at')],
])('closes sockets within a minute after %s', async (_, endSession) => {
  const poll = await newPoll()
  const [watcher, other] = [await newSupporter(), await newSupporter()]
  for (const supporter of [watcher, other]) await supporter.vote(poll)
  const [ended, remaining] = [await watcher.watch(poll), await other.watch(poll)]
  const stub = env.LIVE.getByName(poll)
  // The first alarm covers votes that isolates skipped; later ones come without any vote.
  await runDurableObjectAlarm(stub)
  await runDurableObjectAlarm(stub)
  const nextAlarm = await runInDurableObject(stub, (_, state) => state.storage.getAlarm())
  expect(nextAlarm! - Date.now()).toBeLessThan(60_000)
  await endSession(watcher)
  await runDurableObjectAlarm(stub)
  await eventually(() => expect(ended.closed).toEqual([SESSION_ENDED_CLOSE_CODE]))
  expect(remaining.closed).toEqual([])
})

test('sets no alarm without watchers', async () => {
  const poll = await newPoll()
  await (await newSupporter()).vote(poll)
  expect(await runInDurableObject(env.LIVE.getByName(poll), (_, state) => state.storage.getAlarm())).toBe(null)
})

test('skips idle polls and sends new watchers all votes', async () => {
  const poll = await newPoll()
  const app = createApp(() => NOON)
  let calls = 0
  const LIVE = {
    getByName: (name: string) => ({
      notifyChanged: () => {
        calls++
        return env.LIVE.getByName(name).notifyChanged()
      },
    }),
  } as unknown as typeof env.LIVE
  const supporters = await Promise.all(Array.from({ length: 20 }, newSupporter))
  const castVote = (supporter: (typeof supporters)[number]) => supporter.vote(poll, 'a', { app, env: { LIVE } })
  await castVote(supporters[0]!)
  const { counts } = await supporters[0]!.watch(poll)
  for (const supporter of supporters.slice(1)) await castVote(supporter)
  expect(calls).toBe(1)
  await eventually(() => expect(counts()).toEqual([20, 0]))
})
