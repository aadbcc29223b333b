import type { ChildProcess } from 'node:child_process'
import { rmSync } from 'node:fs'
import { Agent } from 'node:http'
import { availableParallelism } from 'node:os'
import { killServer, sleep } from '../scripts/races/killable-server.ts'
import { findFreePort } from '../scripts/tools/ports.ts'
import { bundleBench, runConcurrently, sendRequest, serveBench } from './bench-server.ts'
import { processGroupCpuMs } from './runtime-processes.ts'
import type { ReportRow } from './table.ts'

// Measures how many votes a second one poll takes: gateways run the app, as isolates do; the writer owns the database,
// as D1 does; the bars process sends counts to watchers. Runs only with `--only poll-load`.

const GATEWAYS = 4
const VOTERS = 10_000
/** Each voter votes once in the poll without watchers and once in the watched one, until the time is over. */
const POLLS = { unwatched: 'bench-1', watched: 'bench-2' }
/** Each batch size has its own poll, numbered from this one. */
const FIRST_BATCH_POLL = 3
/** Every tenth voter sends the vote twice at once. */
const SENDS_TWICE_EVERY = 10
const CONNECTIONS_PER_GATEWAY = 64
const WATCHERS = 5_000
const WATCHERS_PER_OBJECT = 500
const BATCH_SIZES = [1, 10, 100, 500]
const TARGET_PER_SECOND = 10_000
const SECONDS_PER_BATCH_SIZE = 2
const LOAD_SECONDS = 20
const MAX_SECONDS = 120

type Server = { child: ChildProcess; port: number; url: string }
type LoadResult = {
  perSecond: number
  accepted: number
  duplicates: number
  failed: number
  cpuMs: Record<string, number>
}

const startedAt = performance.now()
const secondsSince = (start: number) => (performance.now() - start) / 1000

let currentStep = ''
/** Prints the elapsed time and the step, which the timeout's error also names. */
function beginStep(next: string): void {
  currentStep = next
  console.log(`${secondsSince(startedAt).toFixed(0).padStart(4)} s  ${currentStep}`)
}

/** Prints a speed as soon as it is known: a later step may take too long. */
const printSpeed = (perSecond: number) => console.log(`${''.padStart(8)}${perSecond.toFixed(0)} votes a second`)

/** Runs the experiment on all cores. @throws Error if a vote is lost or counted twice, or after two minutes. */
export async function measurePollLoad(): Promise<ReportRow[]> {
  const folder = `.wrangler/poll-load-${process.pid}`
  const servers: Server[] = []
  const timeout = new Promise<never>((_, reject) => {
    const fail = () => reject(new Error(`Stopped after ${MAX_SECONDS} s, at: ${currentStep}.`))
    setTimeout(fail, MAX_SECONDS * 1000).unref()
  })
  try {
    return await Promise.race([runPollLoad(folder, servers), timeout])
  } finally {
    await Promise.all(servers.map(({ child }) => killServer(child).catch(() => undefined)))
    rmSync(folder, { recursive: true, force: true })
  }
}

async function runPollLoad(folder: string, servers: Server[]): Promise<ReportRow[]> {
  beginStep('bundling the worker')
  const script = await bundleBench(folder)
  const start = async (name: string, writer?: Server) => {
    const port = await findFreePort()
    const child = await serveBench(script, `${folder}/${name}`, port, writer && { WRITER: writer.url })
    const server = { child, port, url: `http://127.0.0.1:${port}` }
    servers.push(server)
    return server
  }
  beginStep('starting the writer')
  const writer = await start('writer')
  beginStep(`adding ${VOTERS} voters`)
  await getJson(writer, `/voters-and-polls?voters=${VOTERS}&polls=${FIRST_BATCH_POLL + BATCH_SIZES.length}&sessions=0`)
  const { rows: batchSizeRows, votes: batchedVotes } = await measureBatchSizes(writer)

  beginStep(`starting ${GATEWAYS} gateways and the bars process`)
  const gateways = await Promise.all(Array.from({ length: GATEWAYS }, (_, i) => start(`gateway-${i}`, writer)))
  const bars = await start('bars', writer)
  beginStep('logging the voters in')
  const tokens = await Promise.all(
    gateways.map((gateway, i) => getJson<string[]>(gateway, `/sessions?from=${i}&step=${GATEWAYS}&voters=${VOTERS}`)),
  )
  const processes = { writer, gateways, bars }
  beginStep('casting votes')
  const unwatched = await castVotes({ poll: POLLS.unwatched, tokens, processes })
  beginStep(`${unwatched.accepted} votes accepted; opening ${WATCHERS} sockets`)
  const watchers = await openWatchers(bars)
  beginStep('casting votes while the sockets receive counts')
  const watched = await castVotes({ poll: POLLS.watched, tokens, processes })
  beginStep(`${watched.accepted} votes accepted; comparing votes, counters, ledger and the sockets' counts`)
  await sleep(2_000)
  const outdated = watchers.filter(({ total }) => total() !== watched.accepted).length
  for (const { socket } of watchers) socket.close()
  const { votes } = await getJson<{ votes: number }>(writer, '/consistency')
  const stored = votes - batchedVotes
  const accepted = unwatched.accepted + watched.accepted
  if (stored !== accepted) throw new Error(`${accepted} votes accepted, ${stored} stored.`)
  if (outdated > 0) throw new Error(`${outdated} of ${WATCHERS} watchers did not receive the last count.`)
  return [
    ...batchSizeRows,
    loadRow(`votes of one poll, ${GATEWAYS} gateways, one database`, unwatched),
    loadRow(`the same while ${WATCHERS.toLocaleString('en-US')} watch`, watched),
    ...cpuRows(unwatched, watched),
  ]
}

