import { useState } from 'react'
import { type AdminPointsEntry, type AdminSupporter, adminUsersApi } from '../../worker/contract/admin'
import { pointsApi } from '../../worker/contract/points'
import { call } from '../api/call'
import { BAN_KEEPS_IMAGES_TEXT } from '../community/moderation.queries'
import { ReasonDialog, ReasonForm } from '../layout/ReasonForm'
import { formatCount, formatDate, formatDateTime } from '../lib/format'
import { Button } from '../ui/Button'
import { ConfirmDialog } from '../ui/ConfirmDialog'
import { type Column, DataTable } from '../ui/DataTable'
import { Dialog } from '../ui/Dialog'
import { toast, toastError } from '../ui/toast'
import { useAdminMutation } from './admin.queries'
import { ListPanel } from './ListPanel'
import { usePagedListing } from './listings'

const KEYS = ['supporters']
const columns: readonly Column<AdminSupporter>[] = [
  { id: 'username', header: 'Name', cell: (row) => row.username },
  { id: 'email', header: 'Email', cell: (row) => row.email || 'None' },
  { id: 'tier', header: 'Tier', cell: (row) => <span className="capitalize">{row.tier}</span> },
  { id: 'points', header: 'Points', cell: (row) => formatCount(row.points), numeric: true },
  {
    id: 'joinedAt',
    header: 'Joined',
    cell: (row) => <span className="tabular-figures">{formatDate(row.joinedAt)}</span>,
  },
  {
    id: 'state',
    header: 'State',
    cell: (row) => (row.banned ? <span className="text-sunset">Banned</span> : 'Active'),
  },
]

export function SupportersTab() {
  const [open, setOpen] = useState<AdminSupporter | null>(null)
  const [banning, setBanning] = useState<AdminSupporter | null>(null)
  const [deleting, setDeleting] = useState<AdminSupporter | null>(null)
  const unban = useAdminMutation((id: string) => call(adminUsersApi.unban, { id }), KEYS)
  const setVotesExcluded = useAdminMutation(
    ({ id, votesExcluded }: AdminSupporter) =>
      call(votesExcluded ? adminUsersApi.includeVotes : adminUsersApi.excludeVotes, { id }),
    KEYS,
  )
  const erase = useAdminMutation((id: string) => call(adminUsersApi.erase, { id }), KEYS)
  const listing = usePagedListing({
    key: ['admin', 'supporters'],
    endpoint: adminUsersApi.supporters,
    label: 'Search by name or email',
  })
  return (
    <>
      <ListPanel
        title="Supporters"
        note="Newest first. Email addresses are masked here and complete in the export."
        listing={listing}
        columns={columns}
        empty="No supporters yet."
        actions={(row) => (
          <>
            <Button variant="text" aria-label={`Points of ${row.username}`} onClick={() => setOpen(row)}>
              Points
            </Button>
            {row.banned ? (
              <>
                <Button
                  variant="text"
                  aria-label={`Unban ${row.username}`}
                  onClick={() => unban.mutate(row.id, { onError: toastError('Not unbanned') })}
                >
                  Unban
                </Button>
                <Button
                  variant="text"
                  aria-label={`${row.votesExcluded ? 'Count the votes of' : 'Exclude the votes of'} ${row.username}`}
                  onClick={() =>
                    setVotesExcluded.mutate(row, {
                      onSuccess: () =>
                        toast({
                          title: row.votesExcluded ? 'Votes counted again' : 'Votes excluded',
                          text: 'This applies to open polls.',
                        }),
                      onError: toastError('Not changed'),
                    })
                  }
                >
                  {row.votesExcluded ? 'Count votes' : 'Exclude votes'}
                </Button>
              </>
            ) : (
              <Button variant="text" aria-label={`Ban ${row.username}`} onClick={() => setBanning(row)}>
                Ban
              </Button>
            )}
            <Button variant="text" aria-label={`Delete ${row.username}`} onClick={() => setDeleting(row)}>
              Delete
            </Button>
          </>
        )}
      />
      {open && (
        <SupporterPointsDialog
          // The list is refetched after each change, so read the total from it.
          supporter={listing.rows.find(({ id }) => id === open.id) ?? open}
          onClose={() => setOpen(null)}
        />
      )}
      {banning && <BanDialog supporter={banning} onClose={() => setBanning(null)} />}
      {deleting && (
        <ConfirmDialog
          title={`Delete ${deleting.username}’s account?`}
          confirm="Delete for good"
          pending={erase.isPending}
          onClose={() => setDeleting(null)}
          onConfirm={() =>
            erase.mutate(deleting.id, {
              onSuccess: () => toast({ title: 'Deleted', text: 'The account and its personal data are gone.' }),
              onError: toastError('Not deleted'),
              onSettled: () => setDeleting(null),
            })
          }
        >
          <p>
            Only when they ask for it: this can’t be undone. Their name, email and posts go; their votes and orders stay
            counted without their name.
          </p>
        </ConfirmDialog>
      )}
    </>
  )
}

