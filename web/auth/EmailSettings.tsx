import { type FormEvent, useState } from 'react'
import type { Account } from '../../worker/contract/auth'
import { emailError } from '../../worker/contract/credential-rules'
import { errorMessage } from '../api/call'
import { Button } from '../ui/Button'
import { toast, toastError } from '../ui/toast'
import { EmailField } from './AccountFields'
import { useChangeEmail } from './account.queries'
import { ResendLinkButton } from './ConfirmEmailNotice'
import { SettingsSection } from './SettingsSection'

/** The account's email address and whether it is confirmed. A new address takes effect once it is confirmed. */
export function EmailSettings({ account: { email, emailVerified, pendingEmail } }: { account: Account }) {
  const change = useChangeEmail()
  const [isOpen, setIsOpen] = useState(false)
  const [error, setError] = useState<string>()

  function submit(event: FormEvent<HTMLFormElement>) {
    event.preventDefault()
    if (change.isPending) return
    const newEmail = String(new FormData(event.currentTarget).get('email')).trim()
    const invalidReason = emailError(newEmail)
    setError(invalidReason ?? undefined)
    if (invalidReason) return
    change.mutate(newEmail, {
      onSuccess: () => {
        setIsOpen(false)
        toast({ title: 'Email sent', text: `Open the link we emailed to ${newEmail} to confirm the change.` })
      },
      onError: (error) => {
        setError(errorMessage(error))
        toastError('Email not changed')(error)
      },
    })
  }

  return (
    <SettingsSection title="Email">
      <p className="text-lg break-words">{email}</p>
      {emailVerified ? (
        <p className="mt-1 text-bay">Confirmed</p>
      ) : (
        <p className="mt-1 text-muted">Not confirmed yet. Open the link we emailed you.</p>
      )}
      {pendingEmail && (
        <p className="mt-4 max-w-prose wrap-anywhere text-muted">
          Open the link we emailed to <strong className="text-ivory">{pendingEmail}</strong> to switch to it. Until
          then, we keep using the address above.
        </p>
      )}
      {isOpen ? (
        <form noValidate method="post" onSubmit={submit} className="mt-6 grid max-w-xl gap-5">
          <EmailField label="New email" error={error} autoFocus />
          <div className="flex flex-wrap gap-3">
            <Button type="submit" aria-disabled={change.isPending}>
              {change.isPending ? 'Sending' : 'Email me a link'}
            </Button>
            <Button onClick={() => setIsOpen(false)}>Cancel</Button>
          </div>
        </form>
      ) : (
        <div className="mt-5 flex flex-wrap gap-3">
          {!emailVerified && <ResendLinkButton email={email} />}
          <Button onClick={() => setIsOpen(true)}>Change email</Button>
        </div>
      )}
    </SettingsSection>
  )
}
