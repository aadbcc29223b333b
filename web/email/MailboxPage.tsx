import '../styles/utilities.css'
import { queryOptions, useQuery } from '@tanstack/react-query'
import { Tabs } from 'radix-ui'
import { useState } from 'react'
import { type DemoEmail, emailApi } from '../../worker/contract/email'
import { call, fillPath } from '../api/call'
import { formatDateTime } from '../lib/format'
import { Button } from '../ui/Button'
import { LoadError } from '../ui/LoadError'
import { Skeleton } from '../ui/Skeleton'

const demoEmails = queryOptions({
  queryKey: ['demo', 'outbox'],
  queryFn: () => call(emailApi.demoOutbox, {}),
  staleTime: 0,
  refetchOnMount: 'always',
})

/** /demo/mailbox: the demo's emails, which are stored instead of sent. On other sites the request fails. */
export function MailboxPage() {
  const { data, error, isPending, refetch, isFetching } = useQuery(demoEmails)
  return (
    <main id="content" className="page-grid py-10 md:py-20">
      <header className="col-span-full mb-8 flex flex-wrap items-end justify-between gap-6">
        <h1 className="font-display text-title">Mailbox</h1>
        <Button aria-disabled={isFetching} onClick={() => void refetch()}>
          {isFetching && !isPending ? 'Checking for new emails' : 'Check for new emails'}
        </Button>
        <p className="w-full max-w-prose text-muted">
          The demo stores its emails instead of sending them. They appear here, newest first, with working links.
        </p>
      </header>
      <ul className="col-span-full grid gap-4">
        {data?.map((email) => (
          <li key={email.id}>
            <EmailDetails email={email} />
          </li>
        ))}
      </ul>
      <div className="col-span-full">
        {isPending && <Skeleton className="h-56" label="Loading emails" />}
        {data?.length === 0 && <p className="text-muted">No emails yet. Sign up to get the first one.</p>}
        {error && (
          <LoadError onRetry={() => void refetch()} retrying={isFetching}>
            The emails could not be loaded. Only the demo has a mailbox.
          </LoadError>
        )}
      </div>
    </main>
  )
}

function EmailDetails({ email }: { email: DemoEmail }) {
  const [hasOpened, setHasOpened] = useState(false)
  return (
    <details
      className="border border-rule bg-sleeve open:border-rule-strong"
      onToggle={(event) => setHasOpened(hasOpened || event.currentTarget.open)}
    >
      <summary className="flex min-h-14 flex-wrap items-baseline gap-x-6 gap-y-1 p-4">
        <span className="font-semibold">{email.subject}</span>
        <span className="text-sm break-all text-muted">{email.to}</span>
        <time dateTime={email.sentAt} className="tabular-figures ml-auto text-sm text-muted">
          {formatDateTime(email.sentAt)}
        </time>
      </summary>
      {hasOpened && (
        <Tabs.Root defaultValue="html" className="border-t border-rule p-4">
          <Tabs.List aria-label="Format of the email" className="flex gap-6">
            {FORMATS.map(({ id, label }) => (
              <Tabs.Trigger
                key={id}
                value={id}
                className="min-h-12 border-b-2 border-transparent font-label text-muted data-[state=active]:border-gold data-[state=active]:text-gold-bright"
              >
                {label}
              </Tabs.Trigger>
            ))}
          </Tabs.List>
          <Tabs.Content value="html" className="mt-4">
            {/* The sandbox blocks scripts; links open in the top window. */}
            <iframe
              title={email.subject}
              src={fillPath(emailApi.demoEmailHtml.path, { id: email.id })}
              sandbox="allow-popups allow-popups-to-escape-sandbox allow-top-navigation-by-user-activation"
              className="h-160 w-full border border-rule bg-background"
            />
          </Tabs.Content>
          <Tabs.Content value="text" className="mt-4">
            <PlainText text={email.text} />
          </Tabs.Content>
          <Tabs.Content value="source" className="mt-4">
            <EmailSource email={email} />
          </Tabs.Content>
        </Tabs.Root>
      )}
    </details>
  )
}

const FORMATS = [
  { id: 'html', label: 'HTML' },
  { id: 'text', label: 'Text' },
  { id: 'source', label: 'Source' },
] as const

function PlainText({ text }: { text: string }) {
  const parts = text.split(/(https?:\/\/\S+)/).map((part, index) => ({ part, key: `${index}:${part}` }))
  return (
    <p className="max-w-prose whitespace-pre-line">
      {parts.map(({ part, key }) =>
        /^https?:/.test(part) ? (
          <a key={key} href={part} className="break-all text-gold-bright underline underline-offset-4">
            {part}
          </a>
        ) : (
          part
        ),
      )}
    </p>
  )
}

function EmailSource({ email }: { email: DemoEmail }) {
  const headers = [
    ['To', email.to],
    ['Subject', email.subject],
    ['X-Kind', email.kind],
    ...Object.entries(email.headers),
  ]
  return (
    <section aria-label="Source">
      <pre className="overflow-x-auto border border-rule bg-background p-4 text-xs leading-relaxed whitespace-pre-wrap [overflow-wrap:anywhere]">
        {`${headers.map(([name, value]) => `${name}: ${value}`).join('\n')}\n\n${email.html}`}
      </pre>
    </section>
  )
}
