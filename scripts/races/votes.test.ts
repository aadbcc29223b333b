import { afterAll, beforeAll, expect, test } from 'vitest'
import { LiveCounts } from '../../worker/contract/polls'
import { countByStatus, inParallel, startTestServer, type TestServer } from './test-server'

let server: TestServer
beforeAll(async () => {
  server = await startTestServer()
}, 120_000)
afterAll(() => server.close())

const vote = (cookie: string, poll: string, option: string) =>
  server.request<{ pointsAwarded: number }>(
    'POST',
    `/api/polls/${poll}/vote`,
    { optionId: `${poll}-${option}` },
    cookie,
  )

test('100 concurrent votes of one user count and pay once', async () => {
  await server.newPoll('one')
  const [fan] = await server.newFans(1)
  const responses = await inParallel(100, (i) => vote(fan!.cookie, 'one', i % 2 ? 'a' : 'b'))
  expect(countByStatus(responses)).toEqual({ 200: 1, 409: 99 })
  expect(new Set(responses.map(({ code }) => code))).toEqual(new Set([undefined, 'already_voted']))
  expect(await server.rows("SELECT sum(votes) AS votes FROM poll_options WHERE poll_id = 'one'")).toEqual([
    { votes: 1 },
  ])
  expect(await server.rows('SELECT points FROM users WHERE id = ?1', fan!.id)).toEqual([{ points: 10 }])
  expect(await server.disagreements()).toEqual([])
})

test('500 concurrent voters are 500 votes', async () => {
  await server.newPoll('many')
  const fans = await server.newFans(500)
  const responses = await inParallel(500, (i) => vote(fans[i]!.cookie, 'many', i % 5 ? 'a' : 'b'))
  expect(countByStatus(responses)).toEqual({ 200: 500 })
  const counts = await server.rows("SELECT votes FROM poll_options WHERE poll_id = 'many' ORDER BY position")
  expect(counts).toEqual([{ votes: 400 }, { votes: 100 }])
  expect(await server.disagreements()).toEqual([])
})

test('rejects votes after their session ended', async () => {
  await server.newPoll('late')
  const fans = await server.newFans(20)
  const ids = JSON.stringify(fans.map(({ id }) => id))
  const racing = inParallel(20, (i) => vote(fans[i]!.cookie, 'late', 'a'))
  await server.run(
    'UPDATE users SET banned_at = 1, session_epoch = 1 WHERE id IN (SELECT value FROM json_each(?1))',
    ids,
  )
  const before = countByStatus(await racing)[200] ?? 0
  expect(countByStatus(await inParallel(20, (i) => vote(fans[i]!.cookie, 'late', 'b')))).toEqual({ 403: 20 })
  expect(await server.rows("SELECT count(*) AS votes FROM poll_votes WHERE poll_id = 'late'")).toEqual([
    { votes: before },
  ])
})

test('live results survive eviction and need a vote', async () => {
  await server.newPoll('watched')
  const [voter, other, idle] = await server.newFans(3)
  await vote(voter!.cookie, 'watched', 'a')
  const open = (cookie: string, origin = server.base.origin) => {
    const url = `ws://${server.base.host}/api/polls/watched/live`
    const socket = new WebSocket(url, { headers: { cookie, origin } } as unknown as string[])
    const messages: string[] = []
    socket.addEventListener('message', ({ data }) => void messages.push(String(data)))
    const outcome = new Promise<'open' | 'refused'>((resolve) => {
      socket.addEventListener('open', () => resolve('open'))
      socket.addEventListener('error', () => resolve('refused'))
    })
    return { socket, messages, outcome }
  }
  const outsiders = [open(idle!.cookie), open(''), open(voter!.cookie, 'https://evil.example')]
  const watching = open(voter!.cookie)
  expect(await watching.outcome).toBe('open')
  await server.evict('watched')
  await vote(other!.cookie, 'watched', 'b')
  await expect
    .poll(() => LiveCounts.parse(JSON.parse(watching.messages.at(-1) ?? '{"options":[]}')).options, { timeout: 5000 })
    .toEqual([
      { id: 'watched-a', voteCount: 1 },
      { id: 'watched-b', voteCount: 1 },
    ])
  expect(await Promise.all(outsiders.map(({ outcome }) => outcome))).toEqual(['refused', 'refused', 'refused'])
  expect(outsiders.flatMap(({ messages }) => messages)).toEqual([])
  watching.socket.close()
})
