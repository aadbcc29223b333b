import { useQuery } from '@tanstack/react-query'
import { clsx } from 'clsx'
import { useState } from 'react'
import { type AdminEmail, adminEmailApi } from '../../worker/contract/email'
import { usePagedListing } from '../admin/listings'
import { Panel } from '../admin/Panel'
import { BroadcastsPanel } from '../broadcasts/BroadcastsPanel'
import { Button } from '../ui/Button'
import { ConfirmDialog } from '../ui/ConfirmDialog'
import { type Column, DataTable } from '../ui/DataTable'
import { toast } from '../ui/toast'
import { emailCounts, useResendEmail, useResendFailedEmails, useRevealRecipient } from './email-admin.queries'
import { SuppressionsPanel } from './SuppressionsPanel'

const clock = new Intl.DateTimeFormat('en-US', { dateStyle: 'medium', timeStyle: 'short' })
const count = new Intl.NumberFormat('en-US')
/** What is somebody's to look after. */
const ALERT_STATES = { failed: true, unknown: true }
const showError = ({ message }: Error) => toast({ title: 'That did not work', text: message, tone: 'destructive' })

const columns: readonly Column<AdminEmail>[] = [
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
export function EmailTab() {
  return (
    <div className="grid gap-14">
      <BroadcastsPanel />
      <EmailsPanel />
      <SuppressionsPanel />
    </div>
  )
}

function EmailsPanel() {
  const { data: counts } = useQuery(emailCounts)
  const listing = usePagedListing({
    key: ['admin', 'mail', 'all'],
    endpoint: adminEmailApi.list,
    label: 'Search by address, subject or state',
  })
  const resend = useResendEmail()
  const resendFailed = useResendFailedEmails()
  const reveal = useRevealRecipient()
  const [confirmingId, setConfirmingId] = useState<string | null>(null)
  const resendOne = (id: string) =>
    resend.mutate(id, {
      onSuccess: () => toast({ title: 'On its way again' }),
      onError: showError,
      onSettled: () => setConfirmingId(null),
    })
  const showAddress = (id: string) =>
    reveal.mutate(id, { onSuccess: ({ to }) => toast({ title: 'Address', text: to }), onError: showError })
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
              <dd className={clsx('font-semibold', state in ALERT_STATES && counts[state] > 0 && 'text-sunset')}>
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
              aria-disabled={resendFailed.isPending}
              onClick={() =>
                resendFailed.mutate(undefined, {
                  onSuccess: ({ mails }) =>
                    toast({
                      title: 'On their way again',
                      text: mails === 1 ? 'One mail.' : `${count.format(mails)} mails.`,
                    }),
                  onError: showError,
                })
              }
            >
              Send all failed again
            </Button>
          ) : undefined
        }
        actions={(row) => (
          <>
            <Button variant="quiet" onClick={() => showAddress(row.id)}>
              Reveal
            </Button>
            {row.state === 'failed' && <Button onClick={() => resendOne(row.id)}>Send again</Button>}
            {row.state === 'unknown' && <Button onClick={() => setConfirmingId(row.id)}>Send again</Button>}
          </>
        )}
      />
      {confirmingId && (
        <ConfirmDialog
          title="Send this mail again?"
          confirm="Send it again"
          pending={resend.isPending}
          onConfirm={() => resendOne(confirmingId)}
          onClose={() => setConfirmingId(null)}
        >
          <p>The provider’s answer was lost: the mail may have arrived, and its reader may get a second copy.</p>
        </ConfirmDialog>
      )}
    </Panel>
  )
}

function State({ mail: { state, lastError, attempts, dueAt } }: { mail: AdminEmail }) {
  return (
    <>
      <span className={state in ALERT_STATES ? 'text-sunset' : undefined}>{state}</span>
      {state === 'waiting' && attempts > 0 && dueAt && (
        <span className="block text-sm text-muted">
          tried {attempts} times, next {clock.format(Date.parse(dueAt))}
        </span>
      )}
      {lastError && <span className="block text-sm text-muted">{lastError}</span>}
    </>
  )
}
