import { type ChildProcess, spawn } from 'node:child_process'
import { WRANGLER_BIN } from '../tools/run-tool.ts'
import { SILENT_ENV } from '../tools/silent-env.ts'
import { runtimeOptions } from './runtime-options.ts'

/** Serves the bundled worker in its own process group, which `killServer` kills as a whole. */
export function startServer(state: string, port: number, vars: Record<string, string> = {}): ChildProcess {
  const options = runtimeOptions({ state, port, vars: { SITE_MODE: 'production', ...vars } })
  return spawnGroup(['scripts/races/server-process.ts', JSON.stringify(options)], process.cwd())
}

type WranglerDevOptions = { /** The project's folder. */ cwd: string; protocol: 'http' | 'https' }

/** Serves another folder's worker with `wrangler dev`. */
export function startWranglerDev(
  state: string,
  port: number,
  vars: Record<string, string>,
  { cwd, protocol }: WranglerDevOptions,
): ChildProcess {
  const args = ['dev', '--local', '--port', String(port), '--inspector-port', '0', '--persist-to', state]
  args.push('--local-protocol', protocol, '--show-interactive-dev-session=false')
  for (const [name, value] of Object.entries(vars)) args.push('--var', `${name}:${value}`)
  return spawnGroup([WRANGLER_BIN, ...args], cwd)
}

const spawnGroup = (args: string[], cwd: string) =>
  spawn(process.execPath, args, { cwd, env: { ...process.env, ...SILENT_ENV }, stdio: 'ignore', detached: true })

/** Kills the process group with SIGKILL. Does nothing if the process has exited: its group id may already be reused. */
export async function killServer(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return
  const exit = new Promise<void>((resolve) => child.once('exit', () => resolve()))
  process.kill(-(child.pid ?? 0), 'SIGKILL')
  await exit
}

export const sleep = (durationMs: number) => new Promise((resolve) => setTimeout(resolve, durationMs))
