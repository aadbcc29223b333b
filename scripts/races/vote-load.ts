import { rmSync } from 'node:fs'
import { Agent } from 'node:http'
import { bundleBench, runConcurrently, sendRequest, serveBench } from '../../bench/bench-server.ts'
import { findFreePort } from '../tools/ports.ts'
import { killServer, sleep } from './killable-server.ts'

// Casts votes over sockets, poll after poll, while killing the server at intervals, and audits every vote.

type LoadOptions = { voters: number; polls: number; kills: number; concurrency: number }
export type VoteLoadReport = {
  /** Votes that must be stored: one for each voter and poll. Every tenth voter sends two. */
  votes: number
  seconds: number
  /** First attempts by status; 0 when there was no response. */
  firstStatuses: Record<number, number>
  /** Votes that were retried: no response, or 503. */
  retriedVotes: number
  retryStatuses: Record<number, number>
  /** Retries whose response contradicts the database. */
  wrongResponses: number
  /** Votes answered 200 that are missing or different in the database. */
  lost: number
  /** Accepted second votes of a voter in one poll. */
  doubled: number
  /** Votes in the database at the end. */
  storedVotes: number
}
/** `status` is the HTTP status; 0 before sending or without a response, -1 before a retry. */
type Vote = { voter: number; poll: number; option: 'first' | 'second'; status: number }

const OPTION_IDS = { first: '1', second: '2' }

/** Casts the votes and reports their results. @throws Error if votes, counters, ledger and points disagree. */
export async function runVoteLoad({ voters, polls, kills, concurrency }: LoadOptions): Promise<VoteLoadReport> {
  const folder = `.wrangler/vote-load-${process.pid}`
  const bundle = await bundleBench(folder)
  const port = await findFreePort()
  const agent = new Agent({ keepAlive: true, maxSockets: concurrency })
  let server = await serveBench(bundle, `${folder}/stores`, port)
  const get = async <T>(path: string): Promise<T> => {
    const { status, text } = await sendRequest(agent, port, 'GET', path)
    if (status !== 200) throw new Error(`${path}: ${status} ${text}`)
    return JSON.parse(text) as T
  }
  try {
    const tokens = await get<string[]>(`/voters-and-polls?voters=${voters}&polls=${polls}`)
    const send = async (vote: Vote): Promise<number> => {
      const path = `/api/polls/bench-${vote.poll}/vote`
      const json = JSON.stringify({ optionId: `bench-${vote.poll}-${OPTION_IDS[vote.option]}` })
      const requestOptions = {
        json,
        cookie: `session=${tokens[vote.voter]}`,
        hangsUp: vote.status === 0 && hangsUpEarly(vote),
      }
      return (await sendRequest(agent, port, 'POST', path, requestOptions)).status
    }
    const allVotes = buildVotes(voters, polls)
    // The offset of 0.37 keeps kills away from the boundaries of polls and batches.
    const killPoints = Array.from({ length: kills }, (_, i) =>
      Math.ceil(allVotes.length * (0.05 + (0.9 * (i + 0.37)) / kills)),
    )
    let nextIndex = 0
    let restarting = Promise.resolve()
    const startedAt = performance.now()
    await runConcurrently(concurrency, async () => {
      const vote = allVotes[nextIndex++]
      if (!vote) return false
      if (killPoints.length > 0 && nextIndex >= (killPoints[0] ?? 0)) {
        killPoints.shift()
        restarting = killServer(server).then(async () => {
          server = await serveBench(bundle, `${folder}/stores`, port)
        })
      }
      vote.status = await send(vote)
      if (vote.status === 0) await restarting
      return true
    })
    const seconds = (performance.now() - startedAt) / 1000
    await restarting
    // Let the votes of clients that hung up finish.
    await sleep(1000)
    const firstStatuses = countByStatus(allVotes)
    const storedBefore = await readAllVotes(get, polls)
    const votesToRetry = allVotes.filter(({ status }) => status === 0 || status === 503)
    for (const vote of votesToRetry) vote.status = -1
    const retriedVotes = votesToRetry.length
    let wrongResponses = 0
    const retryStatuses: Record<number, number> = {}
    await runConcurrently(concurrency, async () => {
      const vote = votesToRetry.pop()
      if (!vote) return false
      const wasStored = storedBefore[vote.poll]?.[vote.voter] !== undefined
      vote.status = await send(vote)
      retryStatuses[vote.status] = (retryStatuses[vote.status] ?? 0) + 1
      // If neither vote of a voter was stored, the first retry gets 200 and the other 409.
      if (vote.status !== (wasStored ? 409 : 200) && !(vote.status === 409 && votesTwice(vote))) wrongResponses++
      return true
    })
    const storedAfter = await readAllVotes(get, polls)
    const accepted = allVotes.filter(({ status }) => status === 200)
    const lost = accepted.filter(({ poll, voter, option }) => storedAfter[poll]?.[voter] !== OPTION_IDS[option]).length
    const doubled = accepted.length - new Set(accepted.map(({ poll, voter }) => `${poll} ${voter}`)).size
    const { votes: storedVotes } = await get<{ votes: number }>('/consistency')
    return {
      votes: voters * polls,
      seconds,
      firstStatuses,
      retriedVotes,
      retryStatuses,
      wrongResponses,
      lost,
      doubled,
      storedVotes,
    }
  } finally {
    await killServer(server).catch(() => undefined)
    agent.destroy()
    rmSync(folder, { recursive: true, force: true })
  }
}

/** Every tenth voter votes twice concurrently, for different options. */
const votesTwice = ({ voter }: Pick<Vote, 'voter'>) => voter % 10 === 0

/** Some clients disconnect as soon as their vote is sent. */
const hangsUpEarly = ({ voter }: Pick<Vote, 'voter'>) => voter % 50 === 7

function buildVotes(voters: number, polls: number): Vote[] {
  const votes: Vote[] = []
  for (let poll = 1; poll <= polls; poll++)
    for (let voter = 0; voter < voters; voter++) {
      votes.push({ voter, poll, option: 'first', status: 0 })
      if (votesTwice({ voter })) votes.push({ voter, poll, option: 'second', status: 0 })
    }
  return votes
}

async function readAllVotes(get: <T>(path: string) => Promise<T>, polls: number): Promise<Record<number, string>[]> {
  const votesByPoll: Record<number, string>[] = []
  for (let poll = 1; poll <= polls; poll++) votesByPoll[poll] = await get(`/votes?poll=${poll}`)
  return votesByPoll
}

function countByStatus(votes: readonly Vote[]): Record<number, number> {
  const counts: Record<number, number> = {}
  for (const { status } of votes) counts[status] = (counts[status] ?? 0) + 1
  return counts
}
