import { ArrowDown, ArrowUp, GripVertical } from 'lucide-react'
import type { ComponentProps } from 'react'
import { Button } from '../ui/Button'

type HandleProps = Omit<ComponentProps<'button'>, 'aria-label'> & {
  /** Of the row. */
  name: string
  /** Id of the text that explains dragging and the arrow keys. */
  hintId: string
}

/** The handle that `useDragOrder` drags a row by. */
export const DragHandle = ({ name, hintId, ...handlers }: HandleProps) => (
  <button
    type="button"
    aria-label={`Move ${name}`}
    aria-describedby={hintId}
    className="grid size-11 shrink-0 cursor-grab touch-none place-items-center text-muted hover:text-gold-bright"
    {...handlers}
  >
    <GripVertical size={20} aria-hidden />
  </button>
)

type MoveButtonsProps = {
  name: string
  index: number
  /** Of all rows. */
  count: number
  move: (from: number, to: number) => void
}

/** Moves a row up or down by one. */
export const MoveButtons = ({ name, index, count, move }: MoveButtonsProps) => (
  <>
    <Button variant="text" disabled={index === 0} aria-label={`Move ${name} up`} onClick={() => move(index, index - 1)}>
      <ArrowUp size={18} aria-hidden />
    </Button>
    <Button
      variant="text"
      disabled={index === count - 1}
      aria-label={`Move ${name} down`}
      onClick={() => move(index, index + 1)}
    >
      <ArrowDown size={18} aria-hidden />
    </Button>
  </>
)
