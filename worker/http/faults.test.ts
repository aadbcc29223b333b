import { createMessageBatch, env } from 'cloudflare:test'
import { beforeAll, beforeEach, describe, expect, test, vi } from 'vitest'
import { createApp } from '../app'
import type { PaymentIntent, TestPaymentOutcome } from '../contract/checkout'
import { findWrongTotals, unitsByProduct } from '../db/totals'
import { enqueueEmail } from '../email/outbox'
import type { Env } from '../env'
import worker from '../index'
import { DAY_MS, HOUR_MS, MINUTE_MS, SECOND_MS } from '../lib/clock'
import { runScheduledJobs } from '../schedule'
import { fillPath, newBrowser, RATE_LIMITERS, send } from '../testing/client'
import { emailsTo } from '../testing/emails'
import { addUser, fixtureParams, isLongRun, loadFixtures } from '../testing/fixtures'
import { addProduct, DEMO_ENV, newBuyer } from '../testing/payments'
import { PERMISSIONS } from '../testing/permissions'
import { NOON } from '../testing/seed'
import { spyOnD1, withMethods } from '../testing/stores'
import { cookieHeaderFor, type Role } from '../testing/users'

// These tests call every write endpoint while stores throw, hang or return invalid responses. In `npm test`, each read
// statement fails only once, only one endpoint in three is tested with other stores, and fewer emails are sent.

const WRITES = Object.keys(PERMISSIONS).filter((route) => !route.startsWith('GET '))
const CHANGES_DATA = /^\s*(WITH[\s\S]*?)?\b(INSERT|UPDATE|DELETE)\b/i
/** Writes that a failed request may leave: quotas, last activity, and whether an email has a queue message. */
const IS_BOOKKEEPING = /\b(attempts|last_active_at|SET queued_at)\b/
const isWrite = (sql: string) => CHANGES_DATA.test(sql) && !IS_BOOKKEEPING.test(sql)

let now = NOON
/** One isolate for all calls. */
let app = createApp(() => now)
let callCount = 0
/** Returns a function that sends a valid request from a new caller; each further call repeats the request. */
async function newCall(route: string) {
  const { body, file, createResource, ...expected } = PERMISSIONS[route]!
  const [method = '', path = ''] = route.split(' ')
  const role: Role = expected.supporter === 403 ? 'administrator' : 'supporter'
  const callNumber = ++callCount
  const owner = await addUser()
  const cookie = await cookieHeaderFor(role, role === 'supporter' ? owner.id : undefined)
  const params = createResource ? { id: await createResource(owner.id) } : fixtureParams(path)
  const json = typeof body === 'function' ? body(`caller-${callNumber}` as Role) : body
  const uniqueJson =
    json && JSON.parse(JSON.stringify(json).replaceAll('fan@mail.example', `fan${callNumber}@mail.example`))
  type Options = { at?: number; onResponse?: (response: Response) => void }
  return (bindings: Partial<Env>, { at = NOON, onResponse }: Options = {}) => {
    now = at
    const fetch: typeof app.fetch = async (...args) => {
      const response = await app.fetch(...args)
      onResponse?.(response)
      return response
    }
    return send(method, fillPath(path, params), uniqueJson, {
      app: { fetch } as typeof app,
      env: bindings,
      raw: file?.bytes,
      headers: {
        cookie,
        'cf-connecting-ip': `100.${callNumber >> 8}.${callNumber & 255}.7`,
        ...(file && { 'content-type': file.type }),
      },
    })
  }
}

/** Expects that an error is a message without internals. */
async function expectSafe(response: Response, context: string) {
  const text = await response.text()
  if (response.status < 500) return
  expect([context, response.headers.get('content-type')]).toEqual([context, 'text/plain; charset=UTF-8'])
  expect(text, context).toMatch(/^[A-Z][^{}<>]{15,200}[.)]$/)
  expect(text, context).not.toMatch(/SQL|D1_|SELECT|INSERT|Error:|\.ts\b/)
}

const reject = () => Promise.reject(new Error('INTERNAL: down'))
const hang = () => new Promise<never>(() => {})
/** An object with `method` under each of the names. */
const implementAll = (method: () => unknown, ...names: string[]) =>
  Object.fromEntries(names.map((name) => [name, method]))
const KV_METHODS = ['get', 'put', 'delete'] as const
const R2_METHODS = ['get', 'put', 'delete', 'head', 'createMultipartUpload', 'resumeMultipartUpload'] as const
const QUEUES = ['JOBS', 'MAIL', 'EXPORTS', 'PREVIEWS', 'BROADCASTS'] as const
const queuesWith = (method: () => unknown): Partial<Env> =>
  Object.fromEntries(QUEUES.map((name) => [name, withMethods(env[name], implementAll(method, 'send', 'sendBatch'))]))
