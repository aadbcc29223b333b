import { useQueryClient } from '@tanstack/react-query'
import { type RefObject, useEffect, useState } from 'react'
import type { PollView } from '../../worker/contract/polls'
import { readPollsAgain, writeCounts } from './acts.queries'
import { watchCounts } from './live-counts'

/** The longest that a browser's timer can wait. */
const LONGEST_WAIT = 2 ** 31 - 1

/**
 * Keeps a poll's bars moving for who has voted, from the first time that `card` comes into view. Returns whether a
 * socket stands; without one, plain requests serve.
 */
export function useLiveCounts({ id, endDate, userVote }: PollView, card: RefObject<Element | null>): boolean {
  const queries = useQueryClient()
  const [live, setLive] = useState(false)
  const [seen, setSeen] = useState(false)
  const voted = userVote !== null

  useEffect(() => {
    if (!voted || seen || !card.current) return
    const watch = new IntersectionObserver((entries) => setSeen(entries.some(({ isIntersecting }) => isIntersecting)))
    watch.observe(card.current)
    return () => watch.disconnect()
  }, [voted, seen, card])
  useEffect(() => {
    if (!voted || !seen) return
    return watchCounts(id, {
      counts: (counts) => writeCounts(queries, id, counts),
      live: setLive,
      ask: () => void readPollsAgain(queries),
    })
  }, [id, voted, seen, queries])
  // At its end a poll moves to the closed ones.
  useEffect(() => {
    const wait = Math.max(Date.parse(endDate) - Date.now(), 0)
    if (wait > LONGEST_WAIT) return
    const timer = setTimeout(() => void readPollsAgain(queries), wait + 250)
    return () => clearTimeout(timer)
  }, [endDate, queries])
  return live
}
