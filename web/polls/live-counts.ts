import type { LiveCounts } from '../../worker/contract/polls'

/** Idle proxies hang up on a silent line; the server answers 'pong' without waking anything. */
const PING_INTERVAL_MS = 25_000
/** How long after each failure in a row the next socket is tried. A socket counts as a write of the person's minute. */
const RECONNECT_DELAYS_MS = [3_000, 10_000, 30_000, 60_000]
/** While no socket stands, a plain request serves so often. */
const POLL_INTERVAL_MS = 10_000
/** The server closes so when the person's newer tabs have taken their places: to come back would throw one of them out. */
const CLOSE_CODE_REPLACED = 1008

type Handlers = {
  /** The counts of every option now. */
  onCounts: (counts: LiveCounts) => void
  /** True while a socket stands. */
  onConnection: (live: boolean) => void
  /** No socket stands: ask for the polls by a plain request. */
  refetch: () => void
}

/** Watches one poll's counts until the returned function is called. The reader must have voted in it. */
export function subscribeLiveCounts(pollId: string, handlers: Handlers): () => void {
  let socket: WebSocket | null = null
  /** Something came since the last ping. A line that is only half open never says that it is gone. */
  let isAlive = true
  let failures = 0
  let ping: ReturnType<typeof setInterval> | undefined
  let reconnectTimer: ReturnType<typeof setTimeout> | undefined
  // From the start: the first socket may hang long before it stands or fails.
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
    handlers.refetch()
    if (code === CLOSE_CODE_REPLACED) return
    reconnectTimer = setTimeout(connect, RECONNECT_DELAYS_MS[Math.min(failures, RECONNECT_DELAYS_MS.length - 1)])
    failures += 1
  }
  /** What a socket says after this is not listened to. */
  function closeSocket() {
    const former = socket
    socket = null
    former?.close()
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
