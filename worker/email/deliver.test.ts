import { createExecutionContext, createMessageBatch, env, getQueueResult } from 'cloudflare:test'
import { beforeEach, expect, test, vi } from 'vitest'
import type { Env } from '../env'
import { HOUR_MS, MINUTE_MS } from '../lib/clock'
import { limits } from '../limits'
import { db } from '../testing/fixtures'
import { seedSite } from '../testing/seed'
import { spyOnD1 } from '../testing/stores'
import { retryDelay } from './deliver'
import { enqueueEmail } from './outbox'
import {
  consumeEmails,
  enqueuePendingEmails,
  failDeadLetters,
  markStaleClaimsUnknown,
  requeueOverdueEmails,
} from './queue'

const NOW = Date.parse('2026-07-01T16:00:00Z')
const LETTER = { kind: 'any', subject: 'Any subject', text: 'Any text', html: '<p>Any text</p>' }
const MAIL_FROM = 'hello@fan.example'

type Row = { id: string; state: string; attempts: number; last_error: string | null; due_at: number; sent_at: number }
const rows = () => env.DB.prepare('SELECT * FROM outbox ORDER BY created_at').all<Row>()
const row = async () => (await rows()).results[0]!

beforeEach(async () => {
  await seedSite(env.DB)
  for (const table of ['outbox', 'mail_stops']) await env.DB.prepare(`DELETE FROM ${table}`).run()
})

/** Puts mails to these addresses into the outbox; answers their ids. */
async function write(...addresses: string[]): Promise<string[]> {
  for (const [place, to] of addresses.entries())
    await enqueueEmail(env.DB, { to, email: LETTER, dedupeKey: `test:${to}`, at: NOW + place }).run()
  return (await rows()).results.map(({ id }) => id)
}

/** A binding that answers as told, and remembers what it was handed. */
function postman(answer: (to: string) => unknown = () => ({ messageId: 'm1' })) {
  const handed: { to: string; from: unknown; subject: string }[] = []
  const EMAIL = {
    send: async (mail: { to: string; from: unknown; subject: string }) => {
      handed.push(mail)
      const said = answer(mail.to)
      if (said instanceof Error) throw said
      return said
    },
  } as unknown as SendEmail
  return { handed, EMAIL }
}
const code = (name: string) => Object.assign(new Error(name), { code: name })

/** Delivers messages as the queue would, at an instant; `delays` says for how many seconds each is to come again. */
async function deliver(bodies: unknown[], more: Partial<Env>, at = NOW + MINUTE_MS) {
  const messages = bodies.map((body, n) => ({ id: `m${n}`, timestamp: new Date(at), attempts: 1, body }))
  const batch = createMessageBatch('artist-house-mail', messages as never)
  const context = createExecutionContext()
  const delays: Record<string, number | undefined> = {}
  const watched = batch.messages.map(
    (message) =>
      new Proxy(message, {
        get(target, name) {
          const value = Reflect.get(target, name)
          if (typeof value !== 'function') return value
          return (options?: QueueRetryOptions) => {
            if (name === 'retry') delays[target.id] = options?.delaySeconds
            return value.call(target, options)
          }
        },
      }),
  )
  await consumeEmails(
    { ...batch, queue: batch.queue, messages: watched } as MessageBatch,
    { ...env, MAIL_FROM, ...more } as Env,
    () => at,
  )
  return { ...(await getQueueResult(batch, context)), delays }
}
const job = (id: string) => ({ kind: 'mail', id })

test('a mail is handed over once, signed by the artist, however often its message comes', async () => {
  const { handed, EMAIL } = postman()
  const [id = ''] = await write('fan@mail.example')
  const first = await deliver([job(id), job(id)], { EMAIL })
  const second = await deliver([job(id)], { EMAIL })
  expect([first.explicitAcks, second.explicitAcks]).toEqual([['m0', 'm1'], ['m0']])
  expect(handed).toMatchObject([
    { to: 'fan@mail.example', subject: 'Any subject', from: { email: MAIL_FROM, name: 'Any Artist' } },
  ])
  expect(await row()).toMatchObject({ state: 'sent', attempts: 1, provider_id: 'm1', sent_at: NOW + MINUTE_MS })
})

test('ten deliveries of one message at once hand over one mail', async () => {
  const { handed, EMAIL } = postman()
  const [id = ''] = await write('fan@mail.example')
  await Promise.all(Array.from({ length: 10 }, () => deliver([job(id)], { EMAIL })))
  expect(handed).toHaveLength(1)
})

