import { type KeyboardEvent, type PointerEvent, useRef, useState } from 'react'

/**
 * Orders the rows of a list by dragging a handle, or by the arrow, Home and End keys on it. `list` is the ref of the
 * list whose children are the rows.
 */
export function useDragOrder(count: number, onMove: (from: number, to: number) => void) {
  const list = useRef<HTMLOListElement>(null)
  const [drag, setDrag] = useState<{ from: number; to: number } | null>(null)

  function move(from: number, to: number) {
    if (from >= 0 && to >= 0 && from < count && to < count && from !== to) onMove(from, to)
  }
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

  const dropLine = (index: number) => {
    if (!drag || drag.to !== index || drag.from === index) return 'border-transparent'
    return drag.to < drag.from ? 'border-t-gold border-b-transparent' : 'border-b-gold border-t-transparent'
  }
  /** Class of a row: marks the drop position with its border, which is two pixels above and below. */
  const rowClass = (index: number) => `${dropLine(index)} ${drag?.from === index ? 'opacity-50' : ''}`

  return { list, move, handleProps, rowClass }
}
