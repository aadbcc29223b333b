import { queryOptions, useMutation, useQuery } from '@tanstack/react-query'
import { clsx } from 'clsx'
import { useState } from 'react'
import { type AdminEmail, adminEmailApi, type EmailSuppression } from '../../worker/contract/email'
import { adminQuery, useAdminMutation } from '../admin/admin.queries'
import { usePagedListing } from '../admin/listings'
import { Panel } from '../admin/Panel'
import { call } from '../api/call'
import { BroadcastsPanel } from '../broadcasts/BroadcastsPanel'
import { formatCount, formatDateTime } from '../lib/format'
import { Button } from '../ui/Button'
import { ConfirmDialog } from '../ui/ConfirmDialog'
import { type Column, DataTable } from '../ui/DataTable'
import { toast, toastError } from '../ui/toast'

/** States that need an administrator's attention. */
const ALERT_STATES = { failed: true, unknown: true }
const showError = toastError('That did not work')

const emailCounts = queryOptions({
  ...adminQuery(['mail', 'counts'], adminEmailApi.counts),
  refetchInterval: ({ state: { data } }) => (data && data.waiting > 0 ? 5_000 : false),
})
/** A broadcast's counts depend on its emails. */
const KEYS = ['mail', 'broadcasts']

const columns: readonly Column<AdminEmail>[] = [
  { id: 'to', header: 'To', cell: (row) => row.to },
  { id: 'subject', header: 'Subject', cell: (row) => row.subject },
  { id: 'state', header: 'State', cell: (row) => <EmailState email={row} /> },
  {
    id: 'when',
    header: 'When',
    cell: (row) => <time dateTime={row.sentAt ?? row.createdAt}>{formatDateTime(row.sentAt ?? row.createdAt)}</time>,
    numeric: true,
  },
]

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
  const resend = useAdminMutation((id: string) => call(adminEmailApi.resend, { id }), KEYS)
  const resendFailed = useAdminMutation(() => call(adminEmailApi.resendFailed, {}), KEYS)
  const reveal = useMutation({ mutationFn: (id: string) => call(adminEmailApi.reveal, { id }) })
  const [confirmingId, setConfirmingId] = useState<string | null>(null)
  const resendEmail = (id: string) =>
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
                {formatCount(counts[state])}
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
                      text: mails === 1 ? 'One mail.' : `${formatCount(mails)} mails.`,
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
            <Button variant="text" onClick={() => showAddress(row.id)}>
              Reveal
            </Button>
            {row.state === 'failed' && <Button onClick={() => resendEmail(row.id)}>Send again</Button>}
            {row.state === 'unknown' && <Button onClick={() => setConfirmingId(row.id)}>Send again</Button>}
          </>
        )}
      />
      {confirmingId && (
        <ConfirmDialog
          title="Send this mail again?"
          confirm="Send it again"
          pending={resend.isPending}
          onConfirm={() => resendEmail(confirmingId)}
          onClose={() => setConfirmingId(null)}
        >
          <p>The provider’s answer was lost: the mail may have arrived, and its reader may get a second copy.</p>
        </ConfirmDialog>
      )}
    </Panel>
  )
}

function EmailState({ email: { state, lastError, attempts, dueAt } }: { email: AdminEmail }) {
  return (
    <>
      <span className={state in ALERT_STATES ? 'text-sunset' : undefined}>{state}</span>
      {state === 'waiting' && attempts > 0 && dueAt && (
        <span className="block text-sm text-muted">
          tried {attempts} times, next {formatDateTime(dueAt)}
        </span>
      )}
      {lastError && <span className="block text-sm text-muted">{lastError}</span>}
    </>
  )
}

const REASON_LABELS: Record<EmailSuppression['reason'], string> = {
  bounced: 'It bounced: nothing is sent there.',
  complained: 'Called our mail spam: gets only what they ask for.',
  suppressed: 'The provider does not write there.',
}

const suppressionColumns: readonly Column<EmailSuppression>[] = [
  { id: 'to', header: 'To', cell: (row) => row.to ?? 'Forgotten since' },
  { id: 'reason', header: 'Why', cell: (row) => REASON_LABELS[row.reason] },
  {
    id: 'at',
    header: 'Since',
    cell: (row) => <time dateTime={row.at}>{formatDateTime(row.at)}</time>,
    numeric: true,
  },
]

function SuppressionsPanel() {
  const listing = usePagedListing({ key: ['admin', 'mail', 'stops'], endpoint: adminEmailApi.suppressions })
  const lift = useAdminMutation((id: string) => call(adminEmailApi.liftSuppression, { id }), KEYS)
  const liftSuppression = (id: string) =>
    lift.mutate(id, {
      onSuccess: () => toast({ title: 'Written to again', text: 'From the next mail on.' }),
      onError: showError,
    })
  return (
    <Panel
      title="Not written to"
      note="Addresses whose mail came back for good, or whose reader called it spam. Whoever confirms the list anew leaves this one by themselves."
    >
      <DataTable
        caption="Not written to"
        listing={listing}
        columns={suppressionColumns}
        rowKey={(row) => row.id}
        empty="Nobody: no mail has come back."
        actions={(row) => (
          <Button aria-disabled={lift.isPending} onClick={() => liftSuppression(row.id)}>
            Write again
          </Button>
        )}
      />
    </Panel>
  )
}
