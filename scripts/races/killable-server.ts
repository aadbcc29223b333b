import { type ChildProcess, spawn } from 'node:child_process'
import { SILENT_ENV } from '../tools/silent-env.ts'

type Options = { /** The project's folder; default this one. */ cwd?: string; protocol?: 'http' | 'https' }

/** Starts the server in its own process group, so that all of it can be killed. */
export function startServer(
  state: string,
  port: number,
  extraEnv: Record<string, string> = {},
  { cwd = process.cwd(), protocol = 'http' }: Options = {},
): ChildProcess {
  const args = ['dev', '--local', '--port', String(port), '--inspector-port', '0', '--persist-to', state]
  if (protocol === 'https') args.push('--local-protocol', 'https')
  const vars = { SITE_MODE: 'production', ...extraEnv }
  for (const [name, value] of Object.entries(vars)) args.push('--var', `${name}:${value}`)
  return spawn(
    process.execPath,
    ['node_modules/wrangler/bin/wrangler.js', ...args, '--show-interactive-dev-session=false'],
    {
      cwd,
      env: { ...process.env, ...SILENT_ENV },
      stdio: 'ignore',
      detached: true,
    },
  )
}

/** Kills the process group with SIGKILL. Does nothing if the process has exited: its group id may already be reused. */
export async function killServer(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return
  const exit = new Promise<void>((resolve) => child.once('exit', () => resolve()))
  process.kill(-(child.pid ?? 0), 'SIGKILL')
  await exit
}

export const sleep = (millis: number) => new Promise((resolve) => setTimeout(resolve, millis))
