import { useNavigate } from '@tanstack/react-router'
import { accountApi } from '../../worker/contract/auth'
import { requireAccess } from '../api/call'
import { requestReauthentication } from '../api/reauthentication'
import { Button } from '../ui/Button'
import { toast, toastError } from '../ui/toast'
import { useDeleteAccount } from './account.queries'
import { SettingsSection } from './SettingsSection'

/** Download of personal data and deletion of the account; both need re-authentication. */
export function DataSettings() {
  const erase = useDeleteAccount()
  const navigate = useNavigate()

  // The response is an attachment, so the browser does not leave the page.
  const download = (format: 'json' | 'html') =>
    requireAccess(accountApi.export, {}).then(
      () => window.location.assign(`${accountApi.export.path}?format=${format}`),
      toastError('Download failed'),
    )
  async function deleteAccount() {
    const irreversibleAction = {
      title: 'Delete your account?',
      text: 'We delete everything with your name on it right away. We can’t bring it back.',
      button: 'Delete for good',
    }
    if (erase.isPending || !(await requestReauthentication({ kind: 'supporter', irreversibleAction }))) return
    erase.mutate(undefined, {
      onSuccess: () => {
        toast({ title: 'Account deleted', text: 'Nothing here identifies you anymore.' })
        void navigate({ to: '/' })
      },
      onError: toastError('Account not deleted'),
    })
  }

  return (
    <>
      <SettingsSection title="Your data">
        <p className="max-w-prose text-muted">
          Everything we store about you in one file: a page to read, or JSON for other software.
        </p>
        <div className="mt-5 flex flex-wrap gap-3">
          <Button onClick={() => void download('html')}>Download my data</Button>
          <Button onClick={() => void download('json')}>Download as JSON</Button>
        </div>
      </SettingsSection>
      <SettingsSection title="Delete account">
        <p className="max-w-prose text-muted">
          Deletes your name, email, phone number, logins and everything you wrote or uploaded, for good. Your votes
          still count and your orders stay on record, without your name.
        </p>
        <Button
          className="mt-5 border-sunset! text-sunset"
          aria-disabled={erase.isPending}
          onClick={() => void deleteAccount()}
        >
          Delete my account
        </Button>
      </SettingsSection>
    </>
  )
}
