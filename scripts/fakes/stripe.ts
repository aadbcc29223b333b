import { createHash } from 'node:crypto'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import Stripe from 'stripe'
import { listenOnLoopback } from '../tools/ports.ts'
import { newStripeState, parseForm, StripeApiError, type StripeState } from './stripe-state.ts'

/**
 * Fault of the next call. With a status, `drop-request` or `hang`, the call changes nothing. `drop-response` drops the
 * response of an executed call; `saved 500` replaces it with an error, which is replayed for the idempotency key.
 */
export type StripeFault = 500 | 503 | 429 | 'drop-request' | 'drop-response' | 'hang' | 'saved 500'
type Call = { method: string; path: string; key: string | undefined; body: string; status: number | StripeFault }
type Event = { id: string; object: 'event'; type: string; created: number; livemode: boolean; data: { object: object } }
type FakeResponse = { status: number; body: object }
/** `id` is the first group of `path`; `input` is the body, or the second group for GET. */
type Route = [method: string, path: RegExp, (state: StripeState, id: string, input: string) => object]

const list = (data: readonly object[]) => ({ object: 'list', data, has_more: false })
const ROUTES: Route[] = [
  ['POST', /^\/v1\/payment_intents$/, (state, _, body) => state.createIntent(parseForm(body))],
  ['GET', /^\/v1\/payment_intents\/(\w+)(?:\?(.*))?$/, (state, id, query) => state.readIntent(id, query)],
  ['POST', /^\/v1\/payment_intents\/(\w+)$/, (state, id, body) => state.updateIntent(id, parseForm(body))],
  ['POST', /^\/v1\/payment_intents\/(\w+)\/cancel$/, (state, id) => state.cancelIntent(id)],
  ['POST', /^\/v1\/tax\/calculations$/, (state, _, body) => state.createCalculation(parseForm(body))],
  ['GET', /^\/v1\/tax\/calculations\/(\w+)\/line_items/, (state, id) => list(state.calculationItems(id))],
  ['GET', /^\/v1\/refunds\?.*payment_intent=(\w+)/, (state, intentId) => list(state.refundsOf(intentId))],
  ['POST', /^\/v1\/refunds$/, (state, _, body) => state.refund(parseForm(body))],
  [
    'GET',
    /^\/v1\/customers\/search\?(.*)$/,
    (state, query) => {
      const reference = /:'([\w-]+)'/.exec(new URLSearchParams(query).get('query') ?? '')?.[1]
      return list([...state.customers.values()].filter(({ metadata }) => metadata.reference === reference))
    },
  ],
  ['POST', /^\/v1\/customers$/, (state, _, body) => state.createCustomer(parseForm(body))],
  ['POST', /^\/v1\/checkout\/sessions$/, (state, _, body) => state.createSession(parseForm(body))],
  [
    'GET',
    /^\/v1\/checkout\/sessions\?customer=(\w+)/,
    (state, customer) =>
      list(
        [...state.sessions.values()].filter((session) => session.customer === customer && session.status === 'open'),
      ),
  ],
  ['POST', /^\/v1\/checkout\/sessions\/(\w+)\/expire$/, (state, id) => state.expireSession(id)],
  [
    'POST',
    /^\/v1\/billing_portal\/sessions$/,
    (state) => ({ id: state.newId('bps'), object: 'billing_portal.session', url: 'https://billing.stripe.example/p' }),
  ],
  [
    'GET',
    /^\/v1\/subscriptions\?customer=(\w+)/,
    (state, customer) =>
      list([...state.subscriptions.values()].filter((subscription) => subscription.customer === customer)),
  ],
  ['GET', /^\/v1\/subscriptions\/(\w+)$/, (state, id) => state.subscriptionOf(id)],
  ['POST', /^\/v1\/subscriptions\/(\w+)$/, (state, id, body) => state.updateSubscription(id, parseForm(body))],
  ['DELETE', /^\/v1\/customers\/(\w+)$/, (state, id) => state.deleteCustomer(id)],
  ['DELETE', /^\/v1\/subscriptions\/(\w+)$/, (state, id) => state.changeSubscription(id, { status: 'canceled' })],
]

