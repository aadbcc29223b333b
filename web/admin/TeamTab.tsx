import { useQuery } from '@tanstack/react-query'
import { type FormEvent, useState } from 'react'
import { type TeamMember, teamApi } from '../../worker/contract/admin'
import type { TeamRole } from '../../worker/contract/endpoint'
import { call, errorMessage } from '../api/call'
import { formatDate } from '../lib/format'
import { Button } from '../ui/Button'
import { ConfirmDialog } from '../ui/ConfirmDialog'
import { SelectField, TextField } from '../ui/Field'
import { toast, toastError } from '../ui/toast'
import { useAdminMutation } from './admin.queries'
import { adminSessionQuery } from './admin-session'
import { AdminList } from './list/AdminList'
import { type AdminListDefinition, type ListColumn, toOptions } from './list/list-definition'
import { TEAM_ROLE_LABELS } from './team-roles'

const TEAM_QUERY_KEYS = ['team']
const ROLE_OPTIONS = toOptions(TEAM_ROLE_LABELS)
const ROLE_PHRASES: Record<TeamRole, string> = {
  owner: 'an owner',
  manager: 'a manager',
  editor: 'an editor',
  door: 'a door member',
}
const ROLE_HINT =
  'Owners can do everything. Managers can do everything except change the team, erase data, create archives, and manage tokens and webhooks. Editors manage content and posts. Door members check fans in.'

const textColumns: readonly ListColumn<TeamMember>[] = [
  { id: 'username', header: 'Name', cell: (row) => row.username },
  { id: 'email', header: 'Email', cell: (row) => row.email || 'None' },
  { id: 'since', header: 'Since', cell: (row) => <span className="tabular-figures">{formatDate(row.since)}</span> },
]

const memberList = (
  columns: readonly ListColumn<TeamMember>[],
): AdminListDefinition<'/api/admin/administrators', TeamMember> => ({
  name: 'team',
  title: 'Team',
  endpoint: teamApi.members,
  nameOf: (row) => row.username,
  columns,
  empty: 'No team members yet. An owner adds them.',
})

type RoleChange = { member: TeamMember; teamRole: TeamRole }

/** The artist's team. Owners add and remove members and change roles; at least one owner must remain. */
export function TeamTab() {
  const isOwner = useQuery(adminSessionQuery).data?.teamRole === 'owner'
  const [memberToRemove, setMemberToRemove] = useState<TeamMember | null>(null)
  const [roleChange, setRoleChange] = useState<RoleChange | null>(null)
  const remove = useAdminMutation((id: string) => call(teamApi.remove, { id }), TEAM_QUERY_KEYS)
  const changeRole = useAdminMutation(
    ({ member, teamRole }: RoleChange) => call(teamApi.changeRole, { id: member.id, body: { teamRole } }),
    TEAM_QUERY_KEYS,
    { refetchOn: 'settled' },
  )
  const roleColumn: ListColumn<TeamMember> = {
    id: 'role',
    header: 'Role',
    cell: (row) =>
      isOwner ? (
        <span className="field-line">
          <select
            aria-label={`Role of ${row.username}`}
            value={row.teamRole}
            onChange={({ currentTarget }) => setRoleChange({ member: row, teamRole: currentTarget.value as TeamRole })}
            className="min-h-11 bg-background text-ivory"
          >
            {ROLE_OPTIONS.map(({ value, label }) => (
              <option key={value} value={value}>
                {label}
              </option>
            ))}
          </select>
        </span>
      ) : (
        TEAM_ROLE_LABELS[row.teamRole]
      ),
  }
  return (
    <>
      <AdminList
        list={memberList([...textColumns, roleColumn])}
        note={isOwner ? ROLE_HINT : 'An owner adds members and changes their roles.'}
        actions={
          isOwner
            ? (row) => (
                <Button variant="text" aria-label={`Remove ${row.username}`} onClick={() => setMemberToRemove(row)}>
                  Remove
                </Button>
              )
            : undefined
        }
      >
        {isOwner && <AddMemberForm />}
      </AdminList>
      {roleChange && (
        <ConfirmDialog
          title={`Make ${roleChange.member.username} ${ROLE_PHRASES[roleChange.teamRole]}?`}
          confirmLabel="Change the role"
          pending={changeRole.isPending}
          onClose={() => setRoleChange(null)}
          onConfirm={() =>
            changeRole.mutate(roleChange, {
              onSuccess: () =>
                toast({ title: 'Role changed', text: `${roleChange.member.username} has to log in again.` }),
              onError: toastError('Not changed'),
              onSettled: () => setRoleChange(null),
            })
          }
        >
          <p>They will be logged out everywhere and have to log in again with the new role.</p>
        </ConfirmDialog>
      )}
      {memberToRemove && (
        <ConfirmDialog
          title={`Remove ${memberToRemove.username} from the team?`}
          confirmLabel="Remove"
          pending={remove.isPending}
          onClose={() => setMemberToRemove(null)}
          onConfirm={() =>
            remove.mutate(memberToRemove.id, {
              onSuccess: () =>
                toast({ title: 'Removed', text: `${memberToRemove.username} can no longer open the dashboard.` }),
              onError: toastError('Not removed'),
              onSettled: () => setMemberToRemove(null),
            })
          }
        >
          <p>They lose access to the dashboard right away. They keep their supporter account.</p>
        </ConfirmDialog>
      )}
    </>
  )
}

function AddMemberForm() {
  const [error, setError] = useState<string>()
  const add = useAdminMutation(
    (body: { account: string; teamRole: TeamRole }) => call(teamApi.add, { body }),
    TEAM_QUERY_KEYS,
  )
  function submit(event: FormEvent<HTMLFormElement>) {
    event.preventDefault()
    if (add.isPending) return
    const form = event.currentTarget
    const data = new FormData(form)
    const account = String(data.get('account')).trim()
    setError(account === '' ? 'Please enter a username or email address.' : undefined)
    if (account === '') return
    add.mutate(
      { account, teamRole: String(data.get('teamRole')) as TeamRole },
      {
        onSuccess: () => {
          form.reset()
          toast({ title: 'Added', text: 'They can log in at /admin-login with their own password.' })
        },
        onError: (addError) => setError(errorMessage(addError)),
      },
    )
  }
  return (
    <form noValidate onSubmit={submit} className="mb-10 flex max-w-3xl flex-wrap items-start gap-4">
      <TextField
        label="Username or email of their account"
        name="account"
        autoCapitalize="none"
        spellCheck={false}
        required
        error={error}
        className="min-w-60 flex-1"
      />
      <SelectField label="Role" name="teamRole" defaultValue="editor" options={ROLE_OPTIONS} className="min-w-40" />
      <Button type="submit" variant="primary" aria-disabled={add.isPending} className="mt-6">
        Add
      </Button>
    </form>
  )
}
