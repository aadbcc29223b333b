import { useQueryClient } from '@tanstack/react-query'
import { type RefObject, useEffect, useState } from 'react'
import { type LiveCounts, type PollView, SESSION_ENDED_CLOSE_CODE } from '../../worker/contract/polls'
import { applyLiveCounts, invalidatePolls } from './polls.queries'

/** Proxies close idle connections; the server answers 'pong' without waking the Durable Object. */
const PING_INTERVAL_MS = 25_000
/** Delays after consecutive failures. A connection counts towards the write rate limit. */
const RECONNECT_DELAYS_MS = [3_000, 10_000, 30_000, 60_000]
/** Interval of plain requests while disconnected. */
const POLL_INTERVAL_MS = 10_000
/** Newer tabs of the supporter use up the allowed connections: reconnecting would close one of them. */
const REPLACED_CLOSE_CODE = 1008

type Handlers = {
  onCounts: (counts: LiveCounts) => void
  onConnection: (live: boolean) => void
  /** Disconnected: fetch the polls by a plain request. */
  refetch: () => void
}

/** Subscribes to a poll's counts; returns a function that unsubscribes. The caller must have voted in the poll. */
export function subscribeLiveCounts(pollId: string, handlers: Handlers): () => void {
  let socket: WebSocket | null = null
  /** A message came since the last ping: a half-open connection never reports its end. */
  let isAlive = true
  let failures = 0
  let ping: ReturnType<typeof setInterval> | undefined
  let reconnectTimer: ReturnType<typeof setTimeout> | undefined
  // Polls until the first connection opens, which may take long.
  let refetchTimer = setInterval(handlers.refetch, POLL_INTERVAL_MS)

  const setConnected = (live: boolean) => {
    clearInterval(ping)
    clearInterval(refetchTimer)
    isAlive = true
    if (live) ping = setInterval(keepAlive, PING_INTERVAL_MS)
    else refetchTimer = setInterval(handlers.refetch, POLL_INTERVAL_MS)
    handlers.onConnection(live)
  }
  const keepAlive = () => {
    if (!isAlive) return onDisconnect()
    isAlive = false
    socket?.send('ping')
  }
  const onDisconnect = (code?: number) => {
    closeSocket()
    setConnected(false)
    if (code === SESSION_ENDED_CLOSE_CODE) return clearInterval(refetchTimer)
    handlers.refetch()
    if (code === REPLACED_CLOSE_CODE) return
    reconnectTimer = setTimeout(connect, RECONNECT_DELAYS_MS[Math.min(failures, RECONNECT_DELAYS_MS.length - 1)])
    failures += 1
  }
  /** Later messages of this socket are ignored. */
  function closeSocket() {
    const closed = socket
    socket = null
    closed?.close()
  }
  function connect() {
    const address = new URL(`/api/polls/${encodeURIComponent(pollId)}/live`, location.href)
    address.protocol = address.protocol.replace('http', 'ws')
    const opened = new WebSocket(address)
    socket = opened
    opened.onmessage = ({ data }) => {
      if (socket !== opened) return
      isAlive = true
      if (data === 'pong') return
      failures = 0
      handlers.onCounts(JSON.parse(String(data)) as LiveCounts)
    }
    opened.onopen = () => socket === opened && setConnected(true)
    opened.onclose = ({ code }) => socket === opened && onDisconnect(code)
  }
  connect()
  return () => {
    for (const timer of [ping, refetchTimer]) clearInterval(timer)
    clearTimeout(reconnectTimer)
    closeSocket()
  }
}

/** The longest delay of a browser's timer. */
const MAX_TIMEOUT_MS = 2 ** 31 - 1

/**
 * Updates a poll's counts live for a supporter who has voted, once `card` was visible. Returns whether a socket is
 * connected; without one, plain requests are used.
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
  // A poll that ends moves to the closed polls.
  useEffect(() => {
    const wait = Math.max(Date.parse(endDate) - Date.now(), 0)
    if (wait > MAX_TIMEOUT_MS) return
    const timer = setTimeout(() => void invalidatePolls(queries), wait + 250)
    return () => clearTimeout(timer)
  }, [endDate, queries])
  return live
}
