import { type ChildProcess, fork } from 'node:child_process'
import { once } from 'node:events'
import { readdirSync, readFileSync, rmSync } from 'node:fs'
import { connect } from 'node:net'
import { killServer, sleep } from '../scripts/races/killable-server.ts'
import { freePort } from '../scripts/tools/ports.ts'
import { SILENT_ENV } from '../scripts/tools/silent-env.ts'
import { runTool } from '../scripts/tools/steps.ts'
import type { ReportRow } from './table.ts'

// An experiment: how many votes a second one poll takes when the app runs in several processes and one process owns the
// database, as isolates and D1 do.

const GATEWAYS = 4
const VOTERS = 10_000
/** Each voter votes once in the poll without watchers and once in the watched one. */
const POLLS = { unwatched: 'bench-1', watched: 'bench-2' }
const FIRST_BATCH_POLL = 3
/** Every tenth voter sends the vote twice at once. */
const SENDS_TWICE_EVERY = 10
const CONNECTIONS_PER_GATEWAY = 64
const WATCHERS = 5_000
const WATCHERS_PER_OBJECT = 500
const BATCH_SIZES = [1, 10, 25, 100, 250, 500]
const TARGET_PER_SECOND = 10_000

type Server = { child: ChildProcess; port: number; url: string }
type Load = { perSecond: number; accepted: number; duplicates: number; failed: number; cpuMs: Record<string, number> }

/** Runs the experiment on all cores for about two minutes. @throws Error if a vote is lost or counted twice. */
export async function measurePollLoad(): Promise<ReportRow[]> {
  const folder = `.wrangler/poll-load-${process.pid}`
  const servers: Server[] = []
  const start = async (name: string, writer?: string) => {
    const server = await startServer(folder, name, writer)
    servers.push(server)
    return server
  }
  try {
    const wrangler = ['deploy', '--dry-run', '--config', 'bench/wrangler.toml', '--outdir', `../${folder}/bundle`]
    if (!(await runTool('node_modules/wrangler/bin/wrangler.js', wrangler, { WRANGLER_LOG: 'error' })))
      throw new Error('The bench worker could not be built.')
    const writer = await start('writer')
    const polls = FIRST_BATCH_POLL + BATCH_SIZES.length
    await getJson(writer, `/voters-and-polls?voters=${VOTERS}&polls=${polls}`)
    const batchSizeRows = await measureBatchSizes(writer)

    const gateways: Server[] = []
    for (let i = 0; i < GATEWAYS; i++) gateways.push(await start(`gateway-${i}`, writer.url))
    const bars = await start('bars', writer.url)
    const tokens = await Promise.all(
      gateways.map((gateway, i) => getJson<string[]>(gateway, `/sessions?from=${i}&step=${GATEWAYS}&voters=${VOTERS}`)),
    )
    const processes = { writer, gateways, bars }
    const unwatched = await castVotes({ poll: POLLS.unwatched, tokens, processes })
    const watchers = await openWatchers(bars)
    const watched = await castVotes({ poll: POLLS.watched, tokens, processes })
    await sleep(2_000)
    const outdated = watchers.filter(({ total }) => total() !== VOTERS).length
    for (const { socket } of watchers) socket.close()
    const { votes } = await getJson<{ votes: number }>(writer, '/consistency')
    const stored = votes - BATCH_SIZES.length * VOTERS
    const accepted = unwatched.accepted + watched.accepted
    if (stored !== 2 * VOTERS || accepted !== 2 * VOTERS)
      throw new Error(`${2 * VOTERS} votes sent, ${accepted} accepted, ${stored} stored.`)
    if (outdated > 0) throw new Error(`${outdated} of ${WATCHERS} watchers did not receive the last count.`)
    return [
      ...batchSizeRows,
      loadRow(`votes of one poll, ${GATEWAYS} gateways, one database`, unwatched),
      loadRow(`the same while ${WATCHERS.toLocaleString('en-US')} watch`, watched),
      ...cpuRows(unwatched, watched),
    ]
  } finally {
    await Promise.all(servers.map(({ child }) => killServer(child).catch(() => undefined)))
    rmSync(folder, { recursive: true, force: true })
  }
}

/** The database alone, by batch size. */
async function measureBatchSizes(writer: Server): Promise<ReportRow[]> {
  const rows: ReportRow[] = []
  for (const [i, size] of BATCH_SIZES.entries()) {
    const poll = `bench-${FIRST_BATCH_POLL + i}`
    const perSecond = await getJson<number>(writer, `/writer?poll=${poll}&size=${size}&voters=${VOTERS}`)
    rows.push(row(`the database alone, ${size} votes a batch`, `${perSecond.toFixed(0)} a second`))
  }
  return rows
}

const row = (label: string, measured: string, against = ''): ReportRow => ({
  label,
  measured,
  against,
  target: '-',
  passed: null,
})

const loadRow = (label: string, { perSecond, duplicates }: Load): ReportRow => ({
  ...row(label, `${perSecond.toFixed(0)} a second`, `${duplicates} duplicates rejected`),
  target: String(TARGET_PER_SECOND),
  passed: perSecond >= TARGET_PER_SECOND,
  cause: 'two cores run the clients, the gateways and the database.',
})

function cpuRows(unwatched: Load, watched: Load): ReportRow[] {
  const perVote = ({ cpuMs }: Load, name: string) => (cpuMs[name] ?? 0) / VOTERS
  return ['writer', 'gateways', 'bars', 'clients'].map((name) =>
    row(
      `processor time of a vote in the ${name}`,
      `${perVote(unwatched, name).toFixed(3)} ms`,
      `${perVote(watched, name).toFixed(3)} ms watched`,
    ),
  )
}

