import { useMutation } from '@tanstack/react-query'
import { type SupporterPage, supporterPageApi } from '../../worker/contract/supporter-page'
import { call } from '../api/call'
import { Button } from '../ui/Button'
import { toastError } from '../ui/toast'

/** The masked address, until it is revealed; revealing is audited. */
export function SupporterEmail({ supporter: { id, email, username } }: { supporter: SupporterPage }) {
  const reveal = useMutation({ mutationFn: () => call(supporterPageApi.reveal, { id }) })
  if (email === '') return 'None'
  if (reveal.data) return reveal.data.email ?? 'None'
  return (
    <>
      {email}
      <Button
        variant="text"
        className="-my-3"
        aria-label={`Reveal the email of ${username}`}
        aria-disabled={reveal.isPending}
        onClick={() => reveal.isPending || reveal.mutate(undefined, { onError: toastError('Not revealed') })}
      >
        Reveal
      </Button>
    </>
  )
}
