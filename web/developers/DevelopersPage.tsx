import '../styles/utilities.css'
import { useQuery } from '@tanstack/react-query'
import { TOKEN_AREAS, WEBHOOK_EVENT_LABELS } from '../../worker/contract/developers'
import { Footer } from '../layout/Footer'
import { useSite } from '../site/site.queries'
import { LoadError } from '../ui/LoadError'
import { Skeleton } from '../ui/Skeleton'
import { apiReference, type Operation } from './developers.queries'

const CONTENTS = [
  { id: 'start', title: 'Start' },
  { id: 'tokens', title: 'Access tokens' },
  { id: 'errors', title: 'Errors and pages' },
  { id: 'webhooks', title: 'Webhooks' },
  { id: 'reference', title: 'Reference' },
]

const linkClass = 'text-gold-bright underline underline-offset-4'

/** /developers: a guide to the API, and the reference of all endpoints. */
export function DevelopersPage() {
  const name = useSite()?.artist.name ?? 'this site'
  return (
    <>
      <main id="content" tabIndex={-1} className="page-grid pt-28 pb-20 outline-none">
        <header className="col-span-full mb-10 border-b-4 border-gold pb-8 md:mb-16">
          <h1 className="font-display text-[clamp(2.5rem,1.2rem+5vw,5.25rem)] leading-[0.92]">Developers</h1>
          <p className="mt-5 max-w-prose text-muted">
            Everything the site of {name} does is an HTTP call. Read music, shows and merch without an account; the team
            connects its own tools with access tokens and webhooks.
          </p>
        </header>
        <nav aria-labelledby="api-contents" className="col-span-full mb-8 md:col-span-4 lg:col-span-3">
          <div className="md:sticky md:top-24">
            <h2 id="api-contents" className="font-label text-gold">
              Contents
            </h2>
            <ol className="mt-3">
              {CONTENTS.map(({ id, title }, index) => (
                <li key={id}>
                  <a href={`#${id}`} className="flex min-h-11 items-center gap-4 hover:text-gold-bright">
                    <span aria-hidden="true" className="tabular-figures w-6 font-label text-muted">
                      {String(index + 1).padStart(2, '0')}
                    </span>
                    {title}
                  </a>
                </li>
              ))}
            </ol>
          </div>
        </nav>
        <div className="policy col-span-full min-w-0 md:col-span-8 lg:col-span-8 lg:col-start-5">
          <Guide />
          <section id="reference" tabIndex={-1} aria-labelledby="reference-title" className="outline-none">
            <h2 id="reference-title">Reference</h2>
            <Reference />
          </section>
        </div>
      </main>
      <Footer />
    </>
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
        <p>Public reads need nothing:</p>
        <Code>{`curl ${location.origin}/api/concerts/upcoming`}</Code>
        <p>
          The whole API is described as OpenAPI 3.1 at{' '}
          <a href="/api/openapi.json" className={linkClass}>
            /api/openapi.json
          </a>
          , from which tools generate clients in most languages. Timestamps are ISO 8601 in UTC; amounts ending in{' '}
          <code>Cents</code> are whole cents.
        </p>
      </section>
      <section id="tokens" tabIndex={-1} aria-labelledby="tokens-title" className="outline-none">
        <h2 id="tokens-title">Access tokens</h2>
        <p>An owner of the team creates them under Settings, Developers. They are shown once and expire.</p>
        <Code>{`curl -H "Authorization: Bearer ahpat_…" ${location.origin}/api/admin/orders`}</Code>
        <p>
          A token acts for the owner who made it, within its scopes: <code>read</code> or <code>write</code> of{' '}
          {Object.keys(TOKEN_AREAS).join(', ')}. It never exceeds the owner’s role and ends with it. It cannot manage
          the team, tokens or exports. Beside a token, cookies count for nothing.
        </p>
      </section>
      <section id="errors" tabIndex={-1} aria-labelledby="errors-title" className="outline-none">
        <h2 id="errors-title">Errors and pages</h2>
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
          Requests are signed by the Standard Webhooks specification; use one of its libraries to verify them. Answer
          2xx within ten seconds. Anything else is tried again for three days with the same <code>webhook-id</code>, so
          keep the ids that you have handled and ignore repetitions. 410 turns the webhook off.
        </p>
      </section>
    </>
  )
}

function Reference() {
  const { data, isError, isFetching, refetch } = useQuery(apiReference)
  if (isError)
    return (
      <LoadError onRetry={() => void refetch()} retrying={isFetching}>
        The reference could not be loaded.
      </LoadError>
    )
  if (!data) return <Skeleton label="Loading the reference" className="h-96" />
  return (
    <div className="grid gap-3">
      {data.map(({ tag, operations }) => (
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
