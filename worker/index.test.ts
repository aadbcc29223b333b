import { createExecutionContext, createMessageBatch, env, getQueueResult } from 'cloudflare:test'
import { beforeAll, beforeEach, expect, test, vi } from 'vitest'
import wrangler from '../wrangler.toml?raw'
import type { Env } from './env'
import worker from './index'
import { DAY_MS, SECOND_MS } from './lib/clock'
import { DEAD_LETTER_SUFFIX } from './queues'
import { addTrack, db } from './testing/fixtures'
import { NOON } from './testing/seed'
import { withMethods } from './testing/stores'
import { countStreams, type StreamJob } from './tracks/streams'
import { streamReports, trackDays, tracks } from './tracks/tracks.table'

const TRACK_ID = 1

beforeAll(async () => {
  await addTrack({ id: TRACK_ID })
})

beforeEach(async () => {
  await db.delete(streamReports)
  await db.delete(trackDays)
})

async function readPlays() {
  const [track] = await db.select().from(tracks)
  return track?.plays
}

const newJob = (changes: Partial<StreamJob> = {}): StreamJob => ({
  kind: 'stream',
  listener: `v${crypto.randomUUID()}`,
  trackId: TRACK_ID,
  startedAt: NOON,
  countedAt: NOON + 30 * SECOND_MS,
  ...changes,
})

/** Delivers one batch to the worker; returns which messages it acknowledged and which it retries. */
async function deliver(bodies: unknown[], { queue = 'artist-house-jobs', bindings = env as Env } = {}) {
  const messages = bodies.map((body, index) => ({ id: `m${index}`, timestamp: new Date(NOON), attempts: 1, body }))
  const batch = createMessageBatch<StreamJob>(queue, messages as MessageSendRequest<StreamJob>[] as never)
  const context = createExecutionContext()
  await worker.queue(batch, bindings)
  return getQueueResult(batch, context)
}

test('counts each stream of a batch once', async () => {
  const jobs = [newJob(), newJob(), newJob({ trackId: 4711 })]
  const result = await deliver(jobs)
  expect([result.explicitAcks, result.retryMessages]).toEqual([['m0', 'm1', 'm2'], []])
  await deliver(jobs)
  expect(await readPlays()).toBe(2)
})

test('retries malformed messages without blocking the others', async () => {
  const error = vi.spyOn(console, 'error')
  const result = await deliver([newJob(), { kind: 'poison' }, null, newJob({ startedAt: Number.NaN })])
  expect(result.explicitAcks).toEqual(['m0'])
  expect(result.retryMessages.map(({ msgId }) => msgId).sort()).toEqual(['m1', 'm2', 'm3'])
  expect([await readPlays(), error.mock.calls]).toEqual([1, []])
})

test('retries the batch when the database fails', async () => {
  const error = vi.spyOn(console, 'error').mockReturnValue()
  const failBatch = () => Promise.reject(new Error('listener v1 lost'))
  const DB = withMethods(env.DB, { batch: failBatch })
  const result = await deliver([newJob()], { bindings: { ...env, DB } as Env })
  expect(result.retryMessages).toEqual([{ msgId: 'm0' }])
  expect(error.mock.calls.flat().join()).not.toContain('v1')
})

test('dispatches messages by kind, not by queue', async () => {
  const result = await deliver([{ kind: 'preview', url: 'not a link' }, newJob()], { queue: 'artist-house-mail' })
  expect(result.explicitAcks.sort()).toEqual(['m0', 'm1'])
  expect(await readPlays()).toBe(1)
})

test('logs dead letters without personal data', async () => {
  const error = vi.spyOn(console, 'error').mockReturnValue()
  const result = await deliver([newJob({ listener: 'u42' }), 'rubbish'], { queue: 'artist-house-jobs-dead' })
  expect(result.explicitAcks).toEqual(['m0', 'm1'])
  const lines = error.mock.calls.map(([line]) => JSON.parse(String(line)))
  expect(lines.map(({ at, id, kind }) => [at, id, kind])).toEqual([
    ['dead-letter', 'm0', 'stream'],
    ['dead-letter', 'm1', null],
  ])
  expect(JSON.stringify(lines)).not.toContain('u42')
})

test('every queue has a dead-letter queue, which is consumed', () => {
  const consumers = [...wrangler.matchAll(/\[\[queues\.consumers\]\]\nqueue = "([\w-]+)"((?:\n[^[\n]+)*)/g)]
  const queues = consumers.map(([, name = '', settings = '']) => ({
    name,
    deadLetterQueue: /dead_letter_queue = "(.*)"/.exec(settings)?.[1],
  }))
  const deadLetterQueues = queues.flatMap(({ deadLetterQueue }) => deadLetterQueue ?? [])
  // Only the dead-letter queues themselves have none.
  expect(queues.filter(({ deadLetterQueue }) => !deadLetterQueue).map(({ name }) => name)).toEqual(deadLetterQueues)
  expect(queues.map(({ name }) => name).filter((name) => name.endsWith(DEAD_LETTER_SUFFIX))).toEqual(deadLetterQueues)
})

test('counts a stream sent through the real queue', async () => {
  await env.JOBS.send(newJob())
  await vi.waitFor(async () => expect(await readPlays()).toBe(1), { timeout: 8000, interval: 100 })
}, 10_000)

test('deletes stream reports after two days, not their plays', async () => {
  await countStreams(db, [newJob({ countedAt: NOON - 2 * DAY_MS - 1 }), newJob({ countedAt: NOON - 2 * DAY_MS })])
  await worker.scheduled({ cron: '30 7 * * *', scheduledTime: NOON } as ScheduledController, env as Env)
  expect((await db.select().from(streamReports)).map(({ countedAt }) => countedAt)).toEqual([NOON - 2 * DAY_MS])
  expect(await readPlays()).toBe(2)
})
