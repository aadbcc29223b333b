import '../styles/utilities.css'
import { useQuery } from '@tanstack/react-query'
import {
  TOKEN_AREAS,
  TOKEN_PREFIX,
  TOKEN_REQUESTS_PER_MINUTE,
  WEBHOOK_EVENT_LABELS,
} from '../../worker/contract/developers'
import { ContentsPage } from '../layout/ContentsPage'
import { useSite } from '../site/site.queries'
import { QueryBoundary } from '../ui/QueryBoundary'
import { apiReference, type Operation } from './developers.queries'

const CONTENTS = [
  { id: 'start', title: 'Start' },
  { id: 'tokens', title: 'Access tokens' },
  { id: 'errors', title: 'Errors and pagination' },
  { id: 'webhooks', title: 'Webhooks' },
  { id: 'reference', title: 'Reference' },
]

const RECEIVER_EXAMPLE = `import { createServer } from 'node:http'
import { Webhook } from 'standardwebhooks'

const webhook = new Webhook(process.env.WEBHOOK_SECRET) // whsec_…
const handled = new Set() // A table in a real receiver.

createServer(async (request, response) => {
  const chunks = []
  for await (const chunk of request) chunks.push(chunk)
  try {
    const event = webhook.verify(Buffer.concat(chunks).toString(), request.headers)
    const id = request.headers['webhook-id']
    if (!handled.has(id)) console.log(event.type, event.data)
    handled.add(id)
    response.writeHead(204).end()
  } catch {
    response.writeHead(400).end()
  }
}).listen(8787)`

const linkClass = 'text-gold-bright underline underline-offset-4'

/** /developers: a guide to the API, and the reference of all endpoints. */
export function DevelopersPage() {
  const name = useSite()?.artist.name ?? 'this artist'
  return (
    <ContentsPage
      title="Developers"
      intro={
        <p className="mt-5 max-w-prose text-muted">
          Everything the site of {name} does is an HTTP call. Read music, shows and merch without an account; the team
          connects its own tools with access tokens and webhooks.
        </p>
      }
      contents={CONTENTS}
    >
      <Guide />
      <section id="reference" tabIndex={-1} aria-labelledby="reference-title" className="outline-none">
        <h2 id="reference-title">Reference</h2>
        <Reference />
      </section>
    </ContentsPage>
  )
}

const Code = ({ children }: { children: string }) => (
  <pre className="my-4 border-l-4 whitespace-pre-wrap wrap-anywhere border-gold bg-sleeve p-4 text-sm">
    <code>{children}</code>
  </pre>
)

