import { useMutation, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { type AdminSupporter, adminUsersApi } from '../../worker/contract/admin'
import { call } from '../api/call'
import { BAN_KEEPS_IMAGES } from '../community/moderation.queries'
import { Button } from '../ui/Button'
import { ConfirmDialog } from '../ui/ConfirmDialog'
import { type Column, DataTable } from '../ui/DataTable'
import { Dialog } from '../ui/Dialog'
import { toast } from '../ui/toast'
import { usePagedListing } from './listings'
import { Panel } from './Panel'
import { ReasonForm } from './ReasonForm'
import { SupporterPointsDialog } from './SupporterPointsDialog'

const count = new Intl.NumberFormat('en-US')
const day = new Intl.DateTimeFormat('en-US', { dateStyle: 'medium' })
const columns: readonly Column<AdminSupporter>[] = [
  { id: 'username', header: 'Name', cell: (row) => row.username },
  { id: 'email', header: 'Email', cell: (row) => row.email || 'None' },
  { id: 'tier', header: 'Tier', cell: (row) => <span className="capitalize">{row.tier}</span> },
  { id: 'points', header: 'Points', cell: (row) => count.format(row.points), numeric: true },
  {
    id: 'joinedAt',
    header: 'Joined',
    cell: (row) => <span className="figures">{day.format(Date.parse(row.joinedAt))}</span>,
  },
  {
    id: 'state',
    header: 'State',
    cell: (row) => (row.banned ? <span className="text-sunset">Banned</span> : 'Active'),
  },
]

/** Supporters: found by name or address, their points read and voided, banned with a reason, let in again, erased where they ask. */
export function SupportersTab() {
  const [open, setOpen] = useState<AdminSupporter | null>(null)
  const [banning, setBanning] = useState<AdminSupporter | null>(null)
  const [deleting, setDeleting] = useState<AdminSupporter | null>(null)
  const queries = useQueryClient()
  const refreshOnSuccess = { onSuccess: () => queries.invalidateQueries({ queryKey: SUPPORTERS_KEY }) }
  const unban = useMutation({ mutationFn: (id: string) => call(adminUsersApi.unban, { id }), ...refreshOnSuccess })
  const erase = useMutation({ mutationFn: (id: string) => call(adminUsersApi.erase, { id }), ...refreshOnSuccess })
  const listing = usePagedListing({
    key: SUPPORTERS_KEY,
    endpoint: adminUsersApi.supporters,
    label: 'Search by name or email',
  })
  return (
    <Panel title="Supporters" note="Newest first. Addresses are masked here and whole in the export.">
      <DataTable
        caption="Supporters"
        listing={listing}
        columns={columns}
        rowKey={(row) => row.id}
        empty="Nobody has signed up yet."
        actions={(row) => (
          <>
            <Button variant="quiet" aria-label={`Points of ${row.username}`} onClick={() => setOpen(row)}>
              Points
            </Button>
            {row.banned ? (
              <Button
                variant="quiet"
                aria-label={`Unban ${row.username}`}
                onClick={() =>
                  unban.mutate(row.id, {
                    onError: ({ message }) => toast({ title: 'Not unbanned', text: message, tone: 'destructive' }),
                  })
                }
              >
                Unban
              </Button>
            ) : (
              <Button variant="quiet" aria-label={`Ban ${row.username}`} onClick={() => setBanning(row)}>
                Ban
              </Button>
            )}
            <Button variant="quiet" aria-label={`Delete ${row.username}`} onClick={() => setDeleting(row)}>
              Delete
            </Button>
          </>
        )}
      />
      {open && (
        <SupporterPointsDialog
          // Fetched anew after each change: the total is what the list says now.
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
              onSuccess: () => toast({ title: 'Deleted', text: 'Their account and what it says of them are gone.' }),
              onError: ({ message }) => toast({ title: 'Not deleted', text: message, tone: 'destructive' }),
              onSettled: () => setDeleting(null),
            })
          }
        >
          <p>
            For who asks us to. It cannot be undone: name, address and words go, votes and orders stay counted without
            them. It asks for a log-in of the last 15 minutes.
          </p>
        </ConfirmDialog>
      )}
    </Panel>
  )
}

function BanDialog({ supporter, onClose }: { supporter: AdminSupporter; onClose: () => void }) {
  const queries = useQueryClient()
  const ban = useMutation({
    mutationFn: (reason: string) => call(adminUsersApi.ban, { id: supporter.id, body: { reason } }),
    onSuccess: () => queries.invalidateQueries({ queryKey: SUPPORTERS_KEY }),
  })
  const title = `Ban ${supporter.username}?`
  return (
    <Dialog title={title} onClose={onClose}>
      <ReasonForm
        title={title}
        confirm="Ban"
        hint="For the audit log."
        onSubmit={ban.mutateAsync}
        onDone={() => {
          toast({ title: 'Banned', text: `${supporter.username} is logged out everywhere.` })
          onClose()
        }}
        onCancel={onClose}
      >
        <p>They are logged out everywhere at once. Their votes and points stay.</p>
        <p>{BAN_KEEPS_IMAGES}</p>
      </ReasonForm>
    </Dialog>
  )
}

/** The desk's list of supporters, and beneath it what is fetched of one: whatever changes a person makes both stale. */
export const SUPPORTERS_KEY = ['admin', 'supporters']
