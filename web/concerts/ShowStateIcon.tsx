import type { ReactNode } from 'react'
import type { ShowState } from './show-format'

export const SHOW_STATE_LABELS: Record<ShowState, string> = {
  available: 'Available',
  soldOut: 'Sold Out',
  vip: 'VIP Available',
}

// Each state has a shape, not only a color: disc, cross, star.
const ICON_SHAPES: Record<ShowState, ReactNode> = {
  available: (
    <>
      <circle cx="8" cy="8" r="7" fill="currentColor" />
      <circle cx="8" cy="8" r="2" className="fill-sleeve" />
    </>
  ),
  soldOut: <path d="M2.5 2.5l11 11m0-11l-11 11" stroke="currentColor" strokeWidth="3" fill="none" />,
  vip: <path d="M8 .5l2.2 5 5.4.5-4.1 3.6 1.2 5.3L8 12.1l-4.7 2.8 1.2-5.3L.4 6l5.4-.5z" fill="currentColor" />,
}

export function ShowStateIcon({ state, size = 16 }: { state: ShowState; size?: number }) {
  return (
    <svg viewBox="0 0 16 16" width={size} height={size} aria-hidden="true" focusable="false" className="shrink-0">
      {ICON_SHAPES[state]}
    </svg>
  )
}
