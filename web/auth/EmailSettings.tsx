import { type FormEvent, useState } from 'react'
import type { Account } from '../../worker/contract/auth'
import { emailError } from '../../worker/contract/credential-rules'
import { errorMessage } from '../api/call'
import { Button } from '../ui/Button'
import { toast, toastError } from '../ui/toast'
import { EmailField } from './AccountFields'
import { useChangeEmail, useResendVerification } from './account.queries'
import { SettingsSection } from './SettingsSection'

/** The account's address, its confirmation, and a change that takes effect once the new address is confirmed. */
export function EmailSettings({ account: { email, emailVerified, pendingEmail } }: { account: Account }) {
  const resend = useResendVerification()
  const change = useChangeEmail()
  const [isOpen, setOpen] = useState(false)
  const [error, setError] = useState<string>()

  function submit(event: FormEvent<HTMLFormElement>) {
    event.preventDefault()
    if (change.isPending) return
    const newEmail = String(new FormData(event.currentTarget).get('email')).trim()
    const invalid = emailError(newEmail)
    setError(invalid ?? undefined)
    if (invalid) return
    change.mutate(newEmail, {
      onSuccess: () => {
        setOpen(false)
        toast({ title: 'Mail sent', text: `Open the link in the mail to ${newEmail} to confirm the change.` })
      },
      onError: (error) => {
        setError(errorMessage(error))
        toastError('Address not changed')(error)
      },
    })
  }

  return (
    <SettingsSection title="Address">
      <p className="text-lg break-words">{email}</p>
      {emailVerified ? (
        <p className="mt-1 text-bay">Confirmed</p>
      ) : (
        <p className="mt-1 text-muted">Not confirmed yet. We mailed you a link.</p>
      )}
      {pendingEmail && (
        <p className="mt-4 max-w-prose wrap-anywhere text-muted">
          Waiting for you to open the link in the mail to <strong className="text-ivory">{pendingEmail}</strong>. Until
          then this address stays.
        </p>
      )}
      {isOpen ? (
        <form noValidate method="post" onSubmit={submit} className="mt-6 grid max-w-xl gap-5">
          <EmailField label="New email" error={error} autoFocus />
          <div className="flex flex-wrap gap-3">
            <Button type="submit" aria-disabled={change.isPending}>
              {change.isPending ? 'Sending' : 'Mail me a link'}
            </Button>
            <Button onClick={() => setOpen(false)}>Cancel</Button>
          </div>
        </form>
      ) : (
        <div className="mt-5 flex flex-wrap gap-3">
          {!emailVerified && (
            <Button aria-disabled={resend.isPending} onClick={() => resend.isPending || resend.mutate(email)}>
              Send the link again
            </Button>
          )}
          <Button onClick={() => setOpen(true)}>Change the address</Button>
        </div>
      )}
    </SettingsSection>
  )
}
