import { env } from 'cloudflare:test'
import { beforeEach, expect, test } from 'vitest'
import type { SendResult } from '../email/providers'
import { markStaleClaimsUnknown } from '../email/queue'
import { HOUR_MS, MINUTE_MS } from '../lib/clock'
import { limits } from '../limits'
import {
  addSubscribers,
  createDraft,
  delivery,
  fakeEmailProvider,
  getBroadcast,
  NOW,
  request,
  sendAll,
  setUpBroadcasts,
} from '../testing/broadcasts'
import { db } from '../testing/fixtures'
import { spyOnD1 } from '../testing/stores'
import { sendBroadcastBatch } from './send'

beforeEach(setUpBroadcasts)

test('survives crashes without losses or duplicates', async () => {
  await addSubscribers(180)
  const id = await createDraft()
  await request('POST', `s/${id}/send`, {})
  const { provider, to } = fakeEmailProvider()
  let at = NOW
  let crashes = 0
  // Each sender crashes a little later than the one before.
  for (; (await getBroadcast(id)).state !== 'done'; at += 20 * MINUTE_MS) {
    const crashesAfter = ++crashes * 3
    const { DB } = spyOnD1(env.DB, {
      before: (trip) => {
        if (trip > crashesAfter) throw new Error('dead')
      },
    })
    await sendBroadcastBatch(delivery(provider, { at, db: DB }), id).catch(() => null)
    await markStaleClaimsUnknown(db, at + 16 * MINUTE_MS)
  }
  const { counts, recipients } = await getBroadcast(id)
  expect(crashes).toBeGreaterThan(5)
  expect([recipients, counts.waiting, counts.failed]).toEqual([180, 0, 0])
  expect(counts.sent + counts.unknown).toBe(180)
  expect(counts.unknown).toBeGreaterThan(0)
  expect(counts.unknown).toBeLessThanOrEqual(crashes * limits.maxConcurrentEmailSends)
  expect(to().length).toBe(new Set(to()).size)
})

test('sends once per subscriber with ten concurrent senders', async () => {
  await addSubscribers(120)
  const id = await createDraft()
  await request('POST', `s/${id}/send`, {})
  const { provider, to } = fakeEmailProvider()
  await Promise.all(Array.from({ length: 10 }, () => sendAll(id, provider)))
  expect([to().length, new Set(to()).size]).toEqual([120, 120])
})

test('pauses while the provider is busy', async () => {
  await addSubscribers(50)
  const id = await createDraft()
  await request('POST', `s/${id}/send`, {})
  let asked = 0
  const busy = fakeEmailProvider(() => {
    asked++
    return { kind: 'retry', reason: '429', busy: true, afterMs: 5 * MINUTE_MS }
  })
  const next = await sendAll(id, busy.provider)
  expect([next, asked]).toEqual([{ resumeAt: NOW + 5 * MINUTE_MS }, limits.maxConcurrentEmailSends])
  const { provider, to } = fakeEmailProvider()
  expect(await sendAll(id, provider, NOW + 5 * MINUTE_MS)).toBe(null)
  expect(to().length).toBe(50)
})

test('counts no attempts while the provider is busy', async () => {
  await addSubscribers(2)
  const id = await createDraft()
  await request('POST', `s/${id}/send`, {})
  const busy = fakeEmailProvider(() => ({ kind: 'retry', reason: '429', busy: true }))
  for (let n = 0; n <= limits.maxEmailAttempts; n++)
    await sendBroadcastBatch(delivery(busy.provider, { at: NOW + n * HOUR_MS }), id)
  expect(await getBroadcast(id)).toMatchObject({ state: 'sending', counts: { waiting: 2, failed: 0 } })
  expect(await env.DB.prepare('SELECT max(attempts) AS tries FROM outbox').first()).toEqual({ tries: 0 })
})

test('continues after a single failed email', async () => {
  await addSubscribers(130)
  const id = await createDraft()
  await request('POST', `s/${id}/send`, {})
  const { provider, to } = fakeEmailProvider(({ to }) =>
    to === 'fan1@mail.example' ? { kind: 'retry', reason: '500' } : { kind: 'sent', providerId: 'p' },
  )
  expect(await sendAll(id, provider)).toEqual({ resumeAt: NOW + 30_000 })
  expect(to().length).toBe(129)
})

test.each([
  ['one of whose tries got no answer is in doubt in the end', true, 'unknown'],
  ['that was never taken has failed in the end', false, 'failed'],
])('a copy %s', async (_, inDoubt, state) => {
  await addSubscribers(1)
  const id = await createDraft()
  await request('POST', `s/${id}/send`, {})
  let tries = 0
  const provider = async (): Promise<SendResult> => ({
    kind: 'retry',
    reason: '503',
    inDoubt: ++tries === 1 && inDoubt,
  })
  for (let n = 0; n < limits.maxEmailAttempts + 1; n++)
    await sendBroadcastBatch(delivery(provider, { at: NOW + n * HOUR_MS }), id)
  expect([tries, (await env.DB.prepare('SELECT state FROM outbox').first())?.state]).toEqual([
    limits.maxEmailAttempts,
    state,
  ])
})

test('sends identical bytes in every attempt', async () => {
  await addSubscribers(1)
  const id = await createDraft()
  await request('POST', `s/${id}/send`, {})
  const tries: string[] = []
  const unresponsive = fakeEmailProvider((mail) => {
    tries.push(JSON.stringify(mail))
    return { kind: 'retry', reason: 'No answer.' }
  })
  for (let n = 0; n < 3; n++) await sendAll(id, unresponsive.provider, NOW + n * HOUR_MS)
  expect([tries.length, new Set(tries).size]).toEqual([3, 1])
})

test('stops sending a cancelled broadcast', async () => {
  await addSubscribers(limits.broadcastBatchSize + 100)
  const id = await createDraft()
  await request('POST', `s/${id}/send`, {})
  const { provider, to } = fakeEmailProvider()
  await sendBroadcastBatch(delivery(provider), id)
  expect((await request('POST', `s/${id}/cancel`)).status).toBe(204)
  await sendAll(id, provider)
  expect(to().length).toBe(limits.broadcastBatchSize)
  expect(await getBroadcast(id)).toMatchObject({
    state: 'cancelled',
    counts: { waiting: 0, sent: limits.broadcastBatchSize },
  })
  for (const act of ['send', 'cancel'])
    expect((await request('POST', `s/${id}/${act}`, act === 'send' ? {} : undefined)).status).toBe(409)
})

test.each<SendResult>([
  { kind: 'sent', providerId: 'p' },
  { kind: 'retry', reason: '503' },
])('leaves nothing waiting when cancelled during a batch ($kind)', async (last) => {
  await addSubscribers(1200)
  const id = await createDraft()
  await request('POST', `s/${id}/send`, {})
  let asked = 0
  const provider = async (): Promise<SendResult> => {
    if (++asked === limits.maxConcurrentEmailSends * 5) {
      expect((await request('POST', `s/${id}/cancel`)).status).toBe(204)
      return last
    }
    return { kind: 'sent', providerId: 'p' }
  }
  await sendAll(id, provider)
  await sendAll(id, provider, NOW + HOUR_MS)
  // Only the batch that was with the provider.
  expect(asked).toBe(limits.maxConcurrentEmailSends * 5)
  expect(await getBroadcast(id)).toMatchObject({
    state: 'cancelled',
    counts: { waiting: 0, sent: last.kind === 'sent' ? asked : asked - 1, unknown: 0 },
  })
})
