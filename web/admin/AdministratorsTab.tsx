import { useQuery } from '@tanstack/react-query'
import { type FormEvent, useState } from 'react'
import { type Administrator, adminUsersApi } from '../../worker/contract/admin'
import { emailError } from '../../worker/contract/credential-rules'
import { call, errorMessage } from '../api/call'
import { Button } from '../ui/Button'
import { ConfirmDialog } from '../ui/ConfirmDialog'
import type { Column } from '../ui/DataTable'
import { TextField } from '../ui/Field'
import { toast, toastError } from '../ui/toast'
import { adminQuery, useAdminMutation } from './admin.queries'
import { ListPanel } from './ListPanel'
import { useLocalListing } from './listings'

const administrators = adminQuery('administrators', adminUsersApi.administrators)
const KEYS = ['administrators']
const columns: readonly Column<Administrator>[] = [
  { id: 'username', header: 'Name', cell: (row) => row.username, sortBy: (row) => row.username },
  { id: 'email', header: 'Email', cell: (row) => row.email || 'None', sortBy: (row) => row.email },
]

/** Administrators are appointed by a confirmed email address; the last one cannot be revoked. */
export function AdministratorsTab() {
  const [revoking, setRevoking] = useState<Administrator | null>(null)
  const [problem, setProblem] = useState<string>()
  const appoint = useAdminMutation((email: string) => call(adminUsersApi.appoint, { body: { email } }), KEYS)
  const revoke = useAdminMutation((id: string) => call(adminUsersApi.revoke, { id }), KEYS)
  const listing = useLocalListing(useQuery(administrators), {
    label: 'Search administrators',
    textOf: (row) => `${row.username} ${row.email}`,
  })
  function submit(event: FormEvent<HTMLFormElement>) {
    event.preventDefault()
    const form = event.currentTarget
    const email = String(new FormData(form).get('email')).trim()
    const invalidReason = emailError(email)
    setProblem(invalidReason ?? undefined)
    if (invalidReason) return
    appoint.mutate(email, {
      onSuccess: () => {
        form.reset()
        toast({ title: 'Appointed', text: 'They log in at /admin-login with their own password.' })
      },
      onError: (error) => setProblem(errorMessage(error)),
    })
  }
  return (
    <>
      <ListPanel
        title="Administrators"
        note="Appointing and revoking ask for a log-in of the last 15 minutes: log out and in again if it is refused."
        listing={listing}
        columns={columns}
        empty="Nobody."
        actions={(row) => (
          <Button variant="text" aria-label={`Revoke ${row.username}`} onClick={() => setRevoking(row)}>
            Revoke
          </Button>
        )}
      >
        <form noValidate onSubmit={submit} className="mb-10 flex max-w-xl flex-wrap items-start gap-4">
          <TextField
            label="Email of their account"
            name="email"
            type="email"
            autoCapitalize="none"
            required
            error={problem}
            className="min-w-60 flex-1"
          />
          <Button type="submit" variant="primary" aria-disabled={appoint.isPending} className="mt-6">
            Appoint
          </Button>
        </form>
      </ListPanel>
      {revoking && (
        <ConfirmDialog
          title={`Revoke ${revoking.username}?`}
          confirm="Revoke"
          pending={revoke.isPending}
          onClose={() => setRevoking(null)}
          onConfirm={() =>
            revoke.mutate(revoking.id, {
              onSuccess: () => toast({ title: 'Revoked', text: `The desk is closed to ${revoking.username}.` }),
              onError: toastError('Not revoked'),
              onSettled: () => setRevoking(null),
            })
          }
        >
          <p>The desk closes to them at once. Their account stays, as a supporter’s.</p>
        </ConfirmDialog>
      )}
    </>
  )
}
