import { Pencil, Trash2 } from 'lucide-react'
import { Button } from '../ui/Button'

/** What can be done with a row: each button says whose it is. */
export function RowActions({ name, onEdit, onDelete }: { name: string; onEdit: () => void; onDelete: () => void }) {
  return (
    <>
      <Button variant="quiet" aria-label={`Edit ${name}`} onClick={onEdit}>
        <Pencil size={18} aria-hidden />
        Edit
      </Button>
      <Button variant="quiet" aria-label={`Delete ${name}`} onClick={onDelete}>
        <Trash2 size={18} aria-hidden />
        Delete
      </Button>
    </>
  )
}
