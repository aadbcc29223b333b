import { useQuery } from '@tanstack/react-query'
import { type FormEvent, useState } from 'react'
import type { Account } from '../../worker/contract/auth'
import type { Passkey } from '../../worker/contract/passkeys'
import { ApiError, errorMessage } from '../api/call'
import { formatDate } from '../lib/format'
import { Button } from '../ui/Button'
import { TextField } from '../ui/Field'
import { QueryBoundary } from '../ui/QueryBoundary'
import { toast, toastError } from '../ui/toast'
import { useReauthenticate } from './account.queries'
import {
  isPasskeyCancelled,
  ownPasskeys,
  supportsPasskeys,
  useAddPasskey,
  useRemovePasskey,
  useRenamePasskey,
} from './passkeys.queries'
import { ReauthenticationForm } from './ReauthenticationForm'
import { SettingsSection } from './SettingsSection'

const MAX_NAME_LENGTH = 60

/** Passkeys of the account: add, rename, remove. */
export function PasskeySettings({ account }: { account: Account }) {
  const query = useQuery(ownPasskeys)
  const reauthenticate = useReauthenticate()
  // What waits for re-authentication, because the log-in is too old.
  const [pendingAction, setPendingAction] = useState<{ label: string; run: () => Promise<void> } | null>(null)

  async function perform(label: string, run: () => Promise<void>) {
    try {
      await run()
      setPendingAction(null)
    } catch (error) {
      if (error instanceof ApiError && error.code === 'recent_auth_required') return setPendingAction({ label, run })
      if (!isPasskeyCancelled(error as Error)) toastError('That did not work')(error as Error)
    }
  }

  return (
    <SettingsSection title="Passkeys">
      <p className="max-w-prose text-muted">
        Log in with your fingerprint, your face or your device’s PIN instead of the password. They never leave your
        device.
      </p>
      <QueryBoundary
        query={query}
        loading={{ className: 'mt-5 h-24 max-w-xl', label: 'Fetching your passkeys' }}
        error="Your passkeys could not be fetched."
      >
        {(passkeys) =>
          passkeys.length > 0 && (
            <ul aria-label="Your passkeys" className="mt-6 max-w-xl border-t border-rule">
              {passkeys.map((passkey) => (
                <PasskeyRow key={passkey.id} passkey={passkey} perform={perform} />
              ))}
            </ul>
          )
        }
      </QueryBoundary>
      {pendingAction ? (
        <ReauthenticationForm
          account={account}
          action={pendingAction.label}
          onSubmit={async (input) => {
            await reauthenticate.mutateAsync(input)
            await perform(pendingAction.label, pendingAction.run)
          }}
          onPasskey={() => perform(pendingAction.label, pendingAction.run)}
          onCancel={() => setPendingAction(null)}
        />
      ) : (
        <AddPasskey perform={perform} />
      )}
    </SettingsSection>
  )
}

type Perform = (label: string, run: () => Promise<void>) => Promise<void>

function AddPasskey({ perform }: { perform: Perform }) {
  const add = useAddPasskey()
  const [error, setError] = useState<string>()
  if (!supportsPasskeys()) return <p className="mt-5 text-muted">This browser cannot use passkeys.</p>

  function submit(event: FormEvent<HTMLFormElement>) {
    event.preventDefault()
    if (add.isPending) return
    const form = event.currentTarget
    const name = String(new FormData(form).get('name')).trim()
    setError(name === '' ? 'Please name it, so that you know it again.' : undefined)
    if (name === '') return
    void perform('Confirm and add', async () => {
      await add.mutateAsync(name)
      form.reset()
      toast({ title: 'Passkey added', text: `You can log in with “${name}” from now on.` })
    })
  }

  return (
    <form noValidate method="post" onSubmit={submit} className="mt-6 grid max-w-xl gap-5">
      <TextField
        label="Name of the passkey"
        name="name"
        placeholder="My phone"
        autoComplete="off"
        maxLength={MAX_NAME_LENGTH}
        required
        error={error}
      />
      <Button type="submit" aria-disabled={add.isPending} className="justify-self-start">
        {add.isPending ? 'Waiting for your device' : 'Add a passkey'}
      </Button>
    </form>
  )
}

function PasskeyRow({ passkey: { id, name, createdAt, lastUsedAt }, perform }: { passkey: Passkey; perform: Perform }) {
  const rename = useRenamePasskey()
  const remove = useRemovePasskey()
  const [isRenaming, setRenaming] = useState(false)
  const [error, setError] = useState<string>()

  function save(event: FormEvent<HTMLFormElement>) {
    event.preventDefault()
    const next = String(new FormData(event.currentTarget).get('name')).trim()
    if (rename.isPending) return
    if (next === '' || next === name) return setRenaming(false)
    rename.mutate(
      { id, name: next },
      { onSuccess: () => setRenaming(false), onError: (error) => setError(errorMessage(error)) },
    )
  }

  return (
    <li className="flex flex-wrap items-center justify-between gap-x-6 gap-y-2 border-b border-rule py-4">
      {isRenaming ? (
        <form noValidate method="post" onSubmit={save} className="flex w-full flex-wrap items-end gap-3">
          <TextField
            label="Name of the passkey"
            name="name"
            defaultValue={name}
            maxLength={MAX_NAME_LENGTH}
            required
            error={error}
            className="min-w-48 flex-1"
          />
          <Button type="submit">Save</Button>
        </form>
      ) : (
        <>
          <div className="min-w-0">
            <p className="font-semibold break-words">{name}</p>
            <p className="text-sm text-muted">
              Added {formatDate(createdAt)}, {lastUsedAt ? `last used ${formatDate(lastUsedAt)}` : 'not used yet'}
            </p>
          </div>
          <div className="-mx-3 flex">
            <Button variant="text" aria-label={`Rename ${name}`} onClick={() => setRenaming(true)}>
              Rename
            </Button>
            <Button
              variant="text"
              aria-label={`Remove ${name}`}
              aria-disabled={remove.isPending}
              onClick={() =>
                void perform('Confirm and remove', async () => {
                  await remove.mutateAsync(id)
                  toast({ title: 'Passkey removed', text: 'It no longer opens your account.' })
                })
              }
            >
              Remove
            </Button>
          </div>
        </>
      )}
    </li>
  )
}
