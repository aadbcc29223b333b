import { createExecutionContext, createMessageBatch, env, getQueueResult } from 'cloudflare:test'
import { beforeEach, expect, test, vi } from 'vitest'
import type { Env } from '../env'
import { HOUR_MS, MINUTE_MS } from '../lib/clock'
import { limits } from '../limits'
import { consumeBatch } from '../queues'
import { db } from '../testing/fixtures'
import { NOON, seedSite } from '../testing/seed'
import { spyOnD1 } from '../testing/stores'
import { retryDelay } from './deliver'
import { enqueueEmail } from './outbox'
import { emailHandler, enqueuePendingEmails, markStaleClaimsUnknown, requeueOverdueEmails } from './queue'

const EMAIL_DRAFT = { kind: 'any', subject: 'Any subject', text: 'Any text', html: '<p>Any text</p>' }
const MAIL_FROM = 'hello@fan.example'

type OutboxRow = {
  id: string
  state: string
  attempts: number
  last_error: string | null
  due_at: number
  sent_at: number
}
const readOutbox = () => env.DB.prepare('SELECT * FROM outbox ORDER BY created_at').all<OutboxRow>()
/** The oldest email of the outbox. */
const readEmail = async () => (await readOutbox()).results[0]!

beforeEach(async () => {
  await seedSite(env.DB)
  for (const table of ['outbox', 'mail_stops']) await env.DB.prepare(`DELETE FROM ${table}`).run()
})

/** Enqueues an email to each address and returns the ids. */
async function enqueue(...addresses: string[]): Promise<string[]> {
  for (const [index, to] of addresses.entries())
    await enqueueEmail(env.DB, { to, email: EMAIL_DRAFT, dedupeKey: `test:${to}`, at: NOON + index }).run()
  return (await readOutbox()).results.map(({ id }) => id)
}

/** A fake email binding that records what it sends. */
function fakeBinding(respond: (to: string) => unknown = () => ({ messageId: 'm1' })) {
  const sent: { to: string; from: unknown; subject: string }[] = []
  const EMAIL = {
    send: async (mail: { to: string; from: unknown; subject: string }) => {
      sent.push(mail)
      const result = respond(mail.to)
      if (result instanceof Error) throw result
      return result
    },
  } as unknown as SendEmail
  return { sent, EMAIL }
}
const errorWithCode = (name: string) => Object.assign(new Error(name), { code: name })

