import { queryOptions, useQuery } from '@tanstack/react-query'
import { mailApi } from '../../worker/contract/mail'
import { call } from '../api/call'
import { Button } from '../ui/Button'
import { LoadError } from '../ui/LoadError'

const mails = queryOptions({
  queryKey: ['demo', 'outbox'],
  queryFn: () => call(mailApi.demoOutbox, {}),
  staleTime: 0,
  refetchOnMount: 'always',
})
const clock = new Intl.DateTimeFormat('en-US', { dateStyle: 'medium', timeStyle: 'short' })

/** Every mail that the demo would have sent. In production there is no such call, and the page says so. */
export function MailboxPage() {
  const { data, error, refetch, isFetching } = useQuery(mails)
  return (
    <main id="content" className="page-grid py-10 md:py-20">
      <header className="col-span-full mb-8 flex flex-wrap items-end justify-between gap-6">
        <h1 className="font-display text-title">Mailbox</h1>
        <Button aria-disabled={isFetching} onClick={() => void refetch()}>
          Look again
        </Button>
        <p className="w-full text-muted">The demo sends nothing. What it would have sent lies here, newest first.</p>
      </header>
      <ul className="col-span-full grid gap-4">
        {data?.map(({ id, to, subject, text, sentAt }) => (
          <li key={id}>
            <details className="border border-rule bg-sleeve">
              <summary className="flex min-h-14 flex-wrap items-baseline gap-x-6 gap-y-1 p-4">
                <span className="font-semibold">{subject}</span>
                <span className="text-sm break-all text-muted">{to}</span>
                <time dateTime={sentAt} className="figures ml-auto text-sm text-muted">
                  {clock.format(Date.parse(sentAt))}
                </time>
              </summary>
              <Letter text={text} />
            </details>
          </li>
        ))}
      </ul>
      <div className="col-span-full">
        {data?.length === 0 && <p className="text-muted">Nothing yet. Sign up, and the first one comes.</p>}
        {error && (
          <LoadError onRetry={() => void refetch()} retrying={isFetching}>
            There is no mailbox here. Only the demo has one.
          </LoadError>
        )}
      </div>
    </main>
  )
}

/** The text part, with the links that lead to this site. */
function Letter({ text }: { text: string }) {
  const parts = text.split(/(https?:\/\/\S+)/).map((part, place) => ({ part, key: `${place}:${part}` }))
  return (
    <p className="border-t border-rule p-4 whitespace-pre-line">
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
