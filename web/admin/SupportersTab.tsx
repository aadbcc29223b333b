import { useMutation, useQueryClient } from '@tanstack/react-query'
import { type FormEvent, useState } from 'react'
import { type DeskSupporter, peopleApi } from '../../worker/contract/people'
import { call } from '../api/call'
import { Button } from '../ui/Button'
import { type Column, DataTable } from '../ui/DataTable'
import { Dialog } from '../ui/Dialog'
import { TextField } from '../ui/TextField'
import { toast } from '../ui/toast'
import { Panel } from './Panel'
import { usePages } from './useListing'

const KEY = ['admin', 'supporters']
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

/** Supporters: found by name or address, banned with a reason, let in again. */
export function SupportersTab() {
  const [banning, setBanning] = useState<DeskSupporter | null>(null)
  const queries = useQueryClient()
  const settled = { onSuccess: () => queries.invalidateQueries({ queryKey: KEY }) }
  const unban = useMutation({ mutationFn: (id: string) => call(peopleApi.unban, { id }), ...settled })
  const listing = usePages({ key: KEY, endpoint: peopleApi.supporters, label: 'Search by name or email' })
  return (
    <Panel title="Supporters" note="Newest first. Addresses are masked here and whole in the export.">
      <DataTable
        caption="Supporters"
        listing={listing}
        columns={columns}
        rowKey={(row) => row.id}
        empty="Nobody has signed up yet."
        actions={(row) =>
          row.banned ? (
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
          )
        }
      />
      {banning && <BanDialog supporter={banning} onClose={() => setBanning(null)} />}
    </Panel>
  )
}

function BanDialog({ supporter, onClose }: { supporter: DeskSupporter; onClose: () => void }) {
  const queries = useQueryClient()
  const [problem, setProblem] = useState<string>()
  const ban = useMutation({
    mutationFn: (reason: string) => call(peopleApi.ban, { id: supporter.id, body: { reason } }),
    onSuccess: () => queries.invalidateQueries({ queryKey: KEY }),
  })
  function submit(event: FormEvent<HTMLFormElement>) {
    event.preventDefault()
    const reason = String(new FormData(event.currentTarget).get('reason')).trim()
    if (reason === '') return setProblem('Please say why.')
    ban.mutate(reason, {
      onSuccess: () => {
        toast({ title: 'Banned', text: `${supporter.username} is logged out everywhere.` })
        onClose()
      },
      onError: ({ message }) => setProblem(message),
    })
  }
  return (
    <Dialog title={`Ban ${supporter.username}?`} onClose={onClose}>
      <form noValidate onSubmit={submit} className="grid gap-6 p-6 md:p-9">
        <h2 className="mr-10 font-display text-xl">Ban {supporter.username}?</h2>
        <p className="text-muted">They are logged out everywhere at once. Their votes and points stay.</p>
        <TextField label="Reason" name="reason" maxLength={200} required error={problem} hint="For the audit log." />
        <div className="flex flex-wrap gap-3">
          <Button type="submit" look="foil" aria-disabled={ban.isPending}>
            Ban
          </Button>
          <Button onClick={onClose}>Cancel</Button>
        </div>
      </form>
    </Dialog>
  )
}