function BanDialog({ supporter, onClose }: { supporter: AdminSupporter; onClose: () => void }) {
  const ban = useAdminMutation(
    (reason: string) => call(adminUsersApi.ban, { id: supporter.id, body: { reason } }),
    KEYS,
  )
  return (
    <ReasonDialog
      title={`Ban ${supporter.username}?`}
      confirm="Ban"
      hint="Saved in the audit log."
      onSubmit={(reason) =>
        ban
          .mutateAsync(reason)
          .then(() => toast({ title: 'Banned', text: `${supporter.username} will be logged out everywhere.` }))
      }
      onClose={onClose}
    >
      <p>
        They are logged out everywhere at once, and nothing of theirs shows on the site. Points stay, and so do votes;
        in open polls you can exclude them afterwards.
      </p>
      <p>{BAN_KEEPS_IMAGES_TEXT}</p>
    </ReasonDialog>
  )
}

const formatSigned = (points: number) => `${points < 0 ? '−' : '+'}${formatCount(Math.abs(points))}`
const STATE_LABELS = { stands: 'Valid', taken_back: 'Taken back', reversal: 'Reversal' }

const ledgerColumns: readonly Column<AdminPointsEntry>[] = [
  {
    id: 'at',
    header: 'When',
    cell: (row) => <span className="tabular-figures">{formatDateTime(row.createdAt)}</span>,
  },
  { id: 'why', header: 'Why', cell: (row) => row.description },
  { id: 'points', header: 'Points', cell: (row) => formatSigned(row.points), numeric: true },
  {
    id: 'state',
    header: 'State',
    cell: (row) => <span className={row.state === 'stands' ? undefined : 'text-muted'}>{STATE_LABELS[row.state]}</span>,
  },
]

/** A supporter's points ledger; entries can be reversed with a reason. */
function SupporterPointsDialog({ supporter, onClose }: { supporter: AdminSupporter; onClose: () => void }) {
  const [reversing, setReversing] = useState<AdminPointsEntry | null>(null)
  // Another administrator may have reversed the entry, so refetch after errors too.
  const reversal = useAdminMutation(
    (input: { id: string; body: { reason: string } }) => call(pointsApi.reverse, input),
    KEYS,
    { refetchOn: 'settled' },
  )
  const listing = usePagedListing({
    key: ['admin', 'supporters', supporter.id, 'points'],
    endpoint: adminUsersApi.points,
    input: { id: supporter.id },
  })
  const title = `Points of ${supporter.username}`
  return (
    <Dialog title={title} onClose={onClose}>
      {reversing ? (
        <ReasonForm
          title={`Void ${formatSigned(reversing.points)} of ${supporter.username}?`}
          confirm="Void"
          hint="The supporter sees it in their points history. It is also written to the audit log."
          onSubmit={(reason) => reversal.mutateAsync({ id: reversing.id, body: { reason } })}
          onDone={() => {
            toast({ title: 'Voided', text: `${reversing.points} points were taken back from ${supporter.username}.` })
            setReversing(null)
          }}
          onCancel={() => setReversing(null)}
        >
          <p className="text-ivory">{reversing.description}</p>
          <p>The points are taken back right away, and this action never earns points again. It cannot be undone.</p>
        </ReasonForm>
      ) : (
        <div className="grid gap-8 p-6 md:p-9">
          <header className="mr-10">
            <h2 className="font-display text-xl break-words">{title}</h2>
            <p className="mt-2 text-muted">
              <strong className="tabular-figures text-gold">{formatCount(supporter.points)}</strong> in all: the sum of
              these lines, newest first.
            </p>
          </header>
          <DataTable
            caption={title}
            listing={listing}
            columns={ledgerColumns}
            rowKey={(row) => row.id}
            empty="No points yet."
            actions={(row) =>
              row.state === 'stands' && (
                <Button variant="text" aria-label={`Void ${row.description}`} onClick={() => setReversing(row)}>
                  Void
                </Button>
              )
            }
          />
        </div>
      )}
    </Dialog>
  )
}