test('one that fails comes again when it is due, a poison message is set aside, and the others do not wait', async () => {
  const { EMAIL } = postman((to) => (to === 'b@mail.example' ? code('E_RATE_LIMIT_EXCEEDED') : { messageId: 'm' }))
  const [a = '', b = '', c = ''] = await write('a@mail.example', 'b@mail.example', 'c@mail.example')
  const result = await deliver([job(a), job(b), { kind: 'poison' }, null, job(c), job('none')], { EMAIL })
  expect(result.explicitAcks).toEqual(['m0', 'm4', 'm5'])
  expect(result.delays).toEqual({ m1: 30, m2: undefined, m3: undefined })
  expect(result.retryMessages.map(({ msgId }) => msgId).toSorted()).toEqual(['m1', 'm2', 'm3'])
  expect((await rows()).results.map(({ state }) => state)).toEqual(['sent', 'waiting', 'sent'])
  // Before it is due, nothing is handed over.
  expect((await deliver([job(b)], { EMAIL }, NOW + MINUTE_MS + 10_000)).delays).toEqual({ m0: 20 })
  expect((await rows()).results[1]).toMatchObject({ attempts: 1, last_error: 'E_RATE_LIMIT_EXCEEDED' })
})

test('a provider that is down for an hour delays a mail and loses none', async () => {
  let at = NOW + MINUTE_MS
  const up = NOW + MINUTE_MS + HOUR_MS
  const { handed, EMAIL } = postman(() => (at < up ? code('E_INTERNAL_SERVER_ERROR') : { messageId: 'late' }))
  const [id = ''] = await write('fan@mail.example')
  let tries = 0
  for (; (await row()).state === 'waiting'; tries++) {
    at = Math.max(at, (await row()).due_at)
    await deliver([job(id)], { EMAIL }, at)
  }
  expect(await row()).toMatchObject({ state: 'sent', attempts: tries })
  expect([tries, handed.length]).toEqual([8, 8])
  expect(at - up).toBeLessThan(HOUR_MS)
})

test('a mail that nobody takes for hours is failed, and the administrator’s', async () => {
  const { EMAIL } = postman(() => code('E_INTERNAL_SERVER_ERROR'))
  const [id = ''] = await write('fan@mail.example')
  let at = NOW
  for (let n = 0; n < 40 && (await row()).state === 'waiting'; n++) {
    at = Math.max(at, (await row()).due_at)
    await deliver([job(id)], { EMAIL }, at)
  }
  expect(await row()).toMatchObject({ state: 'failed', attempts: limits.maxEmailAttempts })
  expect(at - NOW).toBeGreaterThan(4 * HOUR_MS)
})

test('patience doubles from half a minute to an hour', () => {
  expect([1, 2, 3, 7, 8, 12].map((tries) => retryDelay(tries) / 1000)).toEqual([30, 60, 120, 1920, 3600, 3600])
})

test.each([
  ['refused for good', code('E_RECIPIENT_SUPPRESSED'), 'failed', 'E_RECIPIENT_SUPPRESSED'],
  ['whose answer was lost', new Error('Network connection lost'), 'unknown', 'No answer.'],
  ['that ran out of time behind the binding', code('E_TIMEOUT'), 'unknown', 'E_TIMEOUT'],
])('a mail %s is shown as such and never repeated', async (_, error, state, why) => {
  const { handed, EMAIL } = postman(() => error)
  const [id = ''] = await write('fan@mail.example')
  for (let n = 0; n < 3; n++)
    expect((await deliver([job(id)], { EMAIL }, NOW + n * HOUR_MS)).explicitAcks).toEqual(['m0'])
  expect([await row(), handed.length]).toMatchObject([{ state, last_error: why }, 1])
})

test('an address that the binding will never write to is remembered, and its next list mail is not even handed over', async () => {
  const { handed, EMAIL } = postman(() => code('E_RECIPIENT_SUPPRESSED'))
  const [id = ''] = await write('fan@mail.example')
  await deliver([job(id)], { EMAIL })
  const stops = await env.DB.prepare('SELECT reason, mail_id, created_at FROM mail_stops').all()
  expect(stops.results).toEqual([{ reason: 'suppressed', mail_id: id, created_at: NOW + MINUTE_MS }])
  const letter = { ...LETTER, kind: 'show_alert' }
  await enqueueEmail(env.DB, { to: 'Fan@mail.example', email: letter, dedupeKey: 'list', at: NOW - 1 }).run()
  await deliver([job((await row()).id)], { EMAIL })
  const held = { state: 'failed', attempts: 0, last_error: 'Not sent: the provider does not write to this address.' }
  expect([handed.length, await row()]).toMatchObject([1, held])
})

test('a database that fails before the claim has the message come again, and nothing was handed over', async () => {
  vi.spyOn(console, 'error').mockReturnValue()
  const { handed, EMAIL } = postman()
  const [id = ''] = await write('fan@mail.example')
  const down = () => {
    throw new Error('D1 is down')
  }
  const { DB } = spyOnD1(env.DB, { before: (trip) => trip === 4 && down() })
  expect((await deliver([job(id)], { EMAIL, DB })).delays).toEqual({ m0: 30 })
  expect([handed.length, (await row()).state]).toEqual([0, 'waiting'])
  await deliver([job(id)], { EMAIL })
  expect([handed.length, (await row()).state]).toEqual([1, 'sent'])
})

