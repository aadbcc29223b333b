import { useNavigate } from '@tanstack/react-router'
import { type FormEvent, useState } from 'react'
import type { Account } from '../../worker/contract/auth'
import { ApiError, errorMessage } from '../api/call'
import { Button } from '../ui/Button'
import { PasswordField } from '../ui/Field'
import { toast } from '../ui/toast'
import {
  type ReauthenticationInput,
  useChangePassword,
  useLogOutEverywhere,
  useReauthenticate,
} from './account.queries'
import { NewPasswordFields } from './NewPasswordFields'
import { validateNewPassword } from './new-password'
import { ReauthenticationForm } from './ReauthenticationForm'
import { SettingsSection } from './SettingsSection'

type Problems = { current?: string; password?: string; confirm?: string }

/** The password, and every browser that is logged in. */
export function PasswordSettings({ account }: { account: Account }) {
  const { hasPassword } = account
  const change = useChangePassword()
  const logOutEverywhere = useLogOutEverywhere()
  const navigate = useNavigate()
  const [problems, setProblems] = useState<Problems>({})
  const [formKey, setFormKey] = useState(0)
  const confirm = useReauthenticate()
  // A first password that waits until whoever logged in long ago has shown who they are.
  const [pendingPassword, setPendingPassword] = useState<string>()

  function submit(event: FormEvent<HTMLFormElement>) {
    event.preventDefault()
    if (change.isPending) return
    const data = new FormData(event.currentTarget)
    const found = validateNewPassword(data)
    setProblems(found?.fields ?? {})
    if (found) return void toast({ ...found.toast, tone: 'destructive' })
    const current = hasPassword ? String(data.get('current')) : undefined
    const password = String(data.get('password'))
    change.mutate(
      { current, password },
      {
        onSuccess: onChanged,
        onError: (error) => {
          if (error instanceof ApiError && error.code === 'confirm_required') return setPendingPassword(password)
          const text = errorMessage(error)
          setProblems(/easily guessed/.test(text) ? { password: text } : { current: text })
          toast({ title: 'Password not changed', text: error.message, tone: 'destructive' })
        },
      },
    )
  }

  function onChanged() {
    setFormKey(formKey + 1)
    setPendingPassword(undefined)
    toast({ title: 'Password changed', text: 'Every other browser was logged out.' })
  }
  async function changeWith(password: string, proof: ReauthenticationInput) {
    await confirm.mutateAsync(proof)
    await change.mutateAsync({ password })
    onChanged()
  }

  return (
    <>
      <SettingsSection title="Password">
        <form key={formKey} noValidate method="post" onSubmit={submit} className="grid max-w-xl gap-6">
          {hasPassword && (
            <PasswordField
              label="Current password"
              name="current"
              autoComplete="current-password"
              required
              error={problems.current}
            />
          )}
          {!hasPassword && problems.current && (
            <p role="alert" className="text-sunset">
              {problems.current}
            </p>
          )}
          <NewPasswordFields problems={problems} />
          <Button type="submit" aria-disabled={change.isPending} className="justify-self-start">
            {hasPassword ? 'Change the password' : 'Set a password'}
          </Button>
        </form>
        {pendingPassword !== undefined && (
          <ReauthenticationForm
            account={account}
            action="Confirm and save"
            onProof={(proof) => changeWith(pendingPassword, proof)}
            onCancel={() => setPendingPassword(undefined)}
          />
        )}
      </SettingsSection>
      <SettingsSection title="Browsers">
        <p className="max-w-prose text-muted">Ends every session at once, on every device, this one too.</p>
        <Button
          className="mt-5"
          aria-disabled={logOutEverywhere.isPending}
          onClick={() =>
            logOutEverywhere.mutate(undefined, {
              onSuccess: () => {
                toast({ title: 'Logged Out', text: 'Everywhere.' })
                void navigate({ to: '/' })
              },
              onError: ({ message }) => toast({ title: 'Log out failed', text: message, tone: 'destructive' }),
            })
          }
        >
          Log out everywhere
        </Button>
      </SettingsSection>
    </>
  )
}
