import { useNavigate } from '@tanstack/react-router'
import { type FormEvent, useState } from 'react'
import type { Account } from '../../worker/contract/auth'
import { ApiError } from '../api/call'
import { Button } from '../ui/Button'
import { PasswordField } from '../ui/PasswordField'
import { toast } from '../ui/toast'
import { AccountPart } from './AccountPart'
import { type ProofInput, useChangePassword, useConfirm, useLogOutEverywhere } from './account.queries'
import { NewPasswordFields } from './NewPasswordFields'
import { newPasswordProblem } from './new-password'
import { ProofForm } from './ProofForm'
import { sentence } from './sentence'

type Problems = { current?: string; password?: string; confirm?: string }

/** The password, and every browser that is logged in. */
export function PasswordPart({ account }: { account: Account }) {
  const { hasPassword } = account
  const change = useChangePassword()
  const everywhere = useLogOutEverywhere()
  const navigate = useNavigate()
  const [problems, setProblems] = useState<Problems>({})
  const [round, setRound] = useState(0)
  const confirm = useConfirm()
  // A first password that waits until whoever logged in long ago has shown who they are.
  const [waiting, setWaiting] = useState<string>()

  function submit(event: FormEvent<HTMLFormElement>) {
    event.preventDefault()
    if (change.isPending) return
    const data = new FormData(event.currentTarget)
    const found = newPasswordProblem(data)
    setProblems(found?.fields ?? {})
    if (found) return void toast({ ...found.toast, tone: 'destructive' })
    const current = hasPassword ? String(data.get('current')) : undefined
    const password = String(data.get('password'))
    change.mutate(
      { current, password },
      {
        onSuccess: changed,
        onError: (error) => {
          if (error instanceof ApiError && error.code === 'confirm_required') return setWaiting(password)
          const text = sentence(error)
          setProblems(/easily guessed/.test(text) ? { password: text } : { current: text })
          toast({ title: 'Password not changed', text: error.message, tone: 'destructive' })
        },
      },
    )
  }

  function changed() {
    setRound(round + 1)
    setWaiting(undefined)
    toast({ title: 'Password changed', text: 'Every other browser was logged out.' })
  }
  async function changeWith(password: string, proof: ProofInput) {
    await confirm.mutateAsync(proof)
    await change.mutateAsync({ password })
    changed()
  }

  return (
    <>
      <AccountPart title="Password">
        <form key={round} noValidate method="post" onSubmit={submit} className="grid max-w-xl gap-6">
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
        {waiting !== undefined && (
          <ProofForm
            account={account}
            action="Confirm and save"
            onProof={(proof) => changeWith(waiting, proof)}
            onCancel={() => setWaiting(undefined)}
          />
        )}
      </AccountPart>
      <AccountPart title="Browsers">
        <p className="max-w-prose text-muted">Ends every session at once, on every device, this one too.</p>
        <Button
          className="mt-5"
          aria-disabled={everywhere.isPending}
          onClick={() =>
            everywhere.mutate(undefined, {
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
      </AccountPart>
    </>
  )
}
