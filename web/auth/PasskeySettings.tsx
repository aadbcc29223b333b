import { useQuery } from '@tanstack/react-query'
import { type FormEvent, useState } from 'react'
import type { Passkey } from '../../worker/contract/passkeys'
import { errorMessage } from '../api/call'
import { formatDate } from '../lib/format'
import { Button } from '../ui/Button'
import { TextField } from '../ui/Field'
import { QueryBoundary } from '../ui/QueryBoundary'
import { toast, toastError } from '../ui/toast'
import {
  isPasskeyCanceled,
  ownPasskeys,
  supportsPasskeys,
  useAddPasskey,
  useRemovePasskey,
  useRenamePasskey,
} from './passkeys.queries'
import { SettingsSection } from './SettingsSection'

const MAX_NAME_LENGTH = 60

/** Passkeys of the account: add, rename, remove. */
export function PasskeySettings() {
  const query = useQuery(ownPasskeys)
  return (
    <SettingsSection title="Passkeys">
      <p className="max-w-prose text-muted">
        Log in with your fingerprint, your face or your device’s PIN instead of the password. They never leave your
        device.
      </p>
      <QueryBoundary
        query={query}
        loading={{ className: 'mt-5 h-24 max-w-xl', label: 'Loading your passkeys' }}
        error="Your passkeys could not be loaded."
      >
        {(passkeys) =>
          passkeys.length > 0 && (
            <ul aria-label="Your passkeys" className="mt-6 max-w-xl border-t border-rule">
              {passkeys.map((passkey) => (
                <PasskeyRow key={passkey.id} passkey={passkey} />
              ))}
            </ul>
          )
        }
      </QueryBoundary>
      <AddPasskey />
    </SettingsSection>
  )
}

const showUnlessCanceled = (error: Error) => isPasskeyCanceled(error) || toastError('That did not work')(error)

function AddPasskey() {
  const add = useAddPasskey()
  const [error, setError] = useState<string>()
  if (!supportsPasskeys()) return <p className="mt-5 text-muted">This browser cannot use passkeys.</p>

  function submit(event: FormEvent<HTMLFormElement>) {
    event.preventDefault()
    if (add.isPending) return
    const form = event.currentTarget
    const name = String(new FormData(form).get('name')).trim()
    setError(name === '' ? 'Please give it a name you will recognize.' : undefined)
    if (name === '') return
    add.mutate(name, {
      onSuccess: () => {
        form.reset()
        toast({ title: 'Passkey added', text: `You can now log in with “${name}”.` })
      },
      onError: showUnlessCanceled,
    })
  }

  return (
    <form noValidate method="post" onSubmit={submit} className="mt-6 grid max-w-xl gap-5">
      <TextField
        label="Passkey name"
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

function PasskeyRow({ passkey: { id, name, createdAt, lastUsedAt } }: { passkey: Passkey }) {
  const rename = useRenamePasskey()
  const remove = useRemovePasskey()
  const [isRenaming, setIsRenaming] = useState(false)
  const [error, setError] = useState<string>()

  function save(event: FormEvent<HTMLFormElement>) {
    event.preventDefault()
    const newName = String(new FormData(event.currentTarget).get('name')).trim()
    if (rename.isPending) return
    setError(undefined)
    if (newName === '' || newName === name) return setIsRenaming(false)
    rename.mutate(
      { id, name: newName },
      { onSuccess: () => setIsRenaming(false), onError: (error) => setError(errorMessage(error)) },
    )
  }

  return (
    <li className="flex flex-wrap items-center justify-between gap-x-6 gap-y-2 border-b border-rule py-4">
      {isRenaming ? (
        <form noValidate method="post" onSubmit={save} className="flex w-full flex-wrap items-end gap-3">
          <TextField
            label="Passkey name"
            name="name"
            defaultValue={name}
            maxLength={MAX_NAME_LENGTH}
            required
            error={error}
            className="min-w-48 flex-1"
          />
          <Button type="submit" aria-disabled={rename.isPending}>
            Save
          </Button>
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
            <Button variant="text" aria-label={`Rename ${name}`} onClick={() => setIsRenaming(true)}>
              Rename
            </Button>
            <Button
              variant="text"
              aria-label={`Remove ${name}`}
              aria-disabled={remove.isPending}
              onClick={() =>
                remove.isPending ||
                remove.mutate(id, {
                  onSuccess: () => toast({ title: 'Passkey removed', text: 'You can no longer log in with it.' }),
                  onError: showUnlessCanceled,
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
