import { env } from 'cloudflare:test'
import { beforeEach, expect, test } from 'vitest'
import { HOUR, MINUTE } from '../lib/clock'
import { limits } from '../limits'
import type { Outcome } from '../mail/provider'
import { markLost } from '../mail/sweep'
import { ask, delivery, draft, NOW, one, openDesk, postman, readers, sendAll } from '../testing/broadcasting'
import { watchedD1 } from '../testing/watched-d1'
import { sendStretch } from './send'

beforeEach(openDesk)

test('a sender that dies at any moment loses nobody and writes to nobody twice; what is in doubt is counted', async () => {
  await readers(180)
  const id = await draft()
  await ask('POST', `s/${id}/send`, {})
  const { provider, to } = postman()
  let at = NOW
  let deaths = 0
  // Each sender dies a little later than the last: before and after listing, claiming, sending, settling.
  for (; (await one(id)).state !== 'done'; at += 20 * MINUTE) {
    const dies = ++deaths * 3
    const { DB } = watchedD1(env.DB, {
      before: (trip) => {
        if (trip > dies) throw new Error('dead')
      },
    })
    await sendStretch(delivery(provider, { at, db: DB }), id).catch(() => null)
    await markLost(env.DB, at + 16 * MINUTE)
  }
  const { counts, recipients } = await one(id)
  expect(deaths).toBeGreaterThan(5)
  expect([recipients, counts.waiting, counts.failed]).toEqual([180, 0, 0])
  expect(counts.sent + counts.unknown).toBe(180)
  expect(counts.unknown).toBeGreaterThan(0)
  expect(counts.unknown).toBeLessThanOrEqual(deaths * limits.mailsAtOnce)
  expect(to().length).toBe(new Set(to()).size)
})

test('ten senders at once write to each reader once', async () => {
  await readers(120)
  const id = await draft()
  await ask('POST', `s/${id}/send`, {})
  const { provider, to } = postman()
  await Promise.all(Array.from({ length: 10 }, () => sendAll(id, provider)))
  expect([to().length, new Set(to()).size]).toEqual([120, 120])
})

test('a provider that says not now is left alone until later, and then goes on', async () => {
  await readers(50)
  const id = await draft()
  await ask('POST', `s/${id}/send`, {})
  let asked = 0
  const busy = postman(() => {
    asked++
    return { kind: 'later', why: '429', busy: true, afterMillis: 5 * MINUTE }
  })
  const next = await sendAll(id, busy.provider)
  expect([next, asked]).toEqual([{ again: NOW + 5 * MINUTE }, limits.mailsAtOnce])
  const { provider, to } = postman()
  expect(await sendAll(id, provider, NOW + 5 * MINUTE)).toBe(null)
  expect(to().length).toBe(50)
})

test('a provider that stays busy for a day costs no mail its tries', async () => {
  await readers(2)
  const id = await draft()
  await ask('POST', `s/${id}/send`, {})
  const busy = postman(() => ({ kind: 'later', why: '429', busy: true }))
  for (let n = 0; n <= limits.mailTries; n++) await sendStretch(delivery(busy.provider, { at: NOW + n * HOUR }), id)
  expect(await one(id)).toMatchObject({ state: 'sending', counts: { waiting: 2, failed: 0 } })
  expect(await env.DB.prepare('SELECT max(attempts) AS tries FROM outbox').first()).toEqual({ tries: 0 })
})

test('a mail that fails by itself does not hold up the others', async () => {
  await readers(130)
  const id = await draft()
  await ask('POST', `s/${id}/send`, {})
  const { provider, to } = postman(({ to }) =>
    to === 'fan1@mail.example' ? { kind: 'later', why: '500' } : { kind: 'sent', providerId: 'p' },
  )
  expect(await sendAll(id, provider)).toEqual({ again: NOW + 30_000 })
  expect(to().length).toBe(129)
})

test.each([
  ['one of whose tries got no answer is in doubt in the end', true, 'unknown'],
  ['that was never taken has failed in the end', false, 'failed'],
])('a copy %s', async (_, doubt, state) => {
  await readers(1)
  const id = await draft()
  await ask('POST', `s/${id}/send`, {})
  let tries = 0
  const provider = async (): Promise<Outcome> => ({ kind: 'later', why: '503', doubt: ++tries === 1 && doubt })
  for (let n = 0; n < limits.mailTries + 1; n++) await sendStretch(delivery(provider, { at: NOW + n * HOUR }), id)
  expect([tries, (await env.DB.prepare('SELECT state FROM outbox').first())?.state]).toEqual([limits.mailTries, state])
})

test('each try of a copy is the same letter to the byte', async () => {
  await readers(1)
  const id = await draft()
  await ask('POST', `s/${id}/send`, {})
  const tries: string[] = []
  const deaf = postman((mail) => {
    tries.push(JSON.stringify(mail))
    return { kind: 'later', why: 'No answer.' }
  })
  for (let n = 0; n < 3; n++) await sendAll(id, deaf.provider, NOW + n * HOUR)
  expect([tries.length, new Set(tries).size]).toEqual([3, 1])
})

test('one under way can be stopped: what was not sent stays unsent', async () => {
  await readers(limits.broadcastStretch + 100)
  const id = await draft()
  await ask('POST', `s/${id}/send`, {})
  const { provider, to } = postman()
  await sendStretch(delivery(provider), id)
  expect((await ask('POST', `s/${id}/cancel`)).status).toBe(204)
  await sendAll(id, provider)
  expect(to().length).toBe(limits.broadcastStretch)
  expect(await one(id)).toMatchObject({ state: 'cancelled', counts: { waiting: 0, sent: limits.broadcastStretch } })
  for (const act of ['send', 'cancel'])
    expect((await ask('POST', `s/${id}/${act}`, act === 'send' ? {} : undefined)).status).toBe(409)
})

test.each<Outcome>([
  { kind: 'sent', providerId: 'p' },
  { kind: 'later', why: '503' },
])(
  'one that is cancelled while the provider has a handful ($kind) writes to nobody after that, and leaves nobody waiting',
  async (last) => {
    await readers(1200)
    const id = await draft()
    await ask('POST', `s/${id}/send`, {})
    let asked = 0
    const provider = async (): Promise<Outcome> => {
      if (++asked === limits.mailsAtOnce * 5) {
        expect((await ask('POST', `s/${id}/cancel`)).status).toBe(204)
        return last
      }
      return { kind: 'sent', providerId: 'p' }
    }
    await sendAll(id, provider)
    await sendAll(id, provider, NOW + HOUR)
    // The handful that was in the provider's hands, and nobody of the page under way or of those not listed yet.
    expect(asked).toBe(limits.mailsAtOnce * 5)
    expect(await one(id)).toMatchObject({
      state: 'cancelled',
      counts: { waiting: 0, sent: last.kind === 'sent' ? asked : asked - 1, unknown: 0 },
    })
  },
)