/**
 * A fake Stripe server for the real SDK: idempotency keys, injected faults, and signed webhooks, which the test
 * delivers in any order, any number of times. `faults` apply to the next calls, one each.
 */
export async function startFakeStripe({ isLive = false, webhookSecret = 'whsec_fake' } = {}) {
  const events: Event[] = []
  const calls: Call[] = []
  const faults: StripeFault[] = []
  const responses = new Map<string, { fingerprint: string; result: FakeResponse }>()
  const state = newStripeState({
    isLive,
    emit: (type, object) =>
      events.push({
        id: state.newId('evt'),
        object: 'event',
        type,
        created: Math.floor(Date.now() / 1000),
        livemode: isLive,
        data: { object: structuredClone(object) },
      }),
  })

  function handle(method: string, path: string, body: string): FakeResponse {
    for (const [routeMethod, pattern, run] of ROUTES) {
      const match = routeMethod === method ? pattern.exec(path) : null
      if (!match) continue
      try {
        return { status: 200, body: run(state, match[1] ?? '', method === 'GET' ? (match[2] ?? '') : body) }
      } catch (error) {
        if (!(error instanceof StripeApiError)) throw error
        return errorResponse(error)
      }
    }
    return errorResponse(new StripeApiError(404, 'invalid_request_error', 'url_invalid'))
  }

  /** Replays the first response of a POST with a key, errors included. With `fails`, that response is a 500. */
  function handleIdempotently(
    key: string | undefined,
    method: string,
    path: string,
    body: string,
    fails = false,
  ): FakeResponse {
    if (key === undefined || method !== 'POST') return handle(method, path, body)
    const fingerprint = createHash('sha256').update(`${method} ${path}\n${body}`).digest('hex')
    const saved = responses.get(key)
    if (saved && saved.fingerprint !== fingerprint) return errorResponse(new StripeApiError(400, 'idempotency_error'))
    if (saved) return saved.result
    const response = structuredClone(handle(method, path, body))
    const result = fails ? errorResponse(new StripeApiError(500, 'api_error')) : response
    responses.set(key, { fingerprint, result })
    return result
  }

  async function serve(request: IncomingMessage, response: ServerResponse): Promise<void> {
    let body = ''
    for await (const chunk of request.setEncoding('utf8')) body += chunk
    const method = request.method ?? ''
    const path = request.url ?? ''
    const key = request.headers['idempotency-key'] as string | undefined
    const fault = faults.shift()
    const record = (status: Call['status']) => calls.push({ method, path, key, body, status })
    if (fault !== undefined) record(fault)
    if (fault === 'hang') return
    if (fault === 'drop-request') return void request.socket.destroy()
    if (typeof fault === 'number') return send(response, errorResponse(new StripeApiError(fault, 'api_error')))
    const result = handleIdempotently(key, method, path, body, fault === 'saved 500')
    if (fault === 'drop-response') return void request.socket.destroy()
    if (fault === undefined) record(result.status)
    send(response, result)
  }

  const server = createServer((request, response) => void serve(request, response))
  const { url, close } = await listenOnLoopback(server)

  return {
    url,
    webhookSecret,
    ...state,
    events,
    calls,
    faults,
    /** Signs an event, posts it to the webhook and returns the status. */
    async deliver(event: Event, webhook: string): Promise<number> {
      const payload = JSON.stringify(event)
      const signature = await Stripe.webhooks.generateTestHeaderStringAsync({ payload, secret: webhookSecret })
      const result = await fetch(webhook, { method: 'POST', body: payload, headers: { 'stripe-signature': signature } })
      await result.text()
      return result.status
    },
    close,
  }
}
export type FakeStripe = Awaited<ReturnType<typeof startFakeStripe>>

const errorResponse = ({ status, type, code, message }: StripeApiError): FakeResponse => ({
  status,
  body: { error: { type, code, message } },
})

function send(response: ServerResponse, { status, body }: FakeResponse): void {
  response.writeHead(status, { 'content-type': 'application/json', 'request-id': 'req_fake' })
  response.end(JSON.stringify(body))
}
