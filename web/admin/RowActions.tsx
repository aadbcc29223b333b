import { Link, type LinkProps } from '@tanstack/react-router'
import { Pencil, Trash2 } from 'lucide-react'
import { Button, buttonClass } from '../ui/Button'

type Props = {
  /** Part of the accessible labels. */
  name: string
  /** The page that edits the row; without it, `onEdit` does. */
  page?: Pick<LinkProps, 'to' | 'params' | 'search'>
  onEdit?: () => void
  onDelete?: () => void
}

/** Edit and delete buttons of a row. */
export function RowActions({ name, page, onEdit, onDelete }: Props) {
  return (
    <>
      {page && (
        <Link {...page} aria-label={`Edit ${name}`} className={buttonClass('text')}>
          <Pencil size={18} aria-hidden />
          Edit
        </Link>
      )}
      {onEdit && (
        <Button variant="text" aria-label={`Edit ${name}`} onClick={onEdit}>
          <Pencil size={18} aria-hidden />
          Edit
        </Button>
      )}
      {onDelete && (
        <Button variant="text" aria-label={`Delete ${name}`} onClick={onDelete}>
          <Trash2 size={18} aria-hidden />
          Delete
        </Button>
      )}
    </>
  )
}
