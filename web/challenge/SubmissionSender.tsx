import { Eye } from 'lucide-react'
import { Button } from '../ui/Button'
import { toastError } from '../ui/toast'
import { useRevealSubmission } from './challenge-admin.queries'

type Props = {
  submissionId: string
  /** Name of the entrant, for the button's accessible label. */
  name: string
}

/** Reveals the contact data of a verse's entrant; each reveal is audited. */
export function SubmissionSender({ submissionId, name }: Props) {
  const { data: sender, mutate, isPending } = useRevealSubmission()
  if (!sender)
    return (
      <Button
        variant="text"
        className="-ml-3"
        aria-label={isPending ? undefined : `Reveal the sender of ${name}`}
        aria-disabled={isPending}
        onClick={() => !isPending && mutate(submissionId, { onError: toastError('Not revealed') })}
      >
        <Eye size={18} aria-hidden />
        {isPending ? 'One moment' : 'Reveal the sender'}
      </Button>
    )
  // Erasing an entrant's data clears the phone number.
  if (sender.phoneNumber === '') return <p className="text-muted">The sender’s details were erased.</p>
  return (
    <ul className="flex flex-wrap items-center gap-x-6">
      <li className="wrap-anywhere">{sender.name}</li>
      <li>
        <a href={`mailto:${sender.email}`} className={LINK}>
          {sender.email}
        </a>
      </li>
      <li>
        <a href={`tel:${sender.phoneNumber}`} className={`${LINK} tabular-figures`}>
          {sender.phoneNumber}
        </a>
      </li>
    </ul>
  )
}

const LINK =
  'inline-flex min-h-11 items-center text-gold underline underline-offset-4 wrap-anywhere hover:text-gold-bright'
