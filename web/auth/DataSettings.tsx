import { useNavigate } from '@tanstack/react-router'
import { useState } from 'react'
import { type Account, accountApi } from '../../worker/contract/auth'
import { Button } from '../ui/Button'
import { toast } from '../ui/toast'
import { type ReauthenticationInput, useDeleteAccount, useReauthenticate } from './account.queries'
import { ReauthenticationForm } from './ReauthenticationForm'
import { SettingsSection } from './SettingsSection'

type Format = 'json' | 'html'
/** Difference between the worker's clock and the browser's up to which a download link does not fail. */
const CLOCK_SKEW_MS = 60_000

/** Download of personal data and deletion of the account; both need re-authentication. */
export function DataSettings({ account }: { account: Account }) {
  const [open, setOpen] = useState<Format | 'erase' | null>(null)
  const reauthenticate = useReauthenticate()
  const erase = useDeleteAccount()
  const navigate = useNavigate()

  // The response is an attachment, so the page stays.
  const openDownload = (format: Format) => window.location.assign(`${accountApi.export.path}?format=${format}`)
  const closeAndDownload = (format: Format) => {
    setOpen(null)
    openDownload(format)
  }
  const download = (format: Format) => async (input: ReauthenticationInput) => {
    await reauthenticate.mutateAsync(input)
    closeAndDownload(format)
  }
  const requestDownload = (format: Format) =>
    Date.now() < Date.parse(account.provenUntil) - CLOCK_SKEW_MS ? openDownload(format) : setOpen(format)
  async function deleteAccount(input: ReauthenticationInput) {
    await reauthenticate.mutateAsync(input)
    await erase.mutateAsync()
    toast({ title: 'Account deleted', text: 'Nothing that names you is left here.' })
    await navigate({ to: '/' })
  }
  const renderForm = (
    action: string,
    onSubmit: (input: ReauthenticationInput) => Promise<void>,
    { isFinal = false, onPasskey }: { isFinal?: boolean; onPasskey?: () => Promise<void> } = {},
  ) => (
    <ReauthenticationForm
      isFinal={isFinal}
      account={account}
      action={action}
      onSubmit={onSubmit}
      onPasskey={onPasskey}
      onCancel={() => setOpen(null)}
    />
  )

  return (
    <>
      <SettingsSection title="Your data">
        <p className="max-w-prose text-muted">
          Everything that is kept about you, as one file: a page to read, or JSON for another program.
        </p>
        {open === 'json' || open === 'html' ? (
          renderForm('Download', download(open), { onPasskey: async () => closeAndDownload(open) })
        ) : (
          <div className="mt-5 flex flex-wrap gap-3">
            <Button onClick={() => requestDownload('html')}>Download my data</Button>
            <Button onClick={() => requestDownload('json')}>Download as JSON</Button>
          </div>
        )}
      </SettingsSection>
      <SettingsSection title="The end">
        <p className="max-w-prose text-muted">
          Deletes your name, address, phone, log-ins and what you wrote and sent, for good. Votes that you cast stay
          counted and orders stay in the books, without you.
        </p>
        {open === 'erase' ? (
          renderForm('Delete for good', deleteAccount, { isFinal: true })
        ) : (
          <Button className="mt-5 border-sunset! text-sunset" onClick={() => setOpen('erase')}>
            Delete my account
          </Button>
        )}
      </SettingsSection>
    </>
  )
}
