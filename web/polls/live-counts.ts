import type { LiveCounts } from '../../worker/contract/polls'

/** Idle proxies hang up on a silent line; the server answers 'pong' without waking anything. */
const PING_MILLIS = 25_000
/** How long after each failure in a row the next socket is tried. A socket counts as a write of the person's minute. */
const AGAIN_AFTER_MILLIS = [3_000, 10_000, 30_000, 60_000]
/** While no socket stands, a plain request serves so often. */
const ASK_EVERY_MILLIS = 10_000

type Tell = {
  /** The counts of every option now. */
  counts: (counts: LiveCounts) => void
  /** True while a socket stands. */
  live: (live: boolean) => void
  /** No socket stands: ask for the polls by a plain request. */
  ask: () => void
}

/** Watches one poll's counts until the returned function is called. The reader must have voted in it. */
export function watchCounts(pollId: string, tell: Tell): () => void {
  let socket: WebSocket | null = null
  let failures = 0
  let over = false
  let ping: ReturnType<typeof setInterval> | undefined
  let again: ReturnType<typeof setTimeout> | undefined
  let asking: ReturnType<typeof setInterval> | undefined

  const stand = (live: boolean) => {
    clearInterval(ping)
    clearInterval(asking)
    if (live) ping = setInterval(() => socket?.send('ping'), PING_MILLIS)
    else asking = setInterval(tell.ask, ASK_EVERY_MILLIS)
    tell.live(live)
  }
  const fall = () => {
    if (over) return
    stand(false)
    tell.ask()
    again = setTimeout(connect, AGAIN_AFTER_MILLIS[Math.min(failures, AGAIN_AFTER_MILLIS.length - 1)])
    failures += 1
  }
  function connect() {
    const address = new URL(`/api/polls/${encodeURIComponent(pollId)}/live`, location.href)
    address.protocol = address.protocol.replace('http', 'ws')
    const opened = new WebSocket(address)
    socket = opened
    opened.onmessage = ({ data }) => {
      if (over || data === 'pong') return
      failures = 0
      tell.counts(JSON.parse(String(data)) as LiveCounts)
    }
    opened.onopen = () => !over && stand(true)
    opened.onclose = fall
  }
  connect()
  return () => {
    over = true
    for (const timer of [ping, asking]) clearInterval(timer)
    clearTimeout(again)
    socket?.close()
  }
}