/** Measures the database alone with each batch size; `votes` is the number of votes cast. */
async function measureBatchSizes(writer: Server): Promise<{ rows: ReportRow[]; votes: number }> {
  const rows: ReportRow[] = []
  let votes = 0
  for (const [i, size] of BATCH_SIZES.entries()) {
    beginStep(`casting votes in the database alone, ${size} per batch`)
    const path = `/writer?poll=bench-${FIRST_BATCH_POLL + i}&size=${size}&voters=${VOTERS}&seconds=${SECONDS_PER_BATCH_SIZE}`
    const batched = await getJson<{ votes: number; perSecond: number }>(writer, path)
    votes += batched.votes
    printSpeed(batched.perSecond)
    rows.push(toReportRow(`the database alone, ${size} votes a batch`, `${batched.perSecond.toFixed(0)} a second`))
  }
  return { rows, votes }
}

const toReportRow = (label: string, measured: string, against = ''): ReportRow => ({
  label,
  measured,
  against,
  target: '-',
  passed: null,
})

const loadRow = (label: string, { perSecond, duplicates }: LoadResult): ReportRow => ({
  ...toReportRow(label, `${perSecond.toFixed(0)} a second`, `${duplicates} duplicates rejected`),
  target: String(TARGET_PER_SECOND),
  passed: perSecond >= TARGET_PER_SECOND,
  cause: `${availableParallelism()} cores run the clients, the gateways and the database.`,
})

function cpuRows(unwatched: LoadResult, watched: LoadResult): ReportRow[] {
  const perVote = ({ cpuMs, accepted }: LoadResult, name: string) => (cpuMs[name] ?? 0) / accepted
  return ['writer', 'gateways', 'bars', 'clients'].map((name) =>
    toReportRow(
      `processor time of a vote in the ${name}`,
      `${perVote(unwatched, name).toFixed(3)} ms`,
      `${perVote(watched, name).toFixed(3)} ms watched`,
    ),
  )
}

async function getJson<T>({ url }: Server, path: string): Promise<T> {
  const response = await fetch(url + path)
  if (!response.ok) throw new Error(`${path}: ${response.status} ${await response.text()}`)
  return (await response.json()) as T
}

type CastInput = {
  poll: string
  /** Session tokens by gateway. */
  tokens: readonly string[][]
  processes: { writer: Server; gateways: readonly Server[]; bars: Server }
}

/** Sends each voter's vote as fast as responses arrive, for at most `LOAD_SECONDS`. @throws Error if a vote fails. */
async function castVotes({ poll, tokens, processes: { writer, gateways, bars } }: CastInput): Promise<LoadResult> {
  const groups = { writer: [writer], gateways, bars: [bars] }
  const cpuOf = (servers: readonly Server[]) =>
    servers.reduce((sum, { child }) => sum + processGroupCpuMs(child.pid ?? 0), 0)
  const before = Object.entries(groups).map(([name, servers]) => [name, cpuOf(servers)] as const)
  const clientBefore = process.cpuUsage()
  const counts = { accepted: 0, duplicates: 0, failed: 0 }
  const start = performance.now()
  await Promise.all(
    gateways.map(async ({ port }, i) => {
      const agent = new Agent({ keepAlive: true, maxSockets: CONNECTIONS_PER_GATEWAY })
      const votes = (tokens[i] ?? []).flatMap((token, n) =>
        Array.from({ length: n % SENDS_TWICE_EVERY === 0 ? 2 : 1 }, () => ({ token, option: 1 + (n % 2) })),
      )
      await runConcurrently(CONNECTIONS_PER_GATEWAY, async () => {
        const vote = secondsSince(start) < LOAD_SECONDS ? votes.pop() : undefined
        if (!vote) return false
        const sent = { json: JSON.stringify({ optionId: `${poll}-${vote.option}` }), cookie: `session=${vote.token}` }
        const { status } = await sendRequest(agent, port, 'POST', `/api/polls/${poll}/vote`, sent)
        counts[status === 200 ? 'accepted' : status === 409 ? 'duplicates' : 'failed']++
        return true
      })
      agent.destroy()
    }),
  )
  const perSecond = counts.accepted / secondsSince(start)
  const { user, system } = process.cpuUsage(clientBefore)
  const cpuMs = Object.fromEntries([
    ...before.map(([name, millis]) => [name, cpuOf(groups[name as keyof typeof groups]) - millis]),
    ['clients', (user + system) / 1000],
  ])
  if (counts.failed > 0) throw new Error(`${counts.failed} votes failed.`)
  printSpeed(perSecond)
  return { perSecond, cpuMs, ...counts }
}

/** Opens the watchers' sockets, spread over several Durable Objects. `total` sums the last counts received. */
async function openWatchers({ port }: Server) {
  const watchers: { socket: WebSocket; total: () => number }[] = []
  for (let i = 0; i < WATCHERS; i += 100)
    watchers.push(
      ...(await Promise.all(
        Array.from({ length: 100 }, async (_, n) => {
          const name = Math.floor((i + n) / WATCHERS_PER_OBJECT)
          const socket = new WebSocket(`ws://127.0.0.1:${port}/poll-bars?name=${name}`)
          let last = ''
          socket.addEventListener('message', ({ data }) => {
            last = String(data)
          })
          await new Promise((resolve, reject) => {
            socket.addEventListener('open', resolve, { once: true })
            socket.addEventListener('error', reject, { once: true })
          })
          return { socket, total: () => totalVotes(last) }
        }),
      )),
    )
  return watchers
}

const totalVotes = (message: string): number =>
  message === ''
    ? 0
    : (JSON.parse(message) as { options: { voteCount: number }[] }).options.reduce((sum, o) => sum + o.voteCount, 0)
