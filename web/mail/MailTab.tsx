import { useQuery } from '@tanstack/react-query'
import { clsx } from 'clsx'
import { useState } from 'react'
import { type AdminMail, adminMailApi } from '../../worker/contract/mail'
import { Panel } from '../admin/Panel'
import { usePages } from '../admin/useListing'
import { BroadcastsPanel } from '../broadcasts/BroadcastsPanel'
import { Button } from '../ui/Button'
import { ConfirmDialog } from '../ui/ConfirmDialog'
import { type Column, DataTable } from '../ui/DataTable'
import { toast } from '../ui/toast'
import { mailCounts, useResend, useResendFailed, useReveal } from './admin-mail.queries'
import { StopsPanel } from './StopsPanel'

const clock = new Intl.DateTimeFormat('en-US', { dateStyle: 'medium', timeStyle: 'short' })
const count = new Intl.NumberFormat('en-US')
/** What is somebody's to look after. */
const ALARMING = { failed: true, unknown: true }
const failed = ({ message }: Error) => toast({ title: 'That did not work', text: message, tone: 'destructive' })

const columns: readonly Column<AdminMail>[] = [
  { id: 'to', header: 'To', cell: (row) => row.to },
  { id: 'subject', header: 'Subject', cell: (row) => row.subject },
  { id: 'state', header: 'State', cell: (row) => <State mail={row} /> },
  {
    id: 'when',
    header: 'When',
    cell: (row) => (
      <time dateTime={row.sentAt ?? row.createdAt}>{clock.format(Date.parse(row.sentAt ?? row.createdAt))}</time>
    ),
    numeric: true,
  },
]

/** Every mail of the house and what became of it; above them the letters to many. */
export function MailTab() {
  return (
    <div className="grid gap-14">
      <BroadcastsPanel />
      <OutboxPanel />
      <StopsPanel />
    </div>
  )
}

function OutboxPanel() {
  const { data: counts } = useQuery(mailCounts)
  const listing = usePages({
    key: ['admin', 'mail', 'all'],
    endpoint: adminMailApi.all,
    label: 'Search by address, subject or state',
  })
  const resend = useResend()
  const all = useResendFailed()
  const reveal = useReveal()
  const [doubted, setDoubted] = useState<string | null>(null)
  const again = (id: string) =>
    resend.mutate(id, {
      onSuccess: () => toast({ title: 'On its way again' }),
      onError: failed,
      onSettled: () => setDoubted(null),
    })
  const show = (id: string) =>
    reveal.mutate(id, { onSuccess: ({ to }) => toast({ title: 'Address', text: to }), onError: failed })
  return (
    <Panel
      title="Every mail"
      note="Waiting ones are tried again for some five hours. Failed ones are yours to send again; of an unknown one nobody knows whether it arrived."
    >
      {counts && (
        <dl className="figures mb-6 flex flex-wrap gap-x-10 gap-y-2">
          {(['sent', 'waiting', 'failed', 'unknown'] as const).map((state) => (
            <div key={state} className="flex items-baseline gap-2">
              <dt className="text-sm text-muted">{state}</dt>
              <dd className={clsx('font-semibold', state in ALARMING && counts[state] > 0 && 'text-sunset')}>
                {count.format(counts[state])}
              </dd>
            </div>
          ))}
        </dl>
      )}
      <DataTable
        caption="Every mail"
        listing={listing}
        columns={columns}
        rowKey={(row) => row.id}
        empty="No mail yet."
        tools={
          counts && counts.failed > 0 ? (
            <Button
              aria-disabled={all.isPending}
              onClick={() =>
                all.mutate(undefined, {
                  onSuccess: ({ mails }) =>
                    toast({
                      title: 'On their way again',
                      text: mails === 1 ? 'One mail.' : `${count.format(mails)} mails.`,
                    }),
                  onError: failed,
                })
              }
            >
              Send all failed again
            </Button>
          ) : undefined
        }
        actions={(row) => (
          <>
            <Button look="quiet" onClick={() => show(row.id)}>
              Reveal
            </Button>
            {row.state === 'failed' && <Button onClick={() => again(row.id)}>Send again</Button>}
            {row.state === 'unknown' && <Button onClick={() => setDoubted(row.id)}>Send again</Button>}
          </>
        )}
      />
      {doubted && (
        <ConfirmDialog
          title="Send this mail again?"
          confirm="Send it again"
          pending={resend.isPending}
          onConfirm={() => again(doubted)}
          onClose={() => setDoubted(null)}
        >
          <p>The provider’s answer was lost: the mail may have arrived, and its reader may get a second copy.</p>
        </ConfirmDialog>
      )}
    </Panel>
  )
}

function State({ mail: { state, lastError, attempts, dueAt } }: { mail: AdminMail }) {
  return (
    <>
      <span className={state in ALARMING ? 'text-sunset' : undefined}>{state}</span>
      {state === 'waiting' && attempts > 0 && dueAt && (
        <span className="block text-sm text-muted">
          tried {attempts} times, next {clock.format(Date.parse(dueAt))}
        </span>
      )}
      {lastError && <span className="block text-sm text-muted">{lastError}</span>}
    </>
  )
}
