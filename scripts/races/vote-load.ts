import { type ChildProcess, fork } from 'node:child_process'
import { once } from 'node:events'
import { rmSync } from 'node:fs'
import { Agent, request } from 'node:http'
import { freePort } from '../tools/ports.ts'
import { SILENT_ENV } from '../tools/silent-env.ts'
import { runTool } from '../tools/steps.ts'
import { killServer, sleep } from './kill-server.ts'

// The audit of votes: a crowd votes over sockets, poll after poll, while the whole server is killed at instants spread over it.

type Size = { people: number; polls: number; kills: number; atOnce: number }
export type VoteLoadReport = {
  votes: number
  seconds: number
  /** How many votes were answered with each status, 0 for none; a second try of one is not counted here. */
  first: Record<number, number>
  /** Votes whose server died or whose sender hung up, and what their next try was told. */
  unanswered: number
  retried: Record<number, number>
  /** Retried votes that were told something else than the books said beforehand. */
  wrongAnswers: number
  /** Votes answered 200 whose ballot is missing afterwards or is another one. */
  lost: number
  /** Second votes of somebody that were taken as well. */
  doubled: number
  /** Ballots in the books when all is over, whose sums agree. */
  ballots: number
}
type Vote = { person: number; poll: number; option: 'first' | 'second'; status: number }

const OPTION = { first: '1', second: '2' }

/** @throws Error where votes, counters, ledger and points disagree. */
export async function runVoteLoad({ people, polls, kills, atOnce }: Size): Promise<VoteLoadReport> {
  const folder = `.wrangler/rush-${process.pid}`
  const bundle = `${folder}/bundle`
  const wrangler = ['deploy', '--dry-run', '--config', 'bench/wrangler.toml', '--outdir', `../${bundle}`]
  if (!(await runTool('node_modules/wrangler/bin/wrangler.js', wrangler, { WRANGLER_LOG: 'error' })))
    throw new Error('The bench worker could not be built.')
  const port = await freePort()
  const agent = new Agent({ keepAlive: true, maxSockets: atOnce })
  let server = await serve(bundle, folder, port)
  const get = async <T>(path: string): Promise<T> => {
    const { status, text } = await sendRequest(agent, port, 'GET', path)
    if (status !== 200) throw new Error(`${path}: ${status} ${text}`)
    return JSON.parse(text) as T
  }
  try {
    const tokens = await get<string[]>(`/crowd?people=${people}&polls=${polls}`)
    const send = async (vote: Vote): Promise<number> => {
      const path = `/api/polls/bench-${vote.poll}/vote`
      const json = JSON.stringify({ optionId: `bench-${vote.poll}-${OPTION[vote.option]}` })
      const sent = { json, cookie: `session=${tokens[vote.person]}`, hangsUp: vote.status === 0 && hangsUpEarly(vote) }
      return (await sendRequest(agent, port, 'POST', path, sent)).status
    }
    const all = buildVotes(people, polls)
    // Spread over the whole, at instants that have nothing to do with polls or batches.
    const deaths = Array.from({ length: kills }, (_, i) => Math.ceil(all.length * (0.05 + (0.9 * (i + 0.37)) / kills)))
    let [begun, restarting] = [0, Promise.resolve()]
    const began = performance.now()
    await runConcurrently(atOnce, async () => {
      const vote = all[begun++]
      if (!vote) return false
      if (deaths.length > 0 && begun >= (deaths[0] ?? 0)) {
        deaths.shift()
        // In the middle of what the other lanes have under way.
        restarting = killServer(server).then(async () => {
          server = await serve(bundle, folder, port)
        })
      }
      vote.status = await send(vote)
      if (vote.status === 0) await restarting
      return true
    })
    const seconds = (performance.now() - began) / 1000
    await restarting
    // What was under way for those who hung up comes to its end.
    await sleep(1000)
    const first = countByStatus(all)
    const before = await readAllVotes(get, polls)
    const open = all.filter(({ status }) => status === 0 || status === 503)
    for (const vote of open) vote.status = -1
    const unanswered = open.length
    let mistold = 0
    const retried: Record<number, number> = {}
    await runConcurrently(atOnce, async () => {
      const vote = open.pop()
      if (!vote) return false
      const stood = before[vote.poll]?.[vote.person] !== undefined
      vote.status = await send(vote)
      retried[vote.status] = (retried[vote.status] ?? 0) + 1
      // Two votes of one person may both have been lost: then the first that is tried again is the one that counts.
      if (vote.status !== (stood ? 409 : 200) && !(vote.status === 409 && votesTwice(vote))) mistold++
      return true
    })
    const after = await readAllVotes(get, polls)
    const taken = all.filter(({ status }) => status === 200)
    const lost = taken.filter(({ poll, person, option }) => after[poll]?.[person] !== OPTION[option]).length
    const doubled = taken.length - new Set(taken.map(({ poll, person }) => `${poll} ${person}`)).size
    const { votes: ballots } = await get<{ votes: number }>('/books')
    return { votes: people * polls, seconds, first, unanswered, retried, wrongAnswers: mistold, lost, doubled, ballots }
  } finally {
    await killServer(server).catch(() => undefined)
    agent.destroy()
    rmSync(folder, { recursive: true, force: true })
  }
}

