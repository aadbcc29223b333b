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
      onSuccess: () => toast({ title: 'Email sent again' }),
      onError: showError,
      onSettled: () => setConfirmingId(null),
    })
  const showAddress = (id: string) =>
    reveal.mutate(id, { onSuccess: ({ to }) => toast({ title: 'Address', text: to }), onError: showError })
  return (
    <Panel
      title="All emails"
      note="Waiting emails are retried for about five hours. You can resend failed ones. For an unknown one, the provider’s response was lost, so it may have arrived."
    >
      {counts && (
        <dl className="tabular-figures mb-6 flex flex-wrap gap-x-10 gap-y-2">
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
        caption="All emails"
        listing={listing}
        columns={columns}
        rowKey={(row) => row.id}
        empty="No emails yet."
        tools={
          counts && counts.failed > 0 ? (
            <Button
              aria-disabled={resendFailed.isPending}
              onClick={() =>
                resendFailed.mutate(undefined, {
                  onSuccess: ({ mails }) =>
                    toast({
                      title: 'Emails sent again',
                      text: mails === 1 ? 'One email.' : `${formatCount(mails)} emails.`,
                    }),
                  onError: showError,
                })
              }
            >
              Resend all failed
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
          title="Send this email again?"
          confirm="Send it again"
          pending={resend.isPending}
          onConfirm={() => resendEmail(confirmingId)}
          onClose={() => setConfirmingId(null)}
        >
          <p>The provider’s response was lost: the email may have arrived, and the recipient may get a second copy.</p>
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
  bounced: 'Bounced: we no longer email this address.',
  complained: 'Marked an email as spam: only gets emails they ask for.',
  suppressed: 'The provider does not send to this address.',
}

const suppressionColumns: readonly Column<EmailSuppression>[] = [
  { id: 'to', header: 'To', cell: (row) => row.to ?? 'Address deleted' },
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
      onSuccess: () => toast({ title: 'Sending again', text: 'We’ll email this address again from now on.' }),
      onError: showError,
    })
  return (
    <Panel
      title="Blocked addresses"
      note="Addresses that bounced or whose recipient marked an email as spam. An address that confirms the newsletter again is removed from this list."
    >
      <DataTable
        caption="Blocked addresses"
        listing={listing}
        columns={suppressionColumns}
        rowKey={(row) => row.id}
        empty="No blocked addresses."
        actions={(row) => (
          <Button aria-disabled={lift.isPending} onClick={() => liftSuppression(row.id)}>
            Unblock
          </Button>
        )}
      />
    </Panel>
  )
}
