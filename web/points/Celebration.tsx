import { useQuery } from '@tanstack/react-query'
import { type CSSProperties, useEffect, useRef, useState } from 'react'
import { levelAt } from '../../worker/contract/points'
import { ANONYMOUS_DATA_UPDATED_AT } from '../auth/auth.queries'
import { missions } from './points.queries'

const DURATION_MS = 2800
/** A mission counts as newly completed if points arrived at most this long before the list was refetched. */
const MISSION_WINDOW_MS = 10_000
/** Where each piece of confetti flies to, in rem. */
const CONFETTI = [
  [-8, -1],
  [-6.5, 3.5],
  [-4, 4.75],
  [-1.5, 4],
  [1, 5],
  [3.5, 4.25],
  [5.5, 2.5],
  [6, -1.5],
  [-7, 1.5],
  [-3, 6],
] as const

type Shown = { points: number; titles: string[] }
const NOTHING_SHOWN: Shown = { points: 0, titles: [] }

/**
 * Shows points that arrive, with the level or missions that they completed. It watches the queries, so mutations need
 * not start it. `initialPoints` is the total at the start; the caller sets the user as its key.
 */
export function Celebration({ points, initialPoints }: { points: number; initialPoints: number }) {
  const { data: list, dataUpdatedAt } = useQuery(missions)
  const [shown, setShown] = useState<Shown>(NOTHING_SHOWN)
  const total = useRef(initialPoints)
  const completedIds = useRef<Set<string> | null>(null)
  const gainedAt = useRef(Number.NEGATIVE_INFINITY)

  useEffect(() => {
    const [before, gained] = [total.current, points - total.current]
    total.current = points
    if (gained <= 0) return
    gainedAt.current = Date.now()
    const { level } = levelAt(points)
    const levelUps = level.from > before ? [`${level.name} reached`] : []
    setShown((now) => ({ points: now.points + gained, titles: [...now.titles, ...levelUps] }))
  }, [points])
  useEffect(() => {
    // The server-rendered list is a visitor's, without progress: the supporter's own list is no news.
    if (!list || dataUpdatedAt === ANONYMOUS_DATA_UPDATED_AT) return
    const isPaid = Date.now() - gainedAt.current < MISSION_WINDOW_MS
    const newlyCompleted = list.filter(
      ({ id, completed }) => completed && completedIds.current && !completedIds.current.has(id),
    )
    completedIds.current = new Set(list.filter(({ completed }) => completed).map(({ id }) => id))
    if (isPaid && newlyCompleted.length > 0)
      setShown((now) => ({ ...now, titles: [...now.titles, ...newlyCompleted.map(({ title }) => title)] }))
  }, [list, dataUpdatedAt])
  useEffect(() => {
    if (shown === NOTHING_SHOWN) return
    const timer = setTimeout(() => setShown(NOTHING_SHOWN), DURATION_MS)
    return () => clearTimeout(timer)
  }, [shown])

  return (
    <div role="status" aria-label="Points" className="celebration">
      {shown !== NOTHING_SHOWN && (
        <p className="celebration-note">
          <span aria-hidden="true" className="celebration-confetti">
            {CONFETTI.map(([x, y]) => (
              <i key={x} style={{ '--x': `${x}rem`, '--y': `${y}rem` } as CSSProperties} />
            ))}
          </span>
          {shown.points > 0 && (
            <span className="figures font-display text-xl">+{shown.points.toLocaleString('en-US')} points</span>
          )}
          {shown.titles.map((title) => (
            <span key={title} className="block text-sm font-semibold">
              {title}
            </span>
          ))}
        </p>
      )}
    </div>
  )
}
