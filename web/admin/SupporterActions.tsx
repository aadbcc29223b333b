import { useState } from 'react'
import { adminUsersApi } from '../../worker/contract/admin'
import { type SupporterDetails, supporterPageApi } from '../../worker/contract/supporter-page'
import { call } from '../api/call'
import { ReasonDialog } from '../layout/ReasonForm'
import { Button } from '../ui/Button'
import { ConfirmDialog } from '../ui/ConfirmDialog'
import { toast, toastError } from '../ui/toast'
import { SUPPORTER_QUERY_KEYS, useAdminMutation } from './admin.queries'

type Props = { supporter: SupporterDetails; onErased: () => void }
type OpenDialog = 'ban' | 'erase' | 'logOut' | null

/** Actions of the team on an account. */
export function SupporterActions({ supporter, onErased }: Props) {
  const { id, username, banned, votesExcluded } = supporter
  const [dialog, setDialog] = useState<OpenDialog>(null)
  const ban = useAdminMutation(
    (reason: string) => call(adminUsersApi.ban, { id, body: { reason } }),
    SUPPORTER_QUERY_KEYS,
  )
  const unban = useAdminMutation(() => call(adminUsersApi.unban, { id }), SUPPORTER_QUERY_KEYS)
  const toggleVotesExcluded = useAdminMutation(
    () => call(votesExcluded ? adminUsersApi.includeVotes : adminUsersApi.excludeVotes, { id }),
    SUPPORTER_QUERY_KEYS,
  )
  const logOut = useAdminMutation(() => call(supporterPageApi.logOut, { id }), SUPPORTER_QUERY_KEYS)
  const erase = useAdminMutation(() => call(adminUsersApi.erase, { id }), [])
  const close = () => setDialog(null)
  return (
    <section aria-label="Actions" className="flex flex-wrap gap-3">
      <Button onClick={() => setDialog('logOut')}>Log out everywhere</Button>
      {banned ? (
        <>
          <Button
            aria-disabled={unban.isPending}
            onClick={() =>
              unban.isPending ||
              unban.mutate(undefined, {
                onSuccess: () => toast({ title: 'Unbanned', text: `${username} can log in again.` }),
                onError: toastError('Not unbanned'),
              })
            }
          >
            Unban
          </Button>
          <Button
            aria-disabled={toggleVotesExcluded.isPending}
            onClick={() =>
              toggleVotesExcluded.isPending ||
              toggleVotesExcluded.mutate(undefined, {
                onSuccess: () =>
                  toast({
                    title: votesExcluded ? 'Votes counted again' : 'Votes excluded',
                    text: 'This applies to open polls.',
                  }),
                onError: toastError('Votes not changed'),
              })
            }
          >
            {votesExcluded ? 'Count votes' : 'Exclude votes'}
          </Button>
        </>
      ) : (
        <Button onClick={() => setDialog('ban')}>Ban</Button>
      )}
      <Button variant="text" className="text-sunset" onClick={() => setDialog('erase')}>
        Erase account
      </Button>
      {dialog === 'logOut' && (
        <ConfirmDialog
          title={`Log ${username} out everywhere?`}
          confirmLabel="Log out"
          pending={logOut.isPending}
          onClose={close}
          onConfirm={() =>
            logOut.mutate(undefined, {
              onSuccess: () => toast({ title: 'Logged out', text: `All sessions of ${username} have ended.` }),
              onError: toastError('Not logged out'),
              onSettled: close,
            })
          }
        >
          <p>They have to log in again on every device. Nothing else changes.</p>
        </ConfirmDialog>
      )}
      {dialog === 'ban' && (
        <ReasonDialog
          title={`Ban ${username}?`}
          confirmLabel="Ban"
          hint="Saved in the audit log."
          onSubmit={(reason) =>
            ban
              .mutateAsync(reason)
              .then(() => toast({ title: 'Banned', text: `${username} will be logged out everywhere.` }))
          }
          onClose={close}
        >
          <p>
            They are logged out everywhere at once, and nothing of theirs shows on the site. Points stay, and so do
            votes; in open polls you can exclude them afterwards.
          </p>
        </ReasonDialog>
      )}
      {dialog === 'erase' && (
        <ConfirmDialog
          title={`Erase ${username}’s account?`}
          confirmLabel="Erase account"
          pending={erase.isPending}
          onClose={close}
          onConfirm={() =>
            erase.mutate(undefined, {
              onSuccess: () => {
                toast({ title: 'Account erased', text: 'The account and its personal data are gone.' })
                onErased()
              },
              onError: (error) => {
                close()
                toastError('Not erased')(error)
              },
            })
          }
        >
          <p>
            Only do this when they ask for it: it can’t be undone. Their name, email and posts are deleted; their votes
            and orders still count, without their name.
          </p>
        </ConfirmDialog>
      )}
    </section>
  )
}
