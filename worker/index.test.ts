import { createExecutionContext, createMessageBatch, env, getQueueResult } from 'cloudflare:test'
import { beforeAll, beforeEach, expect, test, vi } from 'vitest'
import readme from '../README.md?raw'
import wrangler from '../wrangler.toml?raw'
import type { Env, Job } from './env'
import worker from './index'
import { DAY_MS, SECOND_MS } from './lib/clock'
import { addTrack, db } from './testing/fixtures'
import { countStreams } from './tracks/streams'
import { streamReports, trackDays, tracks } from './tracks/tracks.table'

const NOON = Date.parse('2026-03-01T12:00:00Z')
const TRACK = 1

beforeAll(async () => {
  await addTrack({ id: TRACK })
})

beforeEach(async () => {
  await db.delete(streamReports)
  await db.delete(trackDays)
})

async function plays() {
  const [track] = await db.select().from(tracks)
  return track?.plays
}

const job = (more: Partial<Job> = {}): Job => ({
  kind: 'stream',
  listener: `v${crypto.randomUUID()}`,
  trackId: TRACK,
  startedAt: NOON,
  countedAt: NOON + 30 * SECOND_MS,
  ...more,
})

async function deliver(bodies: unknown[], { queue = 'artist-house-jobs', bindings = env as Env } = {}) {
  const messages = bodies.map((body, index) => ({ id: `m${index}`, timestamp: new Date(NOON), attempts: 1, body }))
  const batch = createMessageBatch<Job>(queue, messages as MessageSendRequest<Job>[] as never)
  const context = createExecutionContext()
  await worker.queue(batch, bindings)
  return getQueueResult(batch, context)
}

test('a delivered batch is counted and acknowledged; a removed track and a second delivery count nothing', async () => {
  const jobs = [job(), job(), job({ trackId: 4711 })]
  const result = await deliver(jobs)
  expect([result.explicitAcks, result.retryMessages]).toEqual([['m0', 'm1', 'm2'], []])
  await deliver(jobs)
  expect(await plays()).toBe(2)
})

test('a malformed message is set aside and does not hold up the others', async () => {
  const error = vi.spyOn(console, 'error')
  const result = await deliver([job(), { kind: 'poison' }, null, job({ startedAt: Number.NaN })])
  expect([result.explicitAcks, result.retryMessages.map(({ msgId }) => msgId)]).toEqual([['m0'], ['m1', 'm2', 'm3']])
  expect([await plays(), error.mock.calls]).toEqual([1, []])
})

test('a database that fails has the batch come again', async () => {
  const error = vi.spyOn(console, 'error').mockReturnValue()
  const lost = () => Promise.reject(new Error('listener v1 lost'))
  const DB = new Proxy(env.DB, { get: (d1, name) => (name === 'batch' ? lost : Reflect.get(d1, name).bind(d1)) })
  const result = await deliver([job()], { bindings: { ...env, DB } as Env })
  expect(result.retryMessages).toEqual([{ msgId: 'm0' }])
  expect(error.mock.calls.flat().join()).not.toContain('v1')
})

test('a dead letter leaves one line that names nobody, and goes', async () => {
  const error = vi.spyOn(console, 'error').mockReturnValue()
  const result = await deliver([job({ listener: 'u42' }), 'rubbish'], { queue: 'artist-house-jobs-dead' })
  expect(result.ackAll).toBe(true)
  const lines = error.mock.calls.map(([line]) => JSON.parse(String(line)))
  expect(lines.map(({ at, id, kind }) => [at, id, kind])).toEqual([
    ['dead-letter', 'm0', 'stream'],
    ['dead-letter', 'm1', null],
  ])
  expect(JSON.stringify(lines)).not.toContain('u42')
})

test('every queue has one for what it gave up on, which is read and which the README has made', () => {
  const consumers = [...wrangler.matchAll(/\[\[queues\.consumers\]\]\nqueue = "([\w-]+)"((?:\n[^[\n]+)*)/g)]
  const names = consumers.map(([, name]) => name)
  for (const [, name = '', rest = ''] of consumers)
    if (!name.endsWith('-dead')) expect([name, rest]).toEqual([name, expect.stringContaining(`"${name}-dead"`)])
  expect(names.filter((name) => name?.endsWith('-dead')).length).toBe(names.length / 2)
  const made = [...readme.matchAll(/wrangler queues create ([\w-]+)/g)].map(([, name]) => name)
  expect(made.toSorted()).toEqual(names.toSorted())
})

test('a report reaches the count through the real queue', async () => {
  await env.JOBS.send(job())
  await vi.waitFor(async () => expect(await plays()).toBe(1), { timeout: 8000, interval: 100 })
}, 10_000)

test('reports are forgotten after two days, and their plays are not', async () => {
  await countStreams(db, [job({ countedAt: NOON - 2 * DAY_MS - 1 }), job({ countedAt: NOON - 2 * DAY_MS })])
  await worker.scheduled({ scheduledTime: NOON } as ScheduledController, env as Env)
  expect((await db.select().from(streamReports)).map(({ countedAt }) => countedAt)).toEqual([NOON - 2 * DAY_MS])
  expect(await plays()).toBe(2)
})