async function startServer(folder: string, name: string, writer?: string): Promise<Server> {
  const port = await freePort()
  const parameters = [`${folder}/bundle`, `${folder}/${name}`, String(port), ...(writer ? [writer] : [])]
  const child = fork('scripts/races/vote-load-server.ts', parameters, {
    env: { ...process.env, ...SILENT_ENV },
    execArgv: [],
    silent: true,
    detached: true,
  })
  const exited = once(child, 'exit').then(() => {
    throw new Error(`The ${name} did not start.`)
  })
  await Promise.race([once(child, 'message'), exited])
  exited.catch(() => undefined)
  return { child, port, url: `http://127.0.0.1:${port}` }
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

/** Sends each voter's vote over connections that stay open, as fast as responses arrive. */
async function castVotes({ poll, tokens, processes: { writer, gateways, bars } }: CastInput): Promise<Load> {
  const groups = { writer: [writer], gateways, bars: [bars] }
  const cpuOf = (servers: readonly Server[]) =>
    servers.reduce((sum, { child }) => sum + processGroupCpuMs(child.pid ?? 0), 0)
  const before = Object.entries(groups).map(([name, servers]) => [name, cpuOf(servers)] as const)
  const clientBefore = process.cpuUsage()
  const counts = { accepted: 0, duplicates: 0, failed: 0 }
  const startedAt = performance.now()
  await Promise.all(
    gateways.map(async (gateway, i) => {
      const votes: string[] = []
      for (const [n, token] of (tokens[i] ?? []).entries()) {
        const request = voteRequest(gateway, poll, token, n % 2)
        votes.push(request)
        if (n % SENDS_TWICE_EVERY === 0) votes.push(request)
      }
      const lanes = Array.from({ length: CONNECTIONS_PER_GATEWAY }, () => sendAll(gateway, votes, counts))
      await Promise.all(lanes)
    }),
  )
  const perSecond = (VOTERS / (performance.now() - startedAt)) * 1000
  const { user, system } = process.cpuUsage(clientBefore)
  const cpuMs = Object.fromEntries([
    ...before.map(([name, millis]) => [name, cpuOf(groups[name as keyof typeof groups]) - millis]),
    ['clients', (user + system) / 1000],
  ])
  if (counts.failed > 0) throw new Error(`${counts.failed} votes failed.`)
  return { perSecond, cpuMs, ...counts }
}

function voteRequest({ port }: Server, poll: string, token: string, option: number): string {
  const body = JSON.stringify({ optionId: `${poll}-${1 + option}` })
  return [
    `POST /api/polls/${poll}/vote HTTP/1.1`,
    `host: 127.0.0.1:${port}`,
    `origin: http://127.0.0.1:${port}`,
    `cookie: session=${token}`,
    'content-type: application/json',
    `content-length: ${body.length}`,
    '',
    body,
  ].join('\r\n')
}

/** Sends votes of the list over one connection until it is empty, each after the response to the one before. */
function sendAll({ port }: Server, votes: string[], counts: Record<'accepted' | 'duplicates' | 'failed', number>) {
  return new Promise<void>((resolve, reject) => {
    const socket = connect(port, '127.0.0.1')
    const next = () => {
      const vote = votes.pop()
      if (vote) socket.write(vote)
      else socket.end(() => resolve())
    }
    let received = ''
    socket.setEncoding('latin1')
    socket.on('connect', next)
    socket.on('error', reject)
    socket.on('data', (text) => {
      received += text
      if (!isComplete(received)) return
      const status = received.slice(9, 12)
      if (status === '200') counts.accepted++
      else if (status === '409') counts.duplicates++
      else counts.failed++
      received = ''
      next()
    })
  })
}

/** Whether a whole HTTP response has arrived, with a length or in chunks. */
function isComplete(response: string): boolean {
  const end = response.indexOf('\r\n\r\n')
  if (end < 0) return false
  const length = /\r\ncontent-length: (\d+)/i.exec(response.slice(0, end))?.[1]
  return length === undefined ? response.endsWith('\r\n0\r\n\r\n') : response.length >= end + 4 + Number(length)
}

/** Sockets on the counts of the poll, spread over several objects. */
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
          return { socket, total: () => countOf(last) }
        }),
      )),
    )
  return watchers
}

const countOf = (message: string): number =>
  message === ''
    ? 0
    : (JSON.parse(message) as { options: { voteCount: number }[] }).options.reduce((sum, o) => sum + o.voteCount, 0)

/** Linux counts processor time in hundredths of a second. */
const CLOCK_TICK_MS = 10

/** Processor time so far of a process group; 0 without /proc. */
function processGroupCpuMs(group: number): number {
  try {
    return readdirSync('/proc')
      .filter((name) => /^\d+$/.test(name))
      .map((pid) => cpuOfProcess(pid, group))
      .reduce((sum, millis) => sum + millis, 0)
  } catch {
    return 0
  }
}

function cpuOfProcess(pid: string, group: number): number {
  try {
    // After the name in parentheses: state, parent, process group, eight numbers, user and system time.
    const fields = readFileSync(`/proc/${pid}/stat`, 'utf8').split(') ')[1]?.split(' ') ?? []
    return Number(fields[2]) === group ? (Number(fields[11]) + Number(fields[12])) * CLOCK_TICK_MS : 0
  } catch {
    // The process has exited.
    return 0
  }
}