const limitersWith = (limit: () => unknown) => Object.fromEntries(RATE_LIMITERS.map((name) => [name, { limit }]))

/** For each store except the database: makes bindings whose methods all behave like `method`. */
const FAULTS: Record<string, (method: () => unknown) => Partial<Env>> = {
  KV: (method) => ({ SESSIONS: withMethods(env.SESSIONS, implementAll(method, ...KV_METHODS)) }),
  'R2 and queues': (method) => ({
    FILES: withMethods(env.FILES, implementAll(method, ...R2_METHODS)),
    ...queuesWith(method),
  }),
  'a rate limiter': (method) => limitersWith(method) as never,
}
/** By name: the entry of FAULTS with these stores, and bindings that return invalid responses. */
const INVALID_RESPONSES: Record<string, [store: string, bindings: () => Partial<Env>]> = {
  'a garbled KV': [
    'KV',
    () => ({
      SESSIONS: withMethods(
        env.SESSIONS,
        implementAll(async () => '{"userId":', 'get'),
      ),
    }),
  ],
  'an empty R2 and queues that drop messages': [
    'R2 and queues',
    () => ({
      FILES: withMethods(
        env.FILES,
        implementAll(async () => null, 'get', 'head', 'put'),
      ),
      ...queuesWith(async () => undefined),
    }),
  ],
  'limiters that reject': ['a rate limiter', () => limitersWith(async () => ({ success: false })) as never],
}
/** Working bindings that record which of FAULTS apply to a request. */
function recordUse(used: Set<string>): Partial<Env> {
  const recording = <T extends object>(name: string, binding: T): T =>
    new Proxy(binding, {
      get(target, property) {
        used.add(name)
        const value = Reflect.get(target, property)
        return typeof value === 'function' ? value.bind(target) : value
      },
    })
  const allowed = { limit: async () => ({ success: true }) }
  return Object.fromEntries([
    ['SESSIONS', recording('KV', env.SESSIONS)],
    ...['FILES' as const, ...QUEUES].map((name) => [name, recording('R2 and queues', env[name])]),
    ...RATE_LIMITERS.map((name) => [name, recording('a rate limiter', allowed)]),
  ])
}

beforeAll(loadFixtures)
beforeEach(() => {
  vi.spyOn(console, 'error').mockReturnValue()
})

test('sends each email once despite repeated and reordered queue messages', async () => {
  const messages: { queue: string; body: unknown }[] = []
  const recorders = Object.fromEntries(
    QUEUES.map((name) => {
      const send = async (body: unknown) => {
        messages.push({ queue: `artist-house-${name.toLowerCase()}`, body })
      }
      const sendBatch = async (batch: Iterable<{ body: unknown }>) => {
        for (const { body } of batch) await send(body)
      }
      return [name, { send, sendBatch }]
    }),
  ) as unknown as Partial<Env>
  for (const route of WRITES) await (await (await newCall(route))(recorders)).arrayBuffer()
  expect(new Set(messages.map(({ queue }) => queue)).size).toBeGreaterThan(2)
  const sent: string[] = []
  const EMAIL = {
    send: async ({ to, subject, text }: Record<string, string>) => {
      sent.push(JSON.stringify([to, subject, text]))
      return { messageId: 'm' }
    },
  } as unknown as Env['EMAIL']
  const bindings = { ...env, ...recorders, EMAIL } as Env
  const deliver = async (batch: typeof messages, at: number) => {
    vi.setSystemTime(at)
    for (const [queue, bodies] of Map.groupBy(batch, ({ queue }) => queue)) {
      const batched = bodies.map(({ body }, n) => ({ id: `m${n}`, timestamp: new Date(at), attempts: 1, body }))
      await worker.queue(createMessageBatch(queue, batched as never), bindings)
    }
  }
  const first = [...messages]
  try {
    await deliver(first.toReversed(), NOON + MINUTE_MS)
    await deliver(first, NOON - DAY_MS)
    for (const at of [NOON + 40 * DAY_MS, NOON - DAY_MS, NOON + HOUR_MS])
      for (const cron of ['*/5 * * * *', '30 7 * * *']) await runScheduledJobs(cron, bindings, at)
    await deliver(messages.slice(first.length), NOON + 41 * DAY_MS)
  } finally {
    vi.useRealTimers()
  }
  expect(sent.length).toBeGreaterThan(5)
  expect(sent.length - new Set(sent).size).toBe(0)
}, 60_000)

