import { queryOptions, useMutation, useQuery } from '@tanstack/react-query'
import { clsx } from 'clsx'
import { useState } from 'react'
import {
  type AdminEmail,
  adminEmailApi,
  type EmailSuppression,
  type SuppressionReason,
} from '../../worker/contract/email'
import { adminQuery, useAdminMutation } from '../admin/admin.queries'
import { AdminList } from '../admin/list/AdminList'
import { type AdminListDefinition, choiceFilter } from '../admin/list/list-definition'
import { call } from '../api/call'
import { BroadcastsPanel } from '../broadcasts/BroadcastsPanel'
import { formatCount, formatDateTime } from '../lib/format'
import { Button } from '../ui/Button'
import { ConfirmDialog } from '../ui/ConfirmDialog'
import { toast, toastError } from '../ui/toast'

/** States to show as a warning. */
const ALERT_STATES = { failed: true, unknown: true }

const emailCounts = queryOptions({
  ...adminQuery(['mail', 'counts'], adminEmailApi.counts),
  refetchInterval: ({ state: { data } }) => (data && data.waiting > 0 ? 5_000 : false),
})
/** Query keys to refetch after a change; a broadcast's counts depend on its emails. */
const EMAIL_QUERY_KEYS = ['mail', 'broadcasts']

const STATE_LABELS = { waiting: 'Waiting', sent: 'Sent', failed: 'Failed', unknown: 'Unknown' } as const
const resendEmail = (id: string) => call(adminEmailApi.resend, { id })

