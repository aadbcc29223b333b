import { useMutation, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { type DeskSupporter, peopleApi } from '../../worker/contract/people'
import { call } from '../api/call'
import { PICTURES_STAY } from '../community/ban-note'
import { Button } from '../ui/Button'
import { ConfirmDialog } from '../ui/ConfirmDialog'
import { type Column, DataTable } from '../ui/DataTable'
import { Dialog } from '../ui/Dialog'
import { toast } from '../ui/toast'
import { Panel } from './Panel'
import { ReasonForm } from './ReasonForm'
import { SupporterPoints } from './SupporterPoints'
import { SUPPORTERS } from './supporters.queries'
import { usePages } from './useListing'

const count = new Intl.NumberFormat('en-US')
const day = new Intl.DateTimeFormat('en-US', { dateStyle: 'medium' })
const columns: readonly Column<DeskSupporter>[] = [
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
  const [open, setOpen] = useState<DeskSupporter | null>(null)
  const [banning, setBanning] = useState<DeskSupporter | null>(null)
  const [deleting, setDeleting] = useState<DeskSupporter | null>(null)
  const queries = useQueryClient()
  const settled = { onSuccess: () => queries.invalidateQueries({ queryKey: SUPPORTERS }) }
  const unban = useMutation({ mutationFn: (id: string) => call(peopleApi.unban, { id }), ...settled })
  const erase = useMutation({ mutationFn: (id: string) => call(peopleApi.erase, { id }), ...settled })
  const listing = usePages({ key: SUPPORTERS, endpoint: peopleApi.supporters, label: 'Search by name or email' })
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
            <Button look="quiet" aria-label={`Points of ${row.username}`} onClick={() => setOpen(row)}>
              Points
            </Button>
            {row.banned ? (
              <Button
                look="quiet"
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
              <Button look="quiet" aria-label={`Ban ${row.username}`} onClick={() => setBanning(row)}>
                Ban
              </Button>
            )}
            <Button look="quiet" aria-label={`Delete ${row.username}`} onClick={() => setDeleting(row)}>
              Delete
            </Button>
          </>
        )}
      />
      {open && (
        <SupporterPoints
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

function BanDialog({ supporter, onClose }: { supporter: DeskSupporter; onClose: () => void }) {
  const queries = useQueryClient()
  const ban = useMutation({
    mutationFn: (reason: string) => call(peopleApi.ban, { id: supporter.id, body: { reason } }),
    onSuccess: () => queries.invalidateQueries({ queryKey: SUPPORTERS }),
  })
  const title = `Ban ${supporter.username}?`
  return (
    <Dialog title={title} onClose={onClose}>
      <ReasonForm
        title={title}
        confirm="Ban"
        hint="For the audit log."
        act={ban.mutateAsync}
        onDone={() => {
          toast({ title: 'Banned', text: `${supporter.username} is logged out everywhere.` })
          onClose()
        }}
        onCancel={onClose}
      >
        <p>They are logged out everywhere at once. Their votes and points stay.</p>
        <p>{PICTURES_STAY}</p>
      </ReasonForm>
    </Dialog>
  )
}