/** Every tenth person votes twice at once, for something else. */
const votesTwice = ({ person }: Pick<Vote, 'person'>) => person % 10 === 0

/** Some hang up as soon as they have sent their vote, whoever else's it was to carry. */
const hangsUpEarly = ({ person }: Pick<Vote, 'person'>) => person % 50 === 7

function buildVotes(people: number, polls: number): Vote[] {
  const votes: Vote[] = []
  for (let poll = 1; poll <= polls; poll++)
    for (let person = 0; person < people; person++) {
      votes.push({ person, poll, option: 'first', status: 0 })
      if (votesTwice({ person })) votes.push({ person, poll, option: 'second', status: 0 })
    }
  return votes
}

async function serve(bundle: string, folder: string, port: number): Promise<ChildProcess> {
  const child = fork('scripts/races/vote-load-server.ts', [bundle, `${folder}/stores`, String(port)], {
    env: { ...process.env, ...SILENT_ENV },
    execArgv: [],
    silent: true,
    detached: true,
  })
  const died = once(child, 'exit').then(() => {
    throw new Error('The server of the rush did not start.')
  })
  await Promise.race([once(child, 'message'), died])
  died.catch(() => undefined)
  return child
}

/** Status 0 where the server died before it answered, or nobody waited for it. */
type Sent = { json?: string; cookie?: string; hangsUp?: boolean }
function sendRequest(agent: Agent, port: number, method: string, path: string, sent: Sent = {}) {
  const { json = '', cookie = '', hangsUp = false } = sent
  const headers = {
    origin: `http://127.0.0.1:${port}`,
    cookie,
    ...(json && { 'content-type': 'application/json', 'content-length': Buffer.byteLength(json) }),
  }
  return new Promise<{ status: number; text: string }>((resolve) => {
    const asked = request({ agent, host: '127.0.0.1', port, method, path, headers }, (response) => {
      let text = ''
      response.setEncoding('utf8')
      response.on('data', (piece) => (text += piece))
      response.on('end', () => resolve({ status: response.statusCode ?? 0, text }))
      response.on('error', () => resolve({ status: 0, text: '' }))
    })
    asked.on('error', () => resolve({ status: 0, text: '' }))
    asked.end(json, () => hangsUp && setTimeout(() => asked.destroy(), 2))
  })
}

async function readAllVotes(get: <T>(path: string) => Promise<T>, polls: number): Promise<Record<number, string>[]> {
  const all: Record<number, string>[] = []
  for (let poll = 1; poll <= polls; poll++) all[poll] = await get(`/ballots?poll=${poll}`)
  return all
}

/** Calls `act` in so many lanes at once, until it says that there is nothing left. */
async function runConcurrently(lanes: number, act: () => Promise<boolean>): Promise<void> {
  const lane = async () => {
    while (await act());
  }
  await Promise.all(Array.from({ length: lanes }, lane))
}

function countByStatus(votes: readonly Vote[]): Record<number, number> {
  const counts: Record<number, number> = {}
  for (const { status } of votes) counts[status] = (counts[status] ?? 0) + 1
  return counts
}