test('a database that fails twice behind the sending is asked until it knows', async () => {
  const { handed, EMAIL } = postman()
  const [id = ''] = await write('fan@mail.example')
  const { DB } = spyOnD1(env.DB, {
    before: (trip) => {
      if (trip === 5) throw new Error('D1 is down')
    },
    after: (trip) => {
      if (trip === 6) throw new Error('Network connection lost')
    },
  })
  await deliver([job(id)], { EMAIL, DB })
  expect([handed.length, (await row()).state]).toEqual([1, 'sent'])
})

test('a sender that died with a mail in its hands leaves it in doubt: marked, and not repeated', async () => {
  vi.spyOn(console, 'error').mockReturnValue()
  const { handed, EMAIL } = postman()
  const [id = ''] = await write('fan@mail.example')
  const dead = (trip: number) => {
    if (trip > 4) throw new Error('dead')
  }
  const { DB } = spyOnD1(env.DB, { before: dead })
  await deliver([job(id)], { EMAIL, DB })
  expect((await deliver([job(id)], { EMAIL })).explicitAcks).toEqual(['m0'])
  await markStaleClaimsUnknown(db, NOW + MINUTE_MS + limits.emailLeaseMinutes * MINUTE_MS - 1)
  expect((await row()).state).toBe('waiting')
  await markStaleClaimsUnknown(db, NOW + MINUTE_MS + limits.emailLeaseMinutes * MINUTE_MS)
  expect([handed.length, await row()]).toMatchObject([1, { state: 'unknown' }])
})

test('a claim whose answer was lost is in doubt as well', async () => {
  vi.spyOn(console, 'error').mockReturnValue()
  const { handed, EMAIL } = postman()
  const [id = ''] = await write('fan@mail.example')
  const { DB } = spyOnD1(env.DB, {
    after: (trip) => {
      if (trip === 4) throw new Error('Network connection lost')
    },
  })
  await deliver([job(id)], { EMAIL, DB })
  await deliver([job(id)], { EMAIL })
  await markStaleClaimsUnknown(db, NOW + HOUR_MS)
  expect([handed.length, (await row()).state]).toEqual([0, 'unknown'])
})

function queue() {
  const told: string[] = []
  const MAIL = {
    sendBatch: async (messages: { body: { id: string } }[]) => void told.push(...messages.map(({ body }) => body.id)),
  } as unknown as Env['MAIL']
  return { told, MAIL }
}

test('the queue is told of each mail once, and again of one whose message was lost', async () => {
  const { told, MAIL } = queue()
  const ids = await write(...Array.from({ length: 130 }, (_, n) => `fan${n}@mail.example`))
  for (let n = 0; n < 2; n++) await enqueuePendingEmails(db, MAIL, NOW + MINUTE_MS)
  expect(told.toSorted()).toEqual(ids.toSorted())
  const later = NOW + MINUTE_MS + limits.emailOverdueMinutes * MINUTE_MS
  await requeueOverdueEmails(db, MAIL, later - 1)
  expect(told).toHaveLength(130)
  for (let n = 0; n < 2; n++) await requeueOverdueEmails(db, MAIL, later)
  expect(told).toHaveLength(260)
})

test('a mail that the queue did not take is told again by the sweep', async () => {
  const { told, MAIL } = queue()
  const [id = ''] = await write('fan@mail.example')
  const broken = { sendBatch: () => Promise.reject(new Error('no queue')) } as unknown as Env['MAIL']
  await expect(enqueuePendingEmails(db, broken, NOW + MINUTE_MS)).rejects.toThrow('no queue')
  await requeueOverdueEmails(db, MAIL, NOW + HOUR_MS)
  expect(told).toEqual([id])
})

test('what the queue gave up on is failed, and the log names nobody', async () => {
  const error = vi.spyOn(console, 'error').mockReturnValue()
  const [id = ''] = await write('fan@mail.example')
  const messages = [job(id), { to: 'fan@mail.example' }].map((body, n) => ({
    id: `m${n}`,
    timestamp: new Date(NOW),
    attempts: 1,
    body,
  }))
  const batch = createMessageBatch('artist-house-mail-dead', messages as never)
  await failDeadLetters(batch, env)
  expect(await row()).toMatchObject({ state: 'failed', last_error: 'The queue gave up on it.' })
  expect(error).toHaveBeenCalledTimes(2)
  expect(JSON.stringify(error.mock.calls)).not.toContain('@')
})
