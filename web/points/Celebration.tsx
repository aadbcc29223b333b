import { useQuery } from '@tanstack/react-query'
import { type CSSProperties, useEffect, useRef, useState } from 'react'
import { levelAt } from '../../worker/contract/points'
import { VISITOR_DATA_UPDATED_AT } from '../auth/auth.queries'
import { formatCount } from '../lib/format'
import { allMissions } from './points.queries'

/** As long as the animation `celebration-in` in hub.css. */
const DISPLAY_DURATION_MS = 2800
/** Maximum time between new points and the refetch of the missions that they completed. */
const MISSION_WINDOW_MS = 10_000
/** Offset of each piece of confetti, as [x, y] in rem. */
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

type CelebrationContent = { points: number; titles: string[] }
const NO_CONTENT: CelebrationContent = { points: 0, titles: [] }

/**
 * Shows newly earned points, with a level or missions reached, whenever `points` or the missions change.
 * `initialPoints` is the total when the page opened. A component above has the user's id as its `key`, so that another
 * user starts anew.
 */
export function Celebration({ points, initialPoints }: { points: number; initialPoints: number }) {
  const { data: list, dataUpdatedAt } = useQuery(allMissions)
  const [content, setContent] = useState<CelebrationContent>(NO_CONTENT)
  const total = useRef(initialPoints)
  const completedIds = useRef<Set<string> | null>(null)
  const gainedAt = useRef(Number.NEGATIVE_INFINITY)

  useEffect(() => {
    const previousTotal = total.current
    const gained = points - previousTotal
    total.current = points
    if (gained <= 0) return
    gainedAt.current = Date.now()
    const { level } = levelAt(points)
    const levelUps = level.from > previousTotal ? [`${level.name} reached`] : []
    setContent((previous) => ({ points: previous.points + gained, titles: [...previous.titles, ...levelUps] }))
  }, [points])
  useEffect(() => {
    // The server-rendered list has no progress, so it is not compared.
    if (!list || dataUpdatedAt === VISITOR_DATA_UPDATED_AT) return
    const hasRecentPoints = Date.now() - gainedAt.current < MISSION_WINDOW_MS
    const newlyCompleted = list.filter(
      ({ id, completed }) => completed && completedIds.current && !completedIds.current.has(id),
    )
    completedIds.current = new Set(list.filter(({ completed }) => completed).map(({ id }) => id))
    if (hasRecentPoints && newlyCompleted.length > 0)
      setContent((previous) => ({
        ...previous,
        titles: [...previous.titles, ...newlyCompleted.map(({ title }) => title)],
      }))
  }, [list, dataUpdatedAt])
  useEffect(() => {
    if (content === NO_CONTENT) return
    const timer = setTimeout(() => setContent(NO_CONTENT), DISPLAY_DURATION_MS)
    return () => clearTimeout(timer)
  }, [content])

  return (
    <div role="status" aria-label="Points" className="celebration">
      {content !== NO_CONTENT && (
        <p className="celebration-note">
          <span aria-hidden="true" className="celebration-confetti">
            {CONFETTI.map(([x, y]) => (
              <i key={x} style={{ '--x': `${x}rem`, '--y': `${y}rem` } as CSSProperties} />
            ))}
          </span>
          {content.points > 0 && (
            <span className="tabular-figures font-display text-xl">+{formatCount(content.points)} points</span>
          )}
          {content.titles.map((title) => (
            <span key={title} className="block text-sm font-semibold">
              {title}
            </span>
          ))}
        </p>
      )}
    </div>
  )
}
