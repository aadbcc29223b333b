import { useQuery, useQueryClient } from '@tanstack/react-query'
import { type FormEvent, useState } from 'react'
import { adminSessionApi } from '../../worker/contract/admin'
import { passkeysApi } from '../../worker/contract/passkeys'
import { adminSession, secondFactor } from '../admin/admin-session'
import { call, errorMessage } from '../api/call'
import type { ReauthenticationKind } from '../api/reauthentication'
import { Button } from '../ui/Button'
import { Dialog } from '../ui/Dialog'
import { PasswordField, TextField } from '../ui/Field'
import { Skeleton } from '../ui/Skeleton'
import { account, useReauthenticate } from './account.queries'
import { isPasskeyCancelled, requestPasskey, supportsPasskeys } from './passkeys.queries'
import { ReauthenticationForm } from './ReauthenticationForm'

type Props = { kind: ReauthenticationKind; onClose: (confirmed: boolean) => void }
const TITLE = 'Confirm that it is you'

/** Asks for the password, a code or a passkey before a sensitive action. */
export function ReauthenticationDialog({ kind, onClose }: Props) {
  return (
    <Dialog title={TITLE} onClose={() => onClose(false)}>
      <div className="p-6 md:p-9">
        <h2 className="mr-10 font-display text-xl">{TITLE}</h2>
        <p className="mt-3 max-w-prose text-muted">
          You logged in more than 15 minutes ago. Confirm once more, and your request continues.
        </p>
        {kind === 'administrator' ? <AdminForm onClose={onClose} /> : <SupporterForm onClose={onClose} />}
      </div>
    </Dialog>
  )
}

function SupporterForm({ onClose }: Pick<Props, 'onClose'>) {
  const { data } = useQuery(account)
  const reauthenticate = useReauthenticate()
  if (!data) return <Skeleton label="One moment" className="mt-6 h-40" />
  return (
    <ReauthenticationForm
      account={data}
      action="Confirm"
      onSubmit={async (input) => {
        await reauthenticate.mutateAsync(input)
        onClose(true)
      }}
      onPasskey={async () => onClose(true)}
      onCancel={() => onClose(false)}
    />
  )
}

function AdminForm({ onClose }: Pick<Props, 'onClose'>) {
  const queries = useQueryClient()
  const hasSecondFactor = useQuery(secondFactor).data?.enabled === true
  const [problem, setProblem] = useState<string>()
  const [isPending, setPending] = useState(false)

  async function submit(event: FormEvent<HTMLFormElement>) {
    event.preventDefault()
    if (isPending) return
    const data = new FormData(event.currentTarget)
    const [password, code] = [String(data.get('password')), String(data.get('code') ?? '').trim()]
    if (password === '' || (hasSecondFactor && code === '')) return setProblem('Please fill this in.')
    setProblem(undefined)
    setPending(true)
    try {
      const session = await call(adminSessionApi.confirm, { body: { password, ...(code && { code }) } })
      queries.setQueryData(adminSession.queryKey, session)
      onClose(true)
    } catch (error) {
      setProblem(errorMessage(error as Error))
      setPending(false)
    }
  }

  async function confirmByPasskey() {
    setProblem(undefined)
    try {
      await call(passkeysApi.adminConfirm, { body: { passkey: await requestPasskey() } })
      onClose(true)
    } catch (error) {
      if (!isPasskeyCancelled(error as Error)) setProblem(errorMessage(error as Error))
    }
  }

  return (
    <form noValidate method="post" onSubmit={submit} className="mt-6 grid max-w-md gap-5">
      <PasswordField
        label="Your password"
        name="password"
        autoComplete="current-password"
        required
        autoFocus
        error={problem}
      />
      {hasSecondFactor && (
        <TextField
          label="Code"
          name="code"
          autoComplete="one-time-code"
          maxLength={20}
          required
          hint="Six digits from your authenticator app, or one of your recovery codes."
        />
      )}
      <div className="flex flex-wrap gap-3">
        <Button type="submit" variant="primary" aria-disabled={isPending}>
          {isPending ? 'One moment' : 'Confirm'}
        </Button>
        <Button onClick={() => onClose(false)}>Cancel</Button>
        {supportsPasskeys() && (
          <Button variant="text" onClick={() => void confirmByPasskey()}>
            Use a passkey
          </Button>
        )}
      </div>
    </form>
  )
}
