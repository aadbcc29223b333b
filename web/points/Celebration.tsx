import { useQuery } from '@tanstack/react-query'
import { useEffect, useRef, useState } from 'react'
import { levelAt } from '../../worker/contract/point-rules'
import { ANYBODYS } from '../auth/useOwnParts'
import { missions } from './points.queries'

const MILLIS = 2800
/** A mission is done by an act that pays: its list is read again within so long of the points. */
const TOGETHER_MILLIS = 10_000
const FLECKS = ['a', 'b', 'c', 'd', 'e', 'f', 'g', 'h', 'i', 'j']

type Shown = { points: number; words: string[] }
const nothing: Shown = { points: 0, words: [] }

/**
 * Points that arrive are held up for a moment beneath the bar that counts them, with the level or mission that they
 * came to. It watches the total and the missions themselves, so that no act has to remember to celebrate; `before` is the
 * total that was known before it watched. Give it the account as its key: somebody else's total is nothing that arrived.
 */
export function Celebration({ points, before: known }: { points: number; before: number }) {
  const { data: list, dataUpdatedAt } = useQuery(missions)
  const [shown, setShown] = useState<Shown>(nothing)
  const total = useRef(known)
  const done = useRef<Set<string> | null>(null)
  const gainedAt = useRef(Number.NEGATIVE_INFINITY)

  useEffect(() => {
    const [before, gained] = [total.current, points - total.current]
    total.current = points
    if (gained <= 0) return
    gainedAt.current = Date.now()
    const { level } = levelAt(points)
    const risen = level.from > before ? [`${level.name} reached`] : []
    setShown((now) => ({ points: now.points + gained, words: [...now.words, ...risen] }))
  }, [points])
  useEffect(() => {
    // A list that was drawn for anybody, or read before a log-in, has nothing done: to have one's own is no arrival.
    if (!list || dataUpdatedAt === ANYBODYS) return
    const paid = Date.now() - gainedAt.current < TOGETHER_MILLIS
    const fresh = list.filter(({ id, completed }) => completed && done.current && !done.current.has(id))
    done.current = new Set(list.filter(({ completed }) => completed).map(({ id }) => id))
    if (paid && fresh.length > 0)
      setShown((now) => ({ ...now, words: [...now.words, ...fresh.map(({ title }) => title)] }))
  }, [list, dataUpdatedAt])
  useEffect(() => {
    if (shown === nothing) return
    const timer = setTimeout(() => setShown(nothing), MILLIS)
    return () => clearTimeout(timer)
  }, [shown])

  return (
    <div role="status" aria-label="Points" className="celebration">
      {shown !== nothing && (
        <p className="celebration-note">
          <span aria-hidden="true" className="celebration-flecks">
            {FLECKS.map((fleck) => (
              <i key={fleck} />
            ))}
          </span>
          {shown.points > 0 && (
            <span className="figures font-display text-xl">+{shown.points.toLocaleString('en-US')} points</span>
          )}
          {shown.words.map((words) => (
            <span key={words} className="block text-sm font-semibold">
              {words}
            </span>
          ))}
        </p>
      )}
    </div>
  )
}
