import { useQuery } from '@tanstack/react-query'
import { type FormEvent, useState } from 'react'
import { type TeamMember, teamApi } from '../../worker/contract/admin'
import { TEAM_ROLES, type TeamRole } from '../../worker/contract/endpoint'
import { call, errorMessage } from '../api/call'
import { formatDate } from '../lib/format'
import { Button } from '../ui/Button'
import { ConfirmDialog } from '../ui/ConfirmDialog'
import type { Column } from '../ui/DataTable'
import { SelectField, TextField } from '../ui/Field'
import { toast, toastError } from '../ui/toast'
import { adminQuery, useAdminMutation } from './admin.queries'
import { adminSession } from './admin-session'
import { ListPanel } from './ListPanel'
import { useLocalListing } from './listings'

const members = adminQuery('team', teamApi.members)
const KEYS = ['team']
const ROLE_LABELS: Record<TeamRole, string> = { owner: 'Owner', manager: 'Manager', editor: 'Editor', door: 'Door' }
const ROLE_OPTIONS = TEAM_ROLES.map((value) => ({ value, label: ROLE_LABELS[value] }))
const ROLE_HINT =
  'Owners do everything. Managers do everything but roles and erasing accounts. Editors change content and posts. The door checks people in.'

const columns: readonly Column<TeamMember>[] = [
  { id: 'username', header: 'Name', cell: (row) => row.username, sortBy: (row) => row.username },
  { id: 'email', header: 'Email', cell: (row) => row.email || 'None' },
  { id: 'role', header: 'Role', cell: (row) => ROLE_LABELS[row.teamRole], sortBy: (row) => row.teamRole },
  { id: 'since', header: 'Since', cell: (row) => <span className="figures">{formatDate(row.since)}</span> },
]

/** The artist's team. Owners add members, change roles and remove members; one owner always stays. */
export function TeamTab() {
  const isOwner = useQuery(adminSession).data?.teamRole === 'owner'
  const [removing, setRemoving] = useState<TeamMember | null>(null)
  const remove = useAdminMutation((id: string) => call(teamApi.remove, { id }), KEYS)
  const changeRole = useAdminMutation(
    ({ id, teamRole }: { id: string; teamRole: TeamRole }) => call(teamApi.changeRole, { id, body: { teamRole } }),
    KEYS,
    { refetchOn: 'settled' },
  )
  const listing = useLocalListing(useQuery(members), {
    label: 'Search the team',
    textOf: (row) => `${row.username} ${ROLE_LABELS[row.teamRole]}`,
  })
  return (
    <>
      <ListPanel
        title="Team"
        note={isOwner ? ROLE_HINT : 'An owner adds members and changes their roles.'}
        listing={listing}
        columns={columns}
        empty="Nobody."
        actions={(row) =>
          isOwner && (
            <>
              <SelectField
                label={`Role of ${row.username}`}
                value={row.teamRole}
                options={ROLE_OPTIONS}
                onChange={({ currentTarget }) =>
                  changeRole.mutate(
                    { id: row.id, teamRole: currentTarget.value as TeamRole },
                    {
                      onSuccess: () => toast({ title: 'Role changed', text: `${row.username} has to log in again.` }),
                      onError: toastError('Not changed'),
                    },
                  )
                }
              />
              <Button variant="text" aria-label={`Remove ${row.username}`} onClick={() => setRemoving(row)}>
                Remove
              </Button>
            </>
          )
        }
      >
        {isOwner && <AddMemberForm />}
      </ListPanel>
      {removing && (
        <ConfirmDialog
          title={`Remove ${removing.username} from the team?`}
          confirm="Remove"
          pending={remove.isPending}
          onClose={() => setRemoving(null)}
          onConfirm={() =>
            remove.mutate(removing.id, {
              onSuccess: () => toast({ title: 'Removed', text: `The desk is closed to ${removing.username}.` }),
              onError: toastError('Not removed'),
              onSettled: () => setRemoving(null),
            })
          }
        >
          <p>The desk closes to them at once. Their account stays, as a supporter’s.</p>
        </ConfirmDialog>
      )}
    </>
  )
}

function AddMemberForm() {
  const [problem, setProblem] = useState<string>()
  const add = useAdminMutation((body: { account: string; teamRole: TeamRole }) => call(teamApi.add, { body }), KEYS)
  function submit(event: FormEvent<HTMLFormElement>) {
    event.preventDefault()
    if (add.isPending) return
    const form = event.currentTarget
    const data = new FormData(form)
    const account = String(data.get('account')).trim()
    setProblem(account === '' ? 'Please enter a name or an address.' : undefined)
    if (account === '') return
    add.mutate(
      { account, teamRole: String(data.get('teamRole')) as TeamRole },
      {
        onSuccess: () => {
          form.reset()
          toast({ title: 'Added', text: 'They log in at /admin-login with their own password.' })
        },
        onError: (error) => setProblem(errorMessage(error)),
      },
    )
  }
  return (
    <form noValidate onSubmit={submit} className="mb-10 flex max-w-3xl flex-wrap items-start gap-4">
      <TextField
        label="Name or email of their account"
        name="account"
        autoCapitalize="none"
        spellCheck={false}
        required
        error={problem}
        className="min-w-60 flex-1"
      />
      <SelectField label="Role" name="teamRole" defaultValue="editor" options={ROLE_OPTIONS} className="min-w-40" />
      <Button type="submit" variant="primary" aria-disabled={add.isPending} className="mt-6">
        Add
      </Button>
    </form>
  )
}
