import { type FormEvent, useState } from 'react'
import type { Account } from '../../worker/contract/auth'
import { usernameError } from '../../worker/contract/credential-rules'
import { errorMessage } from '../api/call'
import { Button } from '../ui/Button'
import { TextField } from '../ui/Field'
import { toast } from '../ui/toast'
import { useChangeSettings, useResendVerification } from './account.queries'
import { PhoneSettings } from './PhoneSettings'
import { SettingsSection } from './SettingsSection'

/** The name, the address and whether it is confirmed, and the place on the leaderboard. */
export function ProfileSettings({ account }: { account: Account }) {
  const change = useChangeSettings()
  const resend = useResendVerification()
  const [problem, setProblem] = useState<string>()

  function rename(event: FormEvent<HTMLFormElement>) {
    event.preventDefault()
    const username = String(new FormData(event.currentTarget).get('username')).trim()
    if (change.isPending || username === account.username) return
    const found = usernameError(username)
    setProblem(found ?? undefined)
    if (found) return
    change.mutate(
      { username },
      {
        onSuccess: () => toast({ title: 'Name changed', text: `You are ${username} now.` }),
        onError: (error) => {
          setProblem(errorMessage(error))
          toast({ title: 'Name not changed', text: error.message, tone: 'destructive' })
        },
      },
    )
  }

  return (
    <>
      <SettingsSection title="Name">
        <form noValidate method="post" onSubmit={rename} className="grid max-w-xl gap-5">
          <TextField
            label="Username"
            name="username"
            autoComplete="username"
            autoCapitalize="none"
            spellCheck={false}
            maxLength={30}
            required
            defaultValue={account.username}
            error={problem}
          />
          <Button type="submit" aria-disabled={change.isPending} className="justify-self-start">
            Save the name
          </Button>
        </form>
      </SettingsSection>
      <SettingsSection title="Address">
        <p className="text-lg break-words">{account.email}</p>
        {account.emailVerified ? (
          <p className="mt-1 text-bay">Confirmed</p>
        ) : (
          <>
            <p className="mt-1 text-muted">Not confirmed yet. We mailed you a link.</p>
            <Button className="mt-5" aria-disabled={resend.isPending} onClick={() => resend.mutate(account.email)}>
              Send the link again
            </Button>
          </>
        )}
      </SettingsSection>
      <PhoneSettings account={account} />
      <SettingsSection title="Leaderboard">
        <label className="flex min-h-12 max-w-xl cursor-pointer items-start gap-4">
          <input
            type="checkbox"
            className="mt-1 size-5 shrink-0 accent-(--color-gold)"
            checked={!account.leaderboardOptOut}
            disabled={change.isPending}
            onChange={(event) =>
              change.mutate(
                { leaderboardOptOut: !event.target.checked },
                { onError: ({ message }) => toast({ title: 'Not changed', text: message, tone: 'destructive' }) },
              )
            }
          />
          <span>
            Show me on the leaderboard
            <span className="block text-sm text-muted">Your name and your points, nothing else.</span>
          </span>
        </label>
      </SettingsSection>
    </>
  )
}
