import { ConfirmDialog } from '../ui/ConfirmDialog'

type Props = { name: string; hasVerse: boolean; pending: boolean; onConfirm: () => void; onClose: () => void }

/** Confirms the removal of a finalist who is already public. A finalist without a verse gets no emails. */
export function RemoveFinalistDialog({ name, hasVerse, pending, onConfirm, onClose }: Props) {
  return (
    <ConfirmDialog
      title={`Remove ${name} from the finalists?`}
      confirmLabel="Remove"
      pending={pending}
      onConfirm={onConfirm}
      onClose={onClose}
    >
      <p>
        {name} is public as a finalist
        {hasVerse && ', and our email with the news has been sent or will be within minutes'}. We send no email about
        the removal: please write to them yourself.
      </p>
    </ConfirmDialog>
  )
}
