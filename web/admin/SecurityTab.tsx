import { useQuery } from '@tanstack/react-query'
import { type FormEvent, useState } from 'react'
import { errorMessage } from '../api/call'
import { formatCountOf } from '../lib/format'
import { Button } from '../ui/Button'
import { TextField } from '../ui/Field'
import { QueryBoundary } from '../ui/QueryBoundary'
import { toast, toastError } from '../ui/toast'
import {
  secondFactorQuery,
  useConfirmSecondFactor,
  useDisableSecondFactor,
  useEnrollSecondFactor,
} from './admin-session'

export function SecurityTab() {
  return (
    <QueryBoundary
      query={useQuery(secondFactorQuery)}
      loading={{ className: 'h-60', label: 'Loading the security settings' }}
      error="The security settings could not be loaded."
    >
      {(state) => <SecondFactor {...state} />}
    </QueryBoundary>
  )
}

type CodeMutation = { isPending: boolean; mutateAsync: (code: string) => Promise<unknown> }
type SecondFactorState = { enabled: boolean; recoveryCodesLeft: number }

function SecondFactor({ enabled, recoveryCodesLeft }: SecondFactorState) {
  const enroll = useEnrollSecondFactor()
  const confirm = useConfirmSecondFactor()
  const disable = useDisableSecondFactor()
  const [error, setError] = useState<string>()
  const recoveryCodes = confirm.data?.recoveryCodes

  const submitHandler = (mutation: CodeMutation, successTitle: string) => async (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault()
    if (mutation.isPending) return
    const code = String(new FormData(event.currentTarget).get('code')).trim()
    if (code === '') return setError('Please fill this in.')
    setError(undefined)
    await mutation.mutateAsync(code).then(
      () => {
        enroll.reset()
        toast({ title: successTitle })
      },
      (sendError: Error) => setError(errorMessage(sendError)),
    )
  }
  const codeInput = (
    <TextField label="Code" name="code" autoComplete="one-time-code" maxLength={20} required error={error} />
  )

  return (
    <section aria-labelledby="second-factor" className="border-t border-rule pt-4">
      <h2 id="second-factor" className="font-display text-xl">
        Second factor
      </h2>
      <p className="mt-3 max-w-prose text-muted">
        {enabled
          ? `On. ${formatCountOf(recoveryCodesLeft, 'recovery code')} left.`
          : 'Off. Turn it on to require a code from an authenticator app as well as your password.'}
      </p>
      {recoveryCodes && enabled && (
        <div role="status" className="mt-6 max-w-xl border border-dashed border-gold p-5">
          <p>Store these codes somewhere other than your phone. Each one works once, and we only show them now.</p>
          <ul className="tabular-figures mt-4 grid gap-x-8 gap-y-1 font-semibold sm:grid-cols-2">
            {recoveryCodes.map((code) => (
              <li key={code}>{code}</li>
            ))}
          </ul>
        </div>
      )}
      {enabled && (
        <form noValidate onSubmit={submitHandler(disable, 'Second factor off')} className="mt-6 grid max-w-xs gap-5">
          {codeInput}
          <Button type="submit" aria-disabled={disable.isPending}>
            Turn it off
          </Button>
        </form>
      )}
      {!enabled && !enroll.data && (
        <Button
          className="mt-6"
          aria-disabled={enroll.isPending}
          onClick={() => enroll.isPending || enroll.mutate(undefined, { onError: toastError('Not turned on') })}
        >
          Turn it on
        </Button>
      )}
      {!enabled && enroll.data && (
        <div className="mt-6 grid gap-8 sm:grid-cols-[14rem_1fr]">
          <img
            src={`data:image/svg+xml,${encodeURIComponent(enroll.data.qr)}`}
            alt="QR code for your authenticator app"
            width={224}
            height={224}
          />
          <form noValidate onSubmit={submitHandler(confirm, 'Second factor on')} className="grid max-w-sm gap-5">
            <p>
              Scan this with your authenticator app, or type the secret:{' '}
              <code className="break-all">{enroll.data.secret}</code>
            </p>
            {codeInput}
            <Button type="submit" variant="primary" aria-disabled={confirm.isPending}>
              Turn it on
            </Button>
          </form>
        </div>
      )}
    </section>
  )
}