/** Delivers messages as the queue does. `delays` holds the retry delays in seconds by message id. */
async function deliver(bodies: unknown[], bindings: Partial<Env>, at = NOON + MINUTE_MS) {
  const messages = bodies.map((body, n) => ({ id: `m${n}`, timestamp: new Date(at), attempts: 1, body }))
  const batch = createMessageBatch('artist-house-mail', messages as never)
  const context = createExecutionContext()
  const delays: Record<string, number | undefined> = {}
  const observedMessages = batch.messages.map(
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
  await emailHandler.consume(
    { ...batch, queue: batch.queue, messages: observedMessages } as MessageBatch,
    { ...env, MAIL_FROM, ...bindings } as Env,
    () => at,
  )
  return { ...(await getQueueResult(batch, context)), delays }
}
const messageFor = (id: string) => ({ kind: 'mail', id })

test('sends an email once for repeated messages, from the artist', async () => {
  const { sent, EMAIL } = fakeBinding()
  const [id = ''] = await enqueue('fan@mail.example')
  const first = await deliver([messageFor(id), messageFor(id)], { EMAIL })
  const second = await deliver([messageFor(id)], { EMAIL })
  expect([first.explicitAcks, second.explicitAcks]).toEqual([['m0', 'm1'], ['m0']])
  expect(sent).toMatchObject([
    { to: 'fan@mail.example', subject: 'Any subject', from: { email: MAIL_FROM, name: 'Any Artist' } },
  ])
  expect(await readEmail()).toMatchObject({ state: 'sent', attempts: 1, provider_id: 'm1', sent_at: NOON + MINUTE_MS })
})

test('sends one email for ten concurrent deliveries', async () => {
  const { sent, EMAIL } = fakeBinding()
  const [id = ''] = await enqueue('fan@mail.example')
  await Promise.all(Array.from({ length: 10 }, () => deliver([messageFor(id)], { EMAIL })))
  expect(sent).toHaveLength(1)
})

test('retries failed and malformed messages without delaying the others', async () => {
  const { EMAIL } = fakeBinding((to) =>
    to === 'b@mail.example' ? errorWithCode('E_RATE_LIMIT_EXCEEDED') : { messageId: 'm' },
  )
  const [a = '', b = '', c = ''] = await enqueue('a@mail.example', 'b@mail.example', 'c@mail.example')
  const result = await deliver(
    [messageFor(a), messageFor(b), { kind: 'poison' }, null, messageFor(c), messageFor('none')],
    { EMAIL },
  )
  expect(result.explicitAcks).toEqual(['m0', 'm4', 'm5'])
  expect(result.delays).toEqual({ m1: 30, m2: 30, m3: 30 })
  expect(result.retryMessages.map(({ msgId }) => msgId).toSorted()).toEqual(['m1', 'm2', 'm3'])
  expect((await readOutbox()).results.map(({ state }) => state)).toEqual(['sent', 'waiting', 'sent'])
  // A message that arrives before the email is due is delayed until then.
  expect((await deliver([messageFor(b)], { EMAIL }, NOON + MINUTE_MS + 10_000)).delays).toEqual({ m0: 20 })
  expect((await readOutbox()).results[1]).toMatchObject({ attempts: 1, last_error: 'E_RATE_LIMIT_EXCEEDED' })
})

test('delivers after the provider was down for an hour', async () => {
  let at = NOON + MINUTE_MS
  const recoversAt = NOON + MINUTE_MS + HOUR_MS
  const { sent, EMAIL } = fakeBinding(() =>
    at < recoversAt ? errorWithCode('E_INTERNAL_SERVER_ERROR') : { messageId: 'late' },
  )
  const [id = ''] = await enqueue('fan@mail.example')
  let attempts = 0
  for (; (await readEmail()).state === 'waiting'; attempts++) {
    at = Math.max(at, (await readEmail()).due_at)
    await deliver([messageFor(id)], { EMAIL }, at)
  }
  expect(await readEmail()).toMatchObject({ state: 'sent', attempts })
  expect([attempts, sent.length]).toEqual([8, 8])
  expect(at - recoversAt).toBeLessThan(HOUR_MS)
})

test('fails an email after the maximum number of attempts', async () => {
  const { EMAIL } = fakeBinding(() => errorWithCode('E_INTERNAL_SERVER_ERROR'))
  const [id = ''] = await enqueue('fan@mail.example')
  let at = NOON
  for (let attempt = 0; attempt < 40 && (await readEmail()).state === 'waiting'; attempt++) {
    at = Math.max(at, (await readEmail()).due_at)
    await deliver([messageFor(id)], { EMAIL }, at)
  }
  expect(await readEmail()).toMatchObject({ state: 'failed', attempts: limits.maxEmailAttempts })
  expect(at - NOON).toBeGreaterThan(4 * HOUR_MS)
})

test('doubles the retry delay from 30 seconds to an hour', () => {
  expect([1, 2, 3, 7, 8, 12].map((attempts) => retryDelay(attempts) / 1000)).toEqual([30, 60, 120, 1920, 3600, 3600])
})

test.each([
  ['rejected permanently', errorWithCode('E_RECIPIENT_SUPPRESSED'), 'failed', 'E_RECIPIENT_SUPPRESSED'],
  ['without a response', new Error('Network connection lost'), 'unknown', 'No answer.'],
  ['that timed out', errorWithCode('E_TIMEOUT'), 'unknown', 'E_TIMEOUT'],
])('does not retry an email %s', async (_, error, state, reason) => {
  const { sent, EMAIL } = fakeBinding(() => error)
  const [id = ''] = await enqueue('fan@mail.example')
  for (let n = 0; n < 3; n++)
    expect((await deliver([messageFor(id)], { EMAIL }, NOON + n * HOUR_MS)).explicitAcks).toEqual(['m0'])
  expect([await readEmail(), sent.length]).toMatchObject([{ state, last_error: reason }, 1])
})

test('suppresses an address that the provider rejects permanently', async () => {
  const { sent, EMAIL } = fakeBinding(() => errorWithCode('E_RECIPIENT_SUPPRESSED'))
  const [id = ''] = await enqueue('fan@mail.example')
  await deliver([messageFor(id)], { EMAIL })
  const suppressions = await env.DB.prepare('SELECT reason, mail_id, created_at FROM mail_stops').all()
  expect(suppressions.results).toEqual([{ reason: 'suppressed', mail_id: id, created_at: NOON + MINUTE_MS }])
  // A list email to the same mailbox, dated before the first one so that `readEmail` returns it.
  const draft = { ...EMAIL_DRAFT, kind: 'show_alert' }
  await enqueueEmail(env.DB, { to: 'Fan@mail.example', email: draft, dedupeKey: 'list', at: NOON - 1 }).run()
  await deliver([messageFor((await readEmail()).id)], { EMAIL })
  const unsent = { state: 'failed', attempts: 0, last_error: 'Not sent: the provider does not write to this address.' }
  expect([sent.length, await readEmail()]).toMatchObject([1, unsent])
})

/** The call to D1 that claims the email. The calls after it store the result. */
const CLAIM_CALL = 4

test('retries without sending when the claim fails', async () => {
  vi.spyOn(console, 'error').mockReturnValue()
  const { sent, EMAIL } = fakeBinding()
  const [id = ''] = await enqueue('fan@mail.example')
  const failD1 = () => {
    throw new Error('D1 is down')
  }
  const { DB } = spyOnD1(env.DB, { before: (call) => call === CLAIM_CALL && failD1() })
  expect((await deliver([messageFor(id)], { EMAIL, DB })).delays).toEqual({ m0: 30 })
  expect([sent.length, (await readEmail()).state]).toEqual([0, 'waiting'])
  await deliver([messageFor(id)], { EMAIL })
  expect([sent.length, (await readEmail()).state]).toEqual([1, 'sent'])
})

test('retries storing the result after sending', async () => {
  const { sent, EMAIL } = fakeBinding()
  const [id = ''] = await enqueue('fan@mail.example')
  const { DB } = spyOnD1(env.DB, {
    before: (call) => {
      if (call === CLAIM_CALL + 1) throw new Error('D1 is down')
    },
    after: (call) => {
      if (call === CLAIM_CALL + 2) throw new Error('Network connection lost')
    },
  })
  await deliver([messageFor(id)], { EMAIL, DB })
  expect([sent.length, (await readEmail()).state]).toEqual([1, 'sent'])
})

test('marks the outcome of an email unknown after a crash', async () => {
  vi.spyOn(console, 'error').mockReturnValue()
  const { sent, EMAIL } = fakeBinding()
  const [id = ''] = await enqueue('fan@mail.example')
  const crash = (call: number) => {
    if (call > CLAIM_CALL) throw new Error('dead')
  }
  const { DB } = spyOnD1(env.DB, { before: crash })
  await deliver([messageFor(id)], { EMAIL, DB })
  expect((await deliver([messageFor(id)], { EMAIL })).explicitAcks).toEqual(['m0'])
  await markStaleClaimsUnknown(db, NOON + MINUTE_MS + limits.emailLeaseMinutes * MINUTE_MS - 1)
  expect((await readEmail()).state).toBe('waiting')
  await markStaleClaimsUnknown(db, NOON + MINUTE_MS + limits.emailLeaseMinutes * MINUTE_MS)
  expect([sent.length, await readEmail()]).toMatchObject([1, { state: 'unknown' }])
})

test('marks an email unknown when the claim response was lost', async () => {
  vi.spyOn(console, 'error').mockReturnValue()
  const { sent, EMAIL } = fakeBinding()
  const [id = ''] = await enqueue('fan@mail.example')
  const { DB } = spyOnD1(env.DB, {
    after: (call) => {
      if (call === CLAIM_CALL) throw new Error('Network connection lost')
    },
  })
  await deliver([messageFor(id)], { EMAIL, DB })
  await deliver([messageFor(id)], { EMAIL })
  await markStaleClaimsUnknown(db, NOON + HOUR_MS)
  expect([sent.length, (await readEmail()).state]).toEqual([0, 'unknown'])
})

function fakeQueue() {
  const queued: string[] = []
  const MAIL = {
    sendBatch: async (messages: { body: { id: string } }[]) => void queued.push(...messages.map(({ body }) => body.id)),
  } as unknown as Env['MAIL']
  return { queued, MAIL }
}

test('enqueues each email once and requeues overdue ones', async () => {
  const { queued, MAIL } = fakeQueue()
  const ids = await enqueue(...Array.from({ length: 130 }, (_, n) => `fan${n}@mail.example`))
  for (let n = 0; n < 2; n++) await enqueuePendingEmails(db, MAIL, NOON + MINUTE_MS)
  expect(queued.toSorted()).toEqual(ids.toSorted())
  const later = NOON + MINUTE_MS + limits.emailOverdueMinutes * MINUTE_MS
  await requeueOverdueEmails(db, MAIL, later - 1)
  expect(queued).toHaveLength(130)
  for (let n = 0; n < 2; n++) await requeueOverdueEmails(db, MAIL, later)
  expect(queued).toHaveLength(260)
})

test('requeues an email that the queue rejected', async () => {
  const { queued, MAIL } = fakeQueue()
  const [id = ''] = await enqueue('fan@mail.example')
  const broken = { sendBatch: () => Promise.reject(new Error('no queue')) } as unknown as Env['MAIL']
  await expect(enqueuePendingEmails(db, broken, NOON + MINUTE_MS)).rejects.toThrow('no queue')
  await requeueOverdueEmails(db, MAIL, NOON + HOUR_MS)
  expect(queued).toEqual([id])
})

test('fails dead-lettered emails and logs no addresses', async () => {
  const consoleError = vi.spyOn(console, 'error').mockReturnValue()
  const [id = ''] = await enqueue('fan@mail.example')
  const messages = [messageFor(id), { to: 'fan@mail.example' }].map((body, n) => ({
    id: `m${n}`,
    timestamp: new Date(NOON),
    attempts: 1,
    body,
  }))
  const batch = createMessageBatch('artist-house-mail-dead', messages as never)
  await consumeBatch(batch, env)
  expect(await readEmail()).toMatchObject({ state: 'failed', last_error: 'The queue gave up on it.' })
  expect(consoleError).toHaveBeenCalledTimes(2)
  expect(JSON.stringify(consoleError.mock.calls)).not.toContain('@')
})