/** A faulty email provider: calls `accept` if it takes the email; returns its response. */
type ProviderFault = (accept: () => void) => unknown
const afterAccepting =
  (respond: () => unknown): ProviderFault =>
  (accept) => {
    accept()
    return respond()
  }
const codedError = (code: string) => Object.assign(new Error(code), { code })
/** By fault: the final states that are allowed for an email whose first attempts fail in this way, and the fault. */
const CLOUDFLARE_FAULTS: Record<string, [states: string[], ProviderFault]> = {
  throws: [['unknown'], () => reject()],
  hangs: [['unknown'], () => hang()],
  'hangs after acceptance': [['unknown'], afterAccepting(() => hang())],
  'is down': [['sent'], () => Promise.reject(codedError('E_INTERNAL_SERVER_ERROR'))],
  'is busy': [['sent'], () => Promise.reject(codedError('E_RATE_LIMIT_EXCEEDED'))],
  'rejects permanently': [['failed'], () => Promise.reject(codedError('E_CONTENT_REJECTED'))],
  'returns nothing': [['sent'], afterAccepting(() => undefined)],
  'returns no id': [['sent'], afterAccepting(() => ({}))],
  'loses the response': [['unknown'], afterAccepting(() => reject())],
}
const RESEND_FAULTS: Record<string, [states: string[], ProviderFault]> = {
  throws: [['sent'], () => reject()],
  hangs: [['sent'], () => hang()],
  'hangs after acceptance': [['sent'], afterAccepting(() => hang())],
  'returns 500': [['sent'], () => new Response('<h1>Error</h1>', { status: 500 })],
  'returns 502 after acceptance': [['sent'], afterAccepting(() => new Response('', { status: 502 }))],
  'returns 429': [['sent'], () => Response.json({ name: 'rate_limit_exceeded' }, { status: 429 })],
  'returns 422': [['failed'], () => Response.json({ name: 'validation_error' }, { status: 422 })],
  'returns no JSON': [['sent'], afterAccepting(() => new Response('OK'))],
  'loses the response': [['sent'], afterAccepting(() => reject())],
}
const PROVIDER_FAULTS = [
  ...Object.entries(CLOUDFLARE_FAULTS).map(([name, fault]) => ['verify', `Cloudflare ${name}`, ...fault] as const),
  ...Object.entries(RESEND_FAULTS).map(([name, fault]) => ['show_alert', `Resend ${name}`, ...fault] as const),
]

