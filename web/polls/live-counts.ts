import type { LiveCounts } from '../../worker/contract/polls'

/** Idle proxies hang up on a silent line; the server answers 'pong' without waking anything. */
const PING_MILLIS = 25_000
/** How long after each failure in a row the next socket is tried. A socket counts as a write of the person's minute. */
const AGAIN_AFTER_MILLIS = [3_000, 10_000, 30_000, 60_000]
/** While no socket stands, a plain request serves so often. */
const ASK_EVERY_MILLIS = 10_000
/** The server closes so when the person's newer tabs have taken their places: to come back would throw one of them out. */
const PLACE_TAKEN = 1008

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
  /** Something came since the last ping. A line that is only half open never says that it is gone. */
  let heard = true
  let failures = 0
  let ping: ReturnType<typeof setInterval> | undefined
  let again: ReturnType<typeof setTimeout> | undefined
  // From the start: the first socket may hang long before it stands or fails.
  let asking = setInterval(tell.ask, ASK_EVERY_MILLIS)

  const stand = (live: boolean) => {
    clearInterval(ping)
    clearInterval(asking)
    heard = true
    if (live) ping = setInterval(keepAlive, PING_MILLIS)
    else asking = setInterval(tell.ask, ASK_EVERY_MILLIS)
    tell.live(live)
  }
  const keepAlive = () => {
    if (!heard) return fall()
    heard = false
    socket?.send('ping')
  }
  const fall = (code?: number) => {
    hangUp()
    stand(false)
    tell.ask()
    if (code === PLACE_TAKEN) return
    again = setTimeout(connect, AGAIN_AFTER_MILLIS[Math.min(failures, AGAIN_AFTER_MILLIS.length - 1)])
    failures += 1
  }
  /** What a socket says after this is not listened to. */
  function hangUp() {
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
      heard = true
      if (data === 'pong') return
      failures = 0
      tell.counts(JSON.parse(String(data)) as LiveCounts)
    }
    opened.onopen = () => socket === opened && stand(true)
    opened.onclose = ({ code }) => socket === opened && fall(code)
  }
  connect()
  return () => {
    for (const timer of [ping, asking]) clearInterval(timer)
    clearTimeout(again)
    hangUp()
  }
}
