import { ArrowDown, ArrowUp, GripVertical } from 'lucide-react'
import { type ComponentProps, type KeyboardEvent, type PointerEvent, useRef, useState } from 'react'
import { Button } from '../ui/Button'

/**
 * Orders the rows of a list by dragging a handle, or by the arrow, Home and End keys on it; `onMove` gets the indexes.
 * Returns `list`, the ref of the element whose children are the rows, and `announcement`, the text of a live region.
 */
export function useDragOrder(names: readonly string[], onMove: (from: number, to: number) => void) {
  const count = names.length
  const list = useRef<HTMLOListElement>(null)
  const [announcement, setAnnouncement] = useState('')
  const [drag, setDrag] = useState<{ from: number; to: number } | null>(null)

  const isRow = (index: number) => index >= 0 && index < count

  function move(from: number, to: number) {
    if (from === to || !isRow(from) || !isRow(to)) return
    onMove(from, to)
    setAnnouncement(`${names[from]} is now ${to + 1} of ${count}.`)
  }
  /** Index at which a dragged row would land: the number of other rows whose middle is above the pointer. */
  const dropIndex = (from: number, y: number) =>
    [...(list.current?.children ?? [])].filter((row, index) => {
      const { top, height } = row.getBoundingClientRect()
      return index !== from && top + height / 2 < y
    }).length

  const handleProps = (index: number) => ({
    onKeyDown: (event: KeyboardEvent) => {
      const to = { ArrowUp: index - 1, ArrowDown: index + 1, Home: 0, End: count - 1 }[event.key]
      if (event.key === 'Escape' && drag) {
        event.stopPropagation()
        setDrag(null)
      }
      if (to === undefined) return
      event.preventDefault()
      move(index, to)
    },
    onPointerDown: (event: PointerEvent<HTMLElement>) => {
      if (event.button !== 0) return
      event.currentTarget.setPointerCapture(event.pointerId)
      setDrag({ from: index, to: index })
    },
    onPointerMove: (event: PointerEvent) => {
      if (drag) setDrag({ ...drag, to: dropIndex(drag.from, event.clientY) })
    },
    onPointerUp: () => {
      if (drag) move(drag.from, drag.to)
      setDrag(null)
    },
    onPointerCancel: () => setDrag(null),
  })

  const dropLineClass = (index: number) => {
    if (!drag || drag.to !== index || drag.from === index) return 'border-transparent'
    return drag.to < drag.from ? 'border-t-gold border-b-transparent' : 'border-b-gold border-t-transparent'
  }
  /** Class of a row, which must have a `border-y-2`: the border marks the drop position. */
  const rowClass = (index: number) => `${dropLineClass(index)} ${drag?.from === index ? 'opacity-50' : ''}`

  return { list, move, handleProps, rowClass, announcement, setAnnouncement }
}

type HandleProps = Omit<ComponentProps<'button'>, 'aria-label'> & {
  /** Name of the row. */
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
  /** Number of rows. */
  count: number
  move: (from: number, to: number) => void
}

/** Buttons that move a row up or down by one. */
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
