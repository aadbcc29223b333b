import { type ChildProcess, fork } from 'node:child_process'
import { once } from 'node:events'
import { type Agent, request } from 'node:http'
import { runtimeOptions } from '../scripts/races/runtime-options.ts'
import { runTool, WRANGLER_BIN } from '../scripts/tools/run-tool.ts'
import { SILENT_ENV } from '../scripts/tools/silent-env.ts'

/** Bundles the benchmark worker into `folder`. Returns the script's path. */
export async function bundleBench(folder: string): Promise<string> {
  const wrangler = ['deploy', '--dry-run', '--config', 'bench/wrangler.toml', '--outdir', `../${folder}/bundle`]
  if (!(await runTool(WRANGLER_BIN, wrangler, { WRANGLER_LOG: 'error' })))
    throw new Error('The bench worker could not be built.')
  return `${folder}/bundle/worker.js`
}

const BENCH_VARS = {
  SITE_ORIGIN: 'https://bench.example',
  MAIL_FROM: 'hello@bench.example',
  SITE_MODE: 'production',
  SIGNING_SECRET: 'a-secret-for-the-bench-alone-0123456789',
}

/** Serves the bundled benchmark worker, with stores that outlive it, in its own process group. */
export async function serveBench(
  script: string,
  state: string,
  port: number,
  vars: Record<string, string> = {},
): Promise<ChildProcess> {
  const options = runtimeOptions({
    state,
    port,
    script,
    config: 'bench/wrangler.toml',
    vars: { ...BENCH_VARS, ...vars },
  })
  const child = fork('scripts/races/server-process.ts', [JSON.stringify(options)], {
    env: { ...process.env, ...SILENT_ENV },
    execArgv: [],
    silent: true,
    detached: true,
  })
  const exited = once(child, 'exit').then(() => {
    throw new Error('The benchmark server did not start.')
  })
  await Promise.race([once(child, 'message'), exited])
  exited.catch(() => undefined)
  return child
}

type RequestOptions = { json?: string; cookie?: string; hangsUp?: boolean }
/** Sends a request. Status 0 means that there was no response or the client hung up. */
export function sendRequest(agent: Agent, port: number, method: string, path: string, options: RequestOptions = {}) {
  const { json = '', cookie = '', hangsUp = false } = options
  const headers = {
    origin: `http://127.0.0.1:${port}`,
    cookie,
    ...(json && { 'content-type': 'application/json', 'content-length': Buffer.byteLength(json) }),
  }
  return new Promise<{ status: number; text: string }>((resolve) => {
    const clientRequest = request({ agent, host: '127.0.0.1', port, method, path, headers }, (response) => {
      let text = ''
      response.setEncoding('utf8')
      response.on('data', (chunk) => (text += chunk))
      response.on('end', () => resolve({ status: response.statusCode ?? 0, text }))
      response.on('error', () => resolve({ status: 0, text: '' }))
    })
    clientRequest.on('error', () => resolve({ status: 0, text: '' }))
    clientRequest.end(json, () => hangsUp && setTimeout(() => clientRequest.destroy(), 2))
  })
}

/** Calls `work` repeatedly, several calls at a time, until it returns false. */
export async function runConcurrently(concurrency: number, work: () => Promise<boolean>): Promise<void> {
  const lane = async () => {
    while (await work());
  }
  await Promise.all(Array.from({ length: concurrency }, lane))
}
