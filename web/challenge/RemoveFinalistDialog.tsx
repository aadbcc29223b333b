import { ConfirmDialog } from '../ui/ConfirmDialog'

type Props = { name: string; pending: boolean; onConfirm: () => void; onClose: () => void }

/** Asks before somebody is taken off the finalists whom the public knows already. */
export function RemoveFinalistDialog({ name, pending, onConfirm, onClose }: Props) {
  return (
    <ConfirmDialog
      title={`Take ${name} off the finalists?`}
      confirm="Take off"
      pending={pending}
      onConfirm={onConfirm}
      onClose={onClose}
    >
      <p>
        {name} is public as a finalist, and the mail that says so has gone out or does within minutes. No mail takes it
        back: please write to them yourself.
      </p>
    </ConfirmDialog>
  )
}
