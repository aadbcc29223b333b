import { createHash } from 'node:crypto'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import Stripe from 'stripe'
import { parseForm } from './form.ts'
import { ApiError, missing, newStripeState, type StripeState } from './stripe-state.ts'

/**
 * What goes wrong with a call: a status that Stripe answers without acting, a socket that closes before it acts, one
 * that closes after it acted (`lose`), one that never says anything (`hang`), a failure half-way, which Stripe keeps
 * under the idempotency key and says again to whoever repeats the call (`saved 500`).
 */
export type Fault = 500 | 503 | 429 | 'drop' | 'lose' | 'hang' | 'saved 500'
export type Call = { method: string; path: string; key: string | undefined; body: string; status: number | Fault }
type Event = { id: string; object: 'event'; type: string; created: number; livemode: boolean; data: { object: object } }
type FakeResponse = { status: number; body: object }
/** `rest` is the body, or of a read what stands behind its question mark. */
type Route = [method: string, path: RegExp, (books: StripeState, name: string, rest: string) => object]

const list = (data: readonly object[]) => ({ object: 'list', data, has_more: false })
const ROUTES: Route[] = [
  ['POST', /^\/v1\/payment_intents$/, (books, _, body) => books.createIntent(parseForm(body))],
  ['GET', /^\/v1\/payment_intents\/(\w+)(?:\?(.*))?$/, (books, name, query) => books.readIntent(name, query)],
  ['POST', /^\/v1\/payment_intents\/(\w+)$/, (books, name, body) => books.updateIntent(name, parseForm(body))],
  ['POST', /^\/v1\/payment_intents\/(\w+)\/cancel$/, (books, name) => books.cancelIntent(name)],
  ['POST', /^\/v1\/refunds$/, (books, _, body) => books.refund(parseForm(body))],
  ['POST', /^\/v1\/customers$/, (books, _, body) => books.createCustomer(parseForm(body))],
  ['POST', /^\/v1\/checkout\/sessions$/, (books, _, body) => books.createSession(parseForm(body))],
  [
    'GET',
    /^\/v1\/checkout\/sessions\?customer=(\w+)/,
    (books, customer) =>
      list([...books.sessions.values()].filter((one) => one.customer === customer && one.status === 'open')),
  ],
  ['POST', /^\/v1\/checkout\/sessions\/(\w+)\/expire$/, (books, name) => books.expireSession(name)],
  [
    'POST',
    /^\/v1\/billing_portal\/sessions$/,
    (books) => ({ id: books.id('bps'), object: 'billing_portal.session', url: 'https://billing.stripe.example/p' }),
  ],
  [
    'GET',
    /^\/v1\/subscriptions\?customer=(\w+)/,
    (books, customer) => list([...books.subscriptions.values()].filter((one) => one.customer === customer)),
  ],
  [
    'GET',
    /^\/v1\/subscriptions\/(\w+)$/,
    (books, name) => {
      const found = books.subscriptions.get(name)
      if (!found) throw missing()
      return found
    },
  ],
  ['POST', /^\/v1\/subscriptions\/(\w+)$/, (books, name, body) => books.updateSubscription(name, parseForm(body))],
  ['DELETE', /^\/v1\/customers\/(\w+)$/, (books, name) => books.deleteCustomer(name)],
  ['DELETE', /^\/v1\/subscriptions\/(\w+)$/, (books, name) => books.alter(name, { status: 'canceled' })],
]

/**
 * A Stripe of our own over HTTP, for tests that drive the real SDK: one answer for each idempotency key, whatever is
 * repeated, a refusal where the same key brings another body, faults on demand, and signed webhooks that the test
 * delivers when, how often and in what order it likes.
 */
export async function fakeStripe({ live = false, webhookSecret = 'whsec_fake' } = {}) {
  const events: Event[] = []
  const calls: Call[] = []
  const faults: Fault[] = []
  const answers = new Map<string, { fingerprint: string; answer: FakeResponse | null }>()
  const books = newStripeState({
    live,
    tell: (type, object) =>
      events.push({
        ...{ id: books.id('evt'), object: 'event', type, created: Math.floor(Date.now() / 1000), livemode: live },
        data: { object: structuredClone(object) },
      }),
  })

  function handle(method: string, path: string, body: string): FakeResponse {
    for (const [wanted, pattern, work] of ROUTES) {
      const name = wanted === method ? pattern.exec(path) : null
      if (!name) continue
      try {
        return { status: 200, body: work(books, name[1] ?? '', method === 'GET' ? (name[2] ?? '') : body) }
      } catch (error) {
        if (!(error instanceof ApiError)) throw error
        return errorResponse(error)
      }
    }
    return errorResponse(new ApiError(404, 'invalid_request_error', 'url_invalid'))
  }

  /** One answer for each key: the first, replayed, also a failure once it had begun. What failed before was not kept. */
  function idempotent(
    key: string | undefined,
    method: string,
    path: string,
    body: string,
    fails = false,
  ): FakeResponse {
    if (key === undefined || method !== 'POST') return handle(method, path, body)
    const fingerprint = createHash('sha256').update(`${method} ${path}\n${body}`).digest('hex')
    const known = answers.get(key)
    if (known && known.fingerprint !== fingerprint) return errorResponse(new ApiError(400, 'idempotency_error'))
    if (known?.answer) return known.answer
    const done = structuredClone(handle(method, path, body))
    const answer = fails ? errorResponse(new ApiError(500, 'api_error')) : done
    answers.set(key, { fingerprint, answer })
    return answer
  }

  async function serve(request: IncomingMessage, response: ServerResponse): Promise<void> {
    let body = ''
    for await (const piece of request.setEncoding('utf8')) body += piece
    const [method, path] = [request.method ?? '', request.url ?? '']
    const key = request.headers['idempotency-key'] as string | undefined
    const fault = faults.shift()
    const note = (status: Call['status']) => calls.push({ method, path, key, body, status })
    if (fault !== undefined) note(fault)
    if (fault === 'hang') return
    if (fault === 'drop') return void request.socket.destroy()
    if (typeof fault === 'number') return send(response, errorResponse(new ApiError(fault, 'api_error')))
    const answer = idempotent(key, method, path, body, fault === 'saved 500')
    if (fault === 'lose') return void request.socket.destroy()
    if (fault === undefined) note(answer.status)
    send(response, answer)
  }

  const server = createServer((request, response) => void serve(request, response))
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const { port } = server.address() as AddressInfo

  return {
    url: `http://127.0.0.1:${port}`,
    webhookSecret,
    ...books,
    events,
    calls,
    faults,
    /** Posts an event to the webhook, signed now; gives the status. */
    async deliver(event: Event, webhook: string): Promise<number> {
      const payload = JSON.stringify(event)
      const signature = await Stripe.webhooks.generateTestHeaderStringAsync({ payload, secret: webhookSecret })
      const answer = await fetch(webhook, { method: 'POST', body: payload, headers: { 'stripe-signature': signature } })
      await answer.text()
      return answer.status
    },
    close: () =>
      new Promise<void>((resolve) => {
        server.close(() => resolve())
        server.closeAllConnections()
      }),
  }
}
export type FakeStripe = Awaited<ReturnType<typeof fakeStripe>>

const errorResponse = ({ status, type, code, message }: ApiError): FakeResponse => ({
  status,
  body: { error: { type, code, message } },
})

function send(response: ServerResponse, { status, body }: FakeResponse): void {
  response.writeHead(status, { 'content-type': 'application/json', 'request-id': 'req_fake' })
  response.end(JSON.stringify(body))
}
