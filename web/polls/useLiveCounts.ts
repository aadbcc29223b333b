import { useQueryClient } from '@tanstack/react-query'
import { type RefObject, useEffect, useState } from 'react'
import type { PollView } from '../../worker/contract/polls'
import { subscribeLiveCounts } from './live-counts'
import { applyLiveCounts, invalidatePolls } from './poll-mutations.queries'

/** The longest that a browser's timer can wait. */
const MAX_TIMEOUT_MS = 2 ** 31 - 1

/**
 * Keeps a poll's bars moving for who has voted, from the first time that `card` comes into view. Returns whether a
 * socket stands; without one, plain requests serve.
 */
export function useLiveCounts({ id, endDate, userVote }: PollView, card: RefObject<Element | null>): boolean {
  const queries = useQueryClient()
  const [live, setLive] = useState(false)
  const [isVisible, setVisible] = useState(false)
  const hasVoted = userVote !== null

  useEffect(() => {
    if (!hasVoted || isVisible || !card.current) return
    const observer = new IntersectionObserver((entries) =>
      setVisible(entries.some(({ isIntersecting }) => isIntersecting)),
    )
    observer.observe(card.current)
    return () => observer.disconnect()
  }, [hasVoted, isVisible, card])
  useEffect(() => {
    if (!hasVoted || !isVisible) return
    return subscribeLiveCounts(id, {
      onCounts: (counts) => applyLiveCounts(queries, id, counts),
      onConnection: setLive,
      refetch: () => void invalidatePolls(queries),
    })
  }, [id, hasVoted, isVisible, queries])
  // At its end a poll moves to the closed ones.
  useEffect(() => {
    const wait = Math.max(Date.parse(endDate) - Date.now(), 0)
    if (wait > MAX_TIMEOUT_MS) return
    const timer = setTimeout(() => void invalidatePolls(queries), wait + 250)
    return () => clearTimeout(timer)
  }, [endDate, queries])
  return live
}
