import { LiveCounts } from '../worker/contract/polls'
import type { Env } from '../worker/env'
import type { WatchedVotes } from './live'
import { freshPoll, voteRequests } from './vote-load'

const VOTES = 1_500
const CONCURRENCY = 32

/** Opens so many sockets on a poll that nobody has voted in, each of somebody else, and has its votes cast meanwhile. */
export async function measureWatchedVotes(
  { LIVE }: Env,
  sockets: number,
  send: (request: Request) => Promise<Response>,
): Promise<WatchedVotes> {
  const poll = freshPoll()
  const open = Array.from({ length: sockets }, (_, viewer) => watch(LIVE, poll, viewer))
  const watching = await Promise.all(open)
  const ballots = voteRequests(poll, VOTES)
  const began = performance.now()
  const lane = async () => {
    for (let ballot = ballots.pop(); ballot; ballot = ballots.pop()) {
      const response = await send(ballot)
      await response.arrayBuffer()
      if (!response.ok) throw new Error(`A watched vote: ${response.status}.`)
    }
  }
  await Promise.all(Array.from({ length: CONCURRENCY }, lane))
  const perSecond = (VOTES / (performance.now() - began)) * 1000
  // Everybody is told the last count, within a few ticks.
  for (let tries = 0; tries < 100 && !watching.every(({ seen }) => seen() === VOTES); tries++)
    await new Promise((resolve) => setTimeout(resolve, 50))
  const behind = watching.filter(({ seen }) => seen() !== VOTES).length
  if (behind > 0) throw new Error(`${behind} of ${sockets} sockets were not told the last count.`)
  const messages = watching.reduce((sum, { told }) => sum + told(), 0) / sockets
  for (const { socket } of watching) socket.close()
  return { perSecond, messages }
}

async function watch(live: Env['LIVE'], poll: string, viewer: number) {
  const asked = new URLSearchParams({ poll, viewer: String(viewer) })
  const response = await live.getByName(poll).fetch(`https://live/?${asked}`, { headers: { upgrade: 'websocket' } })
  const socket = response.webSocket
  if (!socket) throw new Error(`A socket was refused: ${response.status}.`)
  let [seen, told] = [0, 0]
  socket.addEventListener('message', ({ data }) => {
    told++
    seen = LiveCounts.parse(JSON.parse(String(data))).options.reduce((sum, { voteCount }) => sum + voteCount, 0)
  })
  socket.accept()
  return { socket, seen: () => seen, told: () => told }
}