const emailList: AdminListDefinition<'/api/admin/mail', AdminEmail> = {
  name: 'mail',
  title: 'All emails',
  endpoint: adminEmailApi.list,
  urlPrefix: 'emails.',
  searchLabel: 'Search by full email, subject or state',
  nameOf: (row) => `${row.subject} to ${row.to}`,
  columns: [
    { id: 'to', header: 'To', cell: (row) => row.to },
    { id: 'subject', header: 'Subject', cell: (row) => row.subject },
    { id: 'state', header: 'State', cell: (row) => <EmailState email={row} /> },
    {
      id: 'when',
      header: 'Time',
      cell: (row) => <time dateTime={row.sentAt ?? row.createdAt}>{formatDateTime(row.sentAt ?? row.createdAt)}</time>,
      sort: 'created',
      isNumeric: true,
    },
    { id: 'kind', header: 'Kind', cell: (row) => row.kind, isOptional: true },
    { id: 'attempts', header: 'Attempts', cell: (row) => row.attempts, isNumeric: true, isOptional: true },
  ],
  filters: [choiceFilter('state', 'State', STATE_LABELS), { id: 'created', label: 'Time', kind: 'days' }],
  bulkActions: [
    {
      label: 'Send again',
      appliesTo: (row) => row.state === 'failed' || row.state === 'unknown',
      run: (row) => resendEmail(row.id),
      confirm: {
        title: (count, name) => (count === 1 ? `Send “${name}” again?` : `Send ${formatCount(count)} emails again?`),
        text: 'Emails marked unknown may have arrived: their recipients may get a second copy.',
      },
      done: 'Emails sent again',
    },
  ],
  refetchInterval: (rows) => (rows.some(({ state }) => state === 'waiting') ? 10_000 : false),
  empty: 'No emails yet. Every email that the site sends is listed here.',
}

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
  const resend = useAdminMutation(resendEmail, EMAIL_QUERY_KEYS)
  const resendFailed = useAdminMutation(() => call(adminEmailApi.resendFailed, {}), EMAIL_QUERY_KEYS)
  const reveal = useMutation({ mutationFn: (id: string) => call(adminEmailApi.reveal, { id }) })
  const [emailToResend, setEmailToResend] = useState<AdminEmail | null>(null)
  const resendOne = (id: string) =>
    resend.isPending ||
    resend.mutate(id, {
      onSuccess: () => toast({ title: 'Email sent again' }),
      onError: toastError('Not sent again'),
      onSettled: () => setEmailToResend(null),
    })
  const showAddress = (id: string) =>
    reveal.mutate(id, {
      onSuccess: ({ to }) => toast({ title: 'Address', text: to }),
      onError: toastError('Not revealed'),
    })
  return (
    <>
      <AdminList
        list={emailList}
        note="Waiting emails are tried again for about five hours. An unknown one may have arrived: the provider’s response was lost. Send failed ones again."
        tools={
          counts && counts.failed > 0 ? (
            <Button
              aria-disabled={resendFailed.isPending}
              onClick={() =>
                resendFailed.isPending ||
                resendFailed.mutate(undefined, {
                  onSuccess: ({ mails }) =>
                    toast({
                      title: 'Emails sent again',
                      text: mails === 1 ? 'One email.' : `${formatCount(mails)} emails.`,
                    }),
                  onError: toastError('Not sent again'),
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
              Reveal the address
            </Button>
            {row.state === 'failed' && (
              <Button aria-disabled={resend.isPending} onClick={() => resendOne(row.id)}>
                Send again
              </Button>
            )}
            {row.state === 'unknown' && <Button onClick={() => setEmailToResend(row)}>Send again</Button>}
          </>
        )}
      >
        {counts && (
          <dl className="tabular-figures mb-6 flex flex-wrap gap-x-10 gap-y-2">
            {(['sent', 'waiting', 'failed', 'unknown'] as const).map((state) => (
              <div key={state} className="flex items-baseline gap-2">
                <dt className="text-sm text-muted capitalize">{state}</dt>
                <dd className={clsx('font-semibold', state in ALERT_STATES && counts[state] > 0 && 'text-sunset')}>
                  {formatCount(counts[state])}
                </dd>
              </div>
            ))}
          </dl>
        )}
      </AdminList>
      {emailToResend && (
        <ConfirmDialog
          title={`Send “${emailToResend.subject}” to ${emailToResend.to} again?`}
          confirmLabel="Send it again"
          pending={resend.isPending}
          onConfirm={() => resendOne(emailToResend.id)}
          onClose={() => setEmailToResend(null)}
        >
          <p>The provider’s response was lost: the email may have arrived, and the recipient may get a second copy.</p>
        </ConfirmDialog>
      )}
    </>
  )
}

function EmailState({ email: { state, lastError, attempts, dueAt } }: { email: AdminEmail }) {
  return (
    <>
      <span className={state in ALERT_STATES ? 'text-sunset' : undefined}>{STATE_LABELS[state]}</span>
      {state === 'waiting' && attempts > 0 && dueAt && (
        <span className="block text-sm text-muted">
          tried {attempts === 1 ? 'once' : `${attempts} times`}, next {formatDateTime(dueAt)}
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
  unsubscribed: 'Unsubscribed on another platform: gets no newsletter.',
}

const liftSuppression = (id: string) => call(adminEmailApi.liftSuppression, { id })

const suppressionList: AdminListDefinition<'/api/admin/mail-stops', EmailSuppression> = {
  name: 'mail.stops',
  title: 'Blocked addresses',
  endpoint: adminEmailApi.suppressions,
  urlPrefix: 'blocked.',
  nameOf: (row) => row.to ?? 'Address deleted',
  columns: [
    { id: 'to', header: 'To', cell: (row) => row.to ?? 'Address deleted' },
    { id: 'reason', header: 'Reason', cell: (row) => REASON_LABELS[row.reason] },
    {
      id: 'since',
      header: 'Since',
      cell: (row) => <time dateTime={row.at}>{formatDateTime(row.at)}</time>,
      sort: 'since',
      isNumeric: true,
    },
  ],
  filters: [
    choiceFilter<SuppressionReason>('reason', 'Reason', {
      bounced: 'Bounced',
      complained: 'Marked as spam',
      suppressed: 'Blocked by the provider',
      unsubscribed: 'Unsubscribed on another platform',
    }),
    { id: 'since', label: 'Since', kind: 'days' },
  ],
  bulkActions: [{ label: 'Unblock', run: (row) => liftSuppression(row.id), done: 'Addresses unblocked' }],
  empty:
    'No blocked addresses. They appear here if they bounce, are rejected, report spam or are imported as unsubscribed.',
}

function SuppressionsPanel() {
  const lift = useAdminMutation(liftSuppression, EMAIL_QUERY_KEYS)
  const unblock = (id: string) =>
    lift.isPending ||
    lift.mutate(id, {
      onSuccess: () => toast({ title: 'Address unblocked', text: 'We’ll email this address again from now on.' }),
      onError: toastError('Not unblocked'),
    })
  return (
    <AdminList
      list={suppressionList}
      note="Addresses that bounced or that the provider rejects, whose recipient marked an email as spam, or that an import lists as unsubscribed. An address that confirms the newsletter again is removed from this list."
      actions={(row) => (
        <Button aria-disabled={lift.isPending} onClick={() => unblock(row.id)}>
          Unblock
        </Button>
      )}
    />
  )
}
