import { useQueryClient } from '@tanstack/react-query'
import { type RefObject, useEffect, useState } from 'react'
import {
  type LiveCounts,
  type PollView,
  REPLACED_CLOSE_CODE,
  SESSION_ENDED_CLOSE_CODE,
} from '../../worker/contract/polls'
import { applyLiveCounts, invalidatePolls } from './polls.queries'

/** Proxies close idle connections; the server responds with 'pong' without waking the Durable Object. */
const PING_INTERVAL_MS = 25_000
/** Delays after consecutive failures; long, because connections count towards the write rate limit. */
const RECONNECT_DELAYS_MS = [3_000, 10_000, 30_000, 60_000]
/** Interval of `refetch` while disconnected. */
const REFETCH_INTERVAL_MS = 10_000

type Handlers = {
  onCounts: (counts: LiveCounts) => void
  onConnection: (isConnected: boolean) => void
  /** Fetches the polls over HTTP while disconnected. */
  refetch: () => void
}

/** Subscribes to a poll's counts; returns a function that unsubscribes. The caller must have voted in the poll. */
export function subscribeLiveCounts(pollId: string, handlers: Handlers): () => void {
  let socket: WebSocket | null = null
  /** Whether a message arrived since the last ping, because a half-open connection emits no close event. */
  let isAlive = true
  let failureCount = 0
  let pingTimer: ReturnType<typeof setInterval> | undefined
  let reconnectTimer: ReturnType<typeof setTimeout> | undefined
  // Refetches until the first connection is open, which can take a while.
  let refetchTimer = setInterval(handlers.refetch, REFETCH_INTERVAL_MS)

  const setConnected = (isConnected: boolean) => {
    clearInterval(pingTimer)
    clearInterval(refetchTimer)
    isAlive = true
    if (isConnected) pingTimer = setInterval(keepAlive, PING_INTERVAL_MS)
    else refetchTimer = setInterval(handlers.refetch, REFETCH_INTERVAL_MS)
    handlers.onConnection(isConnected)
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
    reconnectTimer = setTimeout(connect, RECONNECT_DELAYS_MS[Math.min(failureCount, RECONNECT_DELAYS_MS.length - 1)])
    failureCount += 1
  }
  /** Closes the socket; its later events are ignored. */
  function closeSocket() {
    const socketToClose = socket
    socket = null
    socketToClose?.close()
  }
  function connect() {
    const url = new URL(`/api/polls/${encodeURIComponent(pollId)}/live`, location.href)
    url.protocol = url.protocol.replace('http', 'ws')
    const newSocket = new WebSocket(url)
    socket = newSocket
    newSocket.onmessage = ({ data }) => {
      if (socket !== newSocket) return
      isAlive = true
      if (data === 'pong') return
      failureCount = 0
      handlers.onCounts(JSON.parse(String(data)) as LiveCounts)
    }
    newSocket.onopen = () => socket === newSocket && setConnected(true)
    newSocket.onclose = ({ code }) => socket === newSocket && onDisconnect(code)
  }
  connect()
  return () => {
    for (const timer of [pingTimer, refetchTimer]) clearInterval(timer)
    clearTimeout(reconnectTimer)
    closeSocket()
  }
}

/** The maximum delay of setTimeout. */
const MAX_TIMEOUT_MS = 2 ** 31 - 1

/**
 * Updates a poll's counts live once `card` is visible, for a supporter who has voted: by WebSocket or, while none is
 * connected, by HTTP. Also refetches the polls when this one ends. Returns whether a WebSocket is connected.
 */
export function useLiveCounts({ id, endDate, userVote }: PollView, card: RefObject<Element | null>): boolean {
  const queryClient = useQueryClient()
  const [isConnected, setIsConnected] = useState(false)
  const [isVisible, setIsVisible] = useState(false)
  const hasVoted = userVote !== null

  useEffect(() => {
    if (!hasVoted || isVisible || !card.current) return
    const observer = new IntersectionObserver((entries) =>
      setIsVisible(entries.some(({ isIntersecting }) => isIntersecting)),
    )
    observer.observe(card.current)
    return () => observer.disconnect()
  }, [hasVoted, isVisible, card])
  useEffect(() => {
    if (!hasVoted || !isVisible) return
    return subscribeLiveCounts(id, {
      onCounts: (counts) => applyLiveCounts(queryClient, id, counts),
      onConnection: setIsConnected,
      refetch: () => void invalidatePolls(queryClient),
    })
  }, [id, hasVoted, isVisible, queryClient])
  // Refetches shortly after the poll's end, when it has moved to the closed polls.
  useEffect(() => {
    const remainingMs = Math.max(Date.parse(endDate) - Date.now(), 0)
    if (remainingMs > MAX_TIMEOUT_MS) return
    const timer = setTimeout(() => void invalidatePolls(queryClient), remainingMs + 250)
    return () => clearTimeout(timer)
  }, [endDate, queryClient])
  return isConnected
}