function Guide() {
  return (
    <>
      <section id="start" tabIndex={-1} aria-labelledby="start-title" className="outline-none">
        <h2 id="start-title">Start</h2>
        <p>Reading public data needs no token, writing needs an access token:</p>
        <Code>{`curl ${location.origin}/api/concerts/upcoming`}</Code>
        <p>
          The whole API is described as OpenAPI 3.1 at{' '}
          <a href="/api/openapi.json" className={linkClass}>
            /api/openapi.json
          </a>
          , from which tools generate clients in most languages. Timestamps are ISO 8601 in UTC; amounts ending in{' '}
          <code>Cents</code> are whole cents. Unknown fields in a request are an error.
        </p>
      </section>
      <section id="tokens" tabIndex={-1} aria-labelledby="tokens-title" className="outline-none">
        <h2 id="tokens-title">Access tokens</h2>
        <p>An owner of the team creates them under Settings, Developers. They are shown once and expire.</p>
        <Code>{`curl -H "Authorization: Bearer ahpat_…" ${location.origin}/api/admin/orders`}</Code>
        <p>
          A token acts for the owner who made it, within its scopes: <code>read</code> or <code>write</code> of{' '}
          {Object.keys(TOKEN_AREAS).join(', ')}. It allows no more than the owner’s role, and stops working when that
          role changes. It cannot manage the team, tokens or exports. Cookies are ignored in a request with a token. A
          token allows {TOKEN_REQUESTS_PER_MINUTE} requests a minute. An invalid token gets 401{' '}
          <code>bad_api_token</code>; a valid one gets 403 for what it does not allow: <code>scope_required</code>,{' '}
          <code>token_not_allowed</code> or <code>role_required</code>. Secret scanners find a leaked token by{' '}
          <code>
            {TOKEN_PREFIX}[A-Za-z0-9_-]{'{49}'}
          </code>
          .
        </p>
      </section>
      <section id="errors" tabIndex={-1} aria-labelledby="errors-title" className="outline-none">
        <h2 id="errors-title">Errors and pagination</h2>
        <p>
          An error is one sentence of plain text; the header <code>X-Error-Code</code> holds a code that does not
          change. After 429, wait for the seconds in <code>Retry-After</code>. Lists have pages: follow the header{' '}
          <code>Link</code> with <code>rel="next"</code>. New fields may appear in responses at any time.
        </p>
      </section>
      <section id="webhooks" tabIndex={-1} aria-labelledby="webhooks-title" className="outline-none">
        <h2 id="webhooks-title">Webhooks</h2>
        <p>The site can send your server a request for these events:</p>
        <ul>
          {Object.entries(WEBHOOK_EVENT_LABELS).map(([type, label]) => (
            <li key={type}>
              <code>{type}</code>: {label.charAt(0).toLowerCase() + label.slice(1)}
            </li>
          ))}
        </ul>
        <Code>
          {
            'POST /in\nwebhook-id: evt_order_paid_…\nwebhook-timestamp: 1783180800\nwebhook-signature: v1,…\n\n{"type":"order.paid","timestamp":"2026-07-04T16:00:00.000Z",\n "data":{"orderId":"…","totalCents":1999,"currency":"USD","units":1}}'
          }
        </Code>
        <p>
          Nothing in an event names a person: read the rest with a token. Each order is reported one time, a supporter
          as soon as the email is confirmed, and a release within five minutes of its time. Requests are signed
          according to the{' '}
          <a href="https://www.standardwebhooks.com" className={linkClass}>
            Standard Webhooks
          </a>{' '}
          specification; use one of its libraries to verify them. Answer 2xx within ten seconds; redirects are not
          followed. Anything else is tried ten times over three days with the same <code>webhook-id</code>, so store the
          ids that you have handled and ignore duplicates. If no delivery succeeds in that time, the webhook is turned
          off and the owners get an email; 410 turns it off at once. For a day after you replace the secret, requests
          are signed with both.
        </p>
        <p>An example of a receiver, in Node.js:</p>
        <Code>{RECEIVER_EXAMPLE}</Code>
      </section>
    </>
  )
}

function Reference() {
  return (
    <QueryBoundary
      query={useQuery(apiReference)}
      loading={{ className: 'h-96', label: 'Loading the reference' }}
      error="The reference could not be loaded."
    >
      {(groups) => (
        <div className="grid gap-3">
          {groups.map(({ tag, operations }) => (
            <details key={tag} className="border-t border-rule">
              <summary className="flex min-h-12 cursor-pointer items-center justify-between gap-4 font-semibold hover:text-gold-bright">
                {tag}
                <span className="tabular-figures text-sm text-muted">{operations.length}</span>
              </summary>
              <ul className="mb-6 grid gap-5">
                {operations.map((operation) => (
                  <OperationItem key={operation.id} operation={operation} />
                ))}
              </ul>
            </details>
          ))}
        </div>
      )}
    </QueryBoundary>
  )
}

function OperationItem({ operation }: { operation: Operation }) {
  const { method, path, summary, description, access } = operation
  return (
    <li className="border-l-2 border-rule pl-4">
      <p className="wrap-anywhere">
        <strong className="font-label text-gold">{method}</strong> <code>{path}</code>
      </p>
      <p className="mt-1 text-sm">{description || summary}</p>
      <p className="mt-1 text-sm text-muted">{access}</p>
    </li>
  )
}
