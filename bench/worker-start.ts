import { spawn } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { request } from 'node:http'
import { createRequire } from 'node:module'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Readable } from 'node:stream'
import { median } from './comparisons.ts'
import type { ReportRow } from './table.ts'

// Measures worker start-up: the time from starting the runtime to a first public response, minus an empty worker's.

const ROUNDS = 9
const TARGET_MS = 40
const EMPTY_WORKER = "export default { fetch: () => new Response('') }\n"
/** Calls the app, which fails without bindings, but only after the modules that the call needs have loaded. */
const CALLING_WORKER = `import app from './app.js'
export default {
  fetch: async (_, env, context) => {
    await app.fetch(new Request('https://bench.example/api/tracks'), env, context)
    return new Response('')
  },
}
`
const ENTRIES = { empty: EMPTY_WORKER, app: CALLING_WORKER }

/** The runtime's configuration of a worker without bindings. */
const capnpConfig = (entry: keyof typeof ENTRIES, flags: string) => `using Workerd = import "/workerd/workerd.capnp";
const config :Workerd.Config = (
  services = [(name = "main", worker = (
    modules = [
      (name = "main.js", esModule = embed "${entry}.js"),
      ${entry === 'app' ? '(name = "app.js", esModule = embed "built.js"),' : ''}
    ],
    ${flags}
  ))],
  sockets = [(name = "http", address = "127.0.0.1:0", http = (), service = "main")],
);
`

/** The app's compatibility date and flags. */
function flagsOf(wranglerToml: string): string {
  const date = /^compatibility_date = "(.+)"$/m.exec(wranglerToml)?.[1]
  const flags = /^compatibility_flags = (\[.+\])$/m.exec(wranglerToml)?.[1]
  if (!date || !flags) throw new Error('wrangler.toml has no compatibility date or flags.')
  return `compatibilityDate = "${date}", compatibilityFlags = ${flags}`
}

/** Starts the runtime and returns the milliseconds until its first response. */
async function startWorkerd(folder: string, entry: keyof typeof ENTRIES): Promise<number> {
  const startedAt = performance.now()
  const runtime = spawn(findWorkerd(), ['serve', `${entry}.capnp`, '--control-fd=3'], {
    cwd: folder,
    stdio: ['ignore', 'ignore', 'pipe', 'pipe'],
  })
  let stderr = ''
  runtime.stderr?.on('data', (bytes) => {
    stderr += bytes
  })
  try {
    await waitForResponse(await readPort(runtime.stdio[3] as Readable))
    return performance.now() - startedAt
  } catch (error) {
    throw new Error(`The runtime does not start with ${entry}.js: ${stderr}`, { cause: error })
  } finally {
    const ended = new Promise((resolve) => runtime.once('exit', resolve))
    runtime.kill('SIGKILL')
    await ended
  }
}

/** Path of the runtime that wrangler depends on. */
function findWorkerd(): string {
  const { resolve } = createRequire(createRequire(import.meta.url).resolve('wrangler'))
  return join(resolve('workerd'), '../../bin/workerd')
}

/** Reads the port from the runtime's control messages. */
function readPort(control: Readable): Promise<number> {
  return new Promise((resolve, reject) => {
    let output = ''
    control.on('data', (bytes) => {
      output += bytes
      const port = /"event":"listen".*"port":(\d+)/.exec(output)?.[1]
      if (port) resolve(Number(port))
    })
    control.once('end', () => reject(new Error('The runtime exited before it listened on a port.')))
  })
}

function waitForResponse(port: number): Promise<void> {
  return new Promise((resolve, reject) => {
    const sent = request({ host: '127.0.0.1', port }, (response) => {
      if (response.statusCode !== 200) reject(new Error(`The worker answered ${response.statusCode}.`))
      response.resume().once('end', resolve)
    })
    sent.once('error', reject)
    sent.end()
  })
}

/** Measures the start of the empty and of the deployed worker in alternating order; the row has the difference. */
export async function measureStart(bundlePath: string): Promise<ReportRow> {
  const folder = mkdtempSync(join(tmpdir(), 'start-'))
  try {
    const flags = flagsOf(readFileSync('wrangler.toml', 'utf8'))
    writeFileSync(join(folder, 'built.js'), readFileSync(bundlePath))
    for (const entry of ['empty', 'app'] as const) {
      writeFileSync(join(folder, `${entry}.js`), ENTRIES[entry])
      writeFileSync(join(folder, `${entry}.capnp`), capnpConfig(entry, flags))
    }
    const overheads: number[] = []
    const floors: number[] = []
    for (const entry of ['empty', 'app'] as const) await startWorkerd(folder, entry)
    for (let round = 0; round < ROUNDS; round++) {
      const times = { empty: 0, app: 0 }
      const order = round % 2 === 0 ? (['empty', 'app'] as const) : (['app', 'empty'] as const)
      for (const entry of order) times[entry] = await startWorkerd(folder, entry)
      floors.push(times.empty)
      overheads.push(times.app - times.empty)
    }
    for (const times of [overheads, floors]) times.sort((a, b) => a - b)
    const middle = median(overheads)
    const floor = median(floors)
    return {
      label: 'worker start and first public call minus those of an empty worker',
      measured: `${middle.toFixed(1)} ms`,
      against: `${overheads[0]?.toFixed(0)}..${overheads.at(-1)?.toFixed(0)} ms, empty worker ${floor.toFixed(0)} ms`,
      target: `${TARGET_MS} ms`,
      passed: middle <= TARGET_MS,
      cause:
        'most is compiling the file, whether or not its code runs; the rest is code that modules run on load (docs/decisions/0029).',
    }
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}
