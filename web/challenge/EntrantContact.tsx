import { Eye } from 'lucide-react'
import { Button } from '../ui/Button'
import { toastError } from '../ui/toast'
import { useRevealSubmission } from './challenge-admin.queries'

type Props = {
  submissionId: string
  /** Names the verse in the button's accessible label. */
  label: string
}

/** Reveals the contact data of a verse's entrant; each reveal is audited. */
export function EntrantContact({ submissionId, label }: Props) {
  const { data: entrant, mutate, isPending } = useRevealSubmission()
  if (!entrant)
    return (
      <Button
        variant="text"
        className="-ml-3"
        aria-label={isPending ? undefined : `Reveal the contact data of ${label}`}
        aria-disabled={isPending}
        onClick={() => !isPending && mutate(submissionId, { onError: toastError('Not revealed') })}
      >
        <Eye size={18} aria-hidden />
        {isPending ? 'One moment' : 'Reveal the contact data'}
      </Button>
    )
  // Erasing an entrant's data clears the phone number.
  if (entrant.phoneNumber === '') return <p className="text-muted">The contact data was erased.</p>
  return (
    <ul className="flex flex-wrap items-center gap-x-6">
      <li className="wrap-anywhere">{entrant.name}</li>
      <li>
        <a href={`mailto:${entrant.email}`} className={LINK_CLASS}>
          {entrant.email}
        </a>
      </li>
      <li>
        <a href={`tel:${entrant.phoneNumber}`} className={`${LINK_CLASS} tabular-figures`}>
          {entrant.phoneNumber}
        </a>
      </li>
    </ul>
  )
}

const LINK_CLASS =
  'inline-flex min-h-11 items-center text-gold underline underline-offset-4 wrap-anywhere hover:text-gold-bright'
