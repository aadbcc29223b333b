import { ConfirmDialog } from '../ui/ConfirmDialog'

type Props = { name: string; pending: boolean; onConfirm: () => void; onClose: () => void }

/** Confirms the removal of a finalist who is already public. */
export function RemoveFinalistDialog({ name, pending, onConfirm, onClose }: Props) {
  return (
    <ConfirmDialog
      title={`Remove ${name} from the finalists?`}
      confirmLabel="Remove"
      pending={pending}
      onConfirm={onConfirm}
      onClose={onClose}
    >
      <p>
        {name} is public as a finalist, and our email with the news has been sent or will be within minutes. We send
        none about the removal: please write to them yourself.
      </p>
    </ConfirmDialog>
  )
}