test.each(PROVIDER_FAULTS)(
  'sends no %s email twice when %s',
  async (kind, name, states, fault) => {
    const accepted = new Map<string, number>()
    const attempts = new Map<string, number>()
    const keys = new Map<string, Set<string>>()
    /** The first two attempts of each email fail. */
    const attempt = (to: string, accept: () => void, healthy: () => unknown) => {
      attempts.set(to, (attempts.get(to) ?? 0) + 1)
      if ((attempts.get(to) ?? 0) <= 2) return fault(accept)
      accept()
      return healthy()
    }
    const EMAIL = {
      send: async ({ to }: { to: string }) =>
        attempt(
          to,
          () => accepted.set(to, (accepted.get(to) ?? 0) + 1),
          () => ({ messageId: 'm' }),
        ),
    } as unknown as Env['EMAIL']
    vi.spyOn(globalThis, 'fetch').mockImplementation(async (_, init) => {
      const { to } = JSON.parse(String(init?.body)) as { to: [string] }
      const key = new Headers(init?.headers).get('idempotency-key') ?? ''
      keys.set(to[0], (keys.get(to[0]) ?? new Set()).add(key))
      // Resend sends one email for a key.
      const accept = () => accepted.set(to[0], keys.get(to[0])?.size ?? 0)
      const aborted = new Promise<never>((_, fail) => init?.signal?.addEventListener('abort', () => fail(new Error())))
      return Promise.race([attempt(to[0], accept, () => Response.json({ id: 'r' })) as Response, aborted])
    })
    vi.spyOn(AbortSignal, 'timeout').mockImplementation((ms) => {
      const controller = new AbortController()
      setTimeout(() => controller.abort(), ms)
      return controller.signal
    })
    const queued: string[] = []
    const sendBatch = async (batch: Iterable<{ body: { id: string } }>) => {
      for (const { body } of batch) queued.push(body.id)
    }
    const bindings = { ...env, EMAIL, RESEND_API_KEY: 'key', MAIL: { sendBatch } } as unknown as Env
    const recipients = Array.from(
      { length: isLongRun ? 12 : 4 },
      (_, n) => `${n}@${name.replaceAll(' ', '-').toLowerCase()}.example`,
    )
    await env.DB.prepare("UPDATE outbox SET state = 'failed' WHERE state = 'waiting'").run()
    for (const to of recipients) {
      const email = { kind, subject: 'Any', text: 'Any', html: '<p>Any</p>' }
      await enqueueEmail(env.DB, { to, email, dedupeKey: `${kind}:${to}`, at: NOON }).run()
    }
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'Date'] })
    try {
      for (let at = NOON + MINUTE_MS; at < NOON + (isLongRun ? 360 : 80) * MINUTE_MS; at += 20 * MINUTE_MS) {
        vi.setSystemTime(at)
        await runScheduledJobs('*/5 * * * *', bindings, at)
        // Each message twice, out of order, in two concurrent batches.
        const messages = [...queued, ...queued.toReversed()].map((id, n) => ({
          id: `m${n}`,
          timestamp: new Date(at),
          attempts: 1,
          body: { kind: 'mail', id },
        }))
        const deliver = (part: typeof messages) =>
          worker.queue(createMessageBatch('artist-house-mail', part as never), bindings)
        const delivered = Promise.all([deliver(messages), deliver(messages.toReversed())])
        await settleWithFakeTime([delivered])
        await delivered
      }
    } finally {
      vi.useRealTimers()
      vi.restoreAllMocks()
    }
    const emails = await Promise.all(recipients.map((to) => emailsTo(to)))
    const outcomes = emails.map(([email], index) => ({
      ...(email as object),
      accepted: accepted.get(recipients[index] ?? '') ?? 0,
    }))
    expect(emails.map(({ length }) => length)).toEqual(recipients.map(() => 1))
    for (const outcome of outcomes as unknown as { state: string; accepted: number }[]) {
      expect(states).toContain(outcome.state)
      expect(outcome.accepted).toBeLessThanOrEqual(1)
      if (outcome.state !== 'unknown') expect(outcome.accepted).toBe(outcome.state === 'sent' ? 1 : 0)
    }
    expect(await findWrongTotals(env.DB)).toEqual([])
  },
  60_000,
)

/** Faults that were already tested with another endpoint. */
const triedFaults = new Set<string>()
/** Whether no other endpoint had this fault before; records it. At full size every fault counts as new. */
const isNewFault = (...fault: string[]) => {
  const key = fault.join('\n')
  return isLongRun || (!triedFaults.has(key) && triedFaults.add(key))
}

/** Names of FAULTS that apply to each route, from its run without faults. */
const storesOf = new Map<string, Set<string>>()
const usesStore = (route: string, store: string) => storesOf.get(route)?.has(store) ?? true

describe.each(WRITES)('%s', (route) => {
  test('survives a database that fails at any statement', async () => {
    const statementsOf = new Map<number, readonly string[]>()
    const clean = spyOnD1(env.DB, { before: (trip, sql) => statementsOf.set(trip, sql) })
    const used = new Set<string>()
    storesOf.set(route, used)
    await expectSafe(await (await newCall(route))({ ...recordUse(used), DB: clean.DB }), route)
    for (const [failAt, statements] of statementsOf)
      for (const moment of statements.some(isWrite) ? (['before', 'after'] as const) : (['before'] as const)) {
        const isLostWrite = moment === 'before' && statements.some(isWrite)
        if (!isLostWrite && !isNewFault(moment, ...statements)) continue
        const context = `${route}: D1 fails ${moment} trip ${failAt}`
        const call = await newCall(route)
        let hasResponded = false
        let lostWrite: string | undefined
        const { DB } = spyOnD1(env.DB, {
          before: (trip, sql) => {
            if (moment !== 'before' || trip !== failAt) return
            if (!hasResponded) lostWrite = sql.find(isWrite)
            throw new Error('D1_ERROR: SELECT secret FROM users')
          },
          after: (trip) => {
            if (moment === 'after' && trip === failAt) throw new Error('D1_ERROR: Network connection lost.')
          },
        })
        const onResponse = () => {
          hasResponded = true
        }
        const response = await call({ DB }, { onResponse })
        if (lostWrite) expect([context, response.ok, lostWrite]).toEqual([context, false, lostWrite])
        await expectSafe(response, context)
        // The client does not know about the commit and sends the request again.
        if (moment === 'after') await expectSafe(await call({}), `${context}, again`)
      }
  })

  if (!isLongRun && WRITES.indexOf(route) % 3) return
  test('survives stores that throw or misbehave, and clock jumps', async () => {
    for (const [name, fault] of Object.entries(FAULTS))
      if (usesStore(route, name))
        await expectSafe(await (await newCall(route))(fault(reject)), `${route}: ${name} throws`)
    for (const [name, [store, bindings]] of Object.entries(INVALID_RESPONSES))
      if (usesStore(route, store)) await expectSafe(await (await newCall(route))(bindings()), `${route}: ${name}`)
    for (const at of [NOON - DAY_MS, NOON + 400 * DAY_MS]) {
      const response = await (await newCall(route))({}, { at })
      await response.arrayBuffer()
      expect([route, at - NOON, response.status < 500 || response.status === 503]).toEqual([route, at - NOON, true])
    }
  })
})

