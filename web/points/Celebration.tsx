import { useQuery } from '@tanstack/react-query'
import { useEffect, useRef, useState } from 'react'
import { levelAt } from '../../worker/contract/points'
import { ANONYMOUS_DATA_UPDATED_AT } from '../auth/auth.queries'
import { missions } from './points.queries'

const DURATION_MS = 2800
/** A mission is done by an act that pays: its list is read again within so long of the points. */
const MISSION_WINDOW_MS = 10_000
const CONFETTI_KEYS = ['a', 'b', 'c', 'd', 'e', 'f', 'g', 'h', 'i', 'j']

type Shown = { points: number; titles: string[] }
const NOTHING_SHOWN: Shown = { points: 0, titles: [] }

/**
 * Points that arrive are held up for a moment beneath the bar that counts them, with the level or mission that they
 * came to. It watches the total and the missions themselves, so that no act has to remember to celebrate; `before` is the
 * total that was known before it watched. Give it the account as its key: somebody else's total is nothing that arrived.
 */
export function Celebration({ points, before: known }: { points: number; before: number }) {
  const { data: list, dataUpdatedAt } = useQuery(missions)
  const [shown, setShown] = useState<Shown>(NOTHING_SHOWN)
  const total = useRef(known)
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
    // A list that was drawn for anybody, or read before a log-in, has nothing done: to have one's own is no arrival.
    if (!list || dataUpdatedAt === ANONYMOUS_DATA_UPDATED_AT) return
    const paid = Date.now() - gainedAt.current < MISSION_WINDOW_MS
    const newlyCompleted = list.filter(
      ({ id, completed }) => completed && completedIds.current && !completedIds.current.has(id),
    )
    completedIds.current = new Set(list.filter(({ completed }) => completed).map(({ id }) => id))
    if (paid && newlyCompleted.length > 0)
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
          <span aria-hidden="true" className="celebration-flecks">
            {CONFETTI_KEYS.map((fleck) => (
              <i key={fleck} />
            ))}
          </span>
          {shown.points > 0 && (
            <span className="figures font-display text-xl">+{shown.points.toLocaleString('en-US')} points</span>
          )}
          {shown.titles.map((words) => (
            <span key={words} className="block text-sm font-semibold">
              {words}
            </span>
          ))}
        </p>
      )}
    </div>
  )
}