const realSetTimeout = setTimeout
/** Advances fake time until all promises have settled, at most 100 seconds. */
async function settleWithFakeTime(promises: readonly Promise<unknown>[]) {
  let pendingCount = promises.length
  for (const promise of promises) promise.finally(() => pendingCount--).catch(() => undefined)
  for (let i = 0; i < 100 && pendingCount > 0; i++) {
    await vi.advanceTimersByTimeAsync(SECOND_MS)
    await new Promise((resolve) => realSetTimeout(resolve, 5))
  }
}

const HANGING: Record<string, () => Partial<Env>> = {
  DB: () => ({ DB: spyOnD1(env.DB, { before: hang }).DB }),
  ...Object.fromEntries(Object.entries(FAULTS).map(([name, fault]) => [name, () => fault(hang)])),
}

test.each(Object.entries(HANGING))('a write answers in time while %s hangs', async (name, hanging) => {
  // File uploads may take any time.
  const timeLimitedRoutes = WRITES.filter((route) => !PERMISSIONS[route]?.file)
  const affectedRoutes = timeLimitedRoutes.filter((route) => name === 'DB' || usesStore(route, name))
  expect(affectedRoutes.length).toBeGreaterThan(3)
  const routes = affectedRoutes.filter((_, n) => isLongRun || n % 3 === 0)
  const calls = await Promise.all(routes.map(async (route) => ({ route, call: await newCall(route) })))
  app = createApp(() => now)
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] })
  try {
    const pending = new Set(routes)
    const responses = calls.map(async ({ route, call }) => {
      // Work in `waitUntil` may hang.
      const response = await new Promise<Response>((resolve) => void call(hanging(), { onResponse: resolve }))
      await expectSafe(response, `${route}: ${name} hangs`)
      pending.delete(route)
    })
    await settleWithFakeTime(responses)
    expect([...pending]).toEqual([])
    await Promise.all(responses)
  } finally {
    vi.useRealTimers()
    app = createApp(() => now)
  }
})

test('a failing database loses no units or payments of orders', async () => {
  const productId = await addProduct(500)
  const units = await unitsByProduct(env.DB)
  for (const step of ['intent', 'confirm'] as const)
    for (const moment of ['before', 'after'] as const)
      for (let failAt = 1; failAt <= 12; failAt++) {
        let bindings: Partial<Env> = DEMO_ENV
        const inner = newBrowser({ address: `101.${++callCount >> 8}.${callCount & 255}.7` })
        const browser: typeof inner = {
          ...inner,
          send: (method, path, json, options) => inner.send(method, path, json, { ...options, env: bindings }),
        }
        const buyer = newBuyer(browser)
        const fail = (trip: number) => {
          if (trip === failAt) throw new Error('D1_ERROR: Network connection lost.')
        }
        const faulty = { ...DEMO_ENV, DB: spyOnD1(env.DB, { [moment]: fail }).DB }
        const context = `${step}: D1 fails ${moment} trip ${failAt}`
        if (step === 'intent') bindings = faulty
        const response = await buyer.requestIntent(productId)
        if (!response.ok) {
          await expectSafe(response, context)
          continue
        }
        const intent = await response.json<PaymentIntent>()
        if (step === 'confirm') bindings = faulty
        const confirmation = await buyer.confirmCard(intent)
        const isPaid =
          confirmation.ok && (await confirmation.clone().json<TestPaymentOutcome>()).outcome === 'succeeded'
        await expectSafe(confirmation, context)
        bindings = DEMO_ENV
        if (isPaid) expect([context, (await buyer.order(intent)).status]).toEqual([context, 'paid'])
      }
  expect(await unitsByProduct(env.DB)).toEqual(units)
})

test('stored totals match their rows after all faults', async () => {
  expect(await findWrongTotals(env.DB)).toEqual([])
})
