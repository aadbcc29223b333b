import { spawn } from 'node:child_process'
import { WRANGLER_BIN } from './run-tool.ts'
import { SILENT_ENV } from './silent-env.ts'

/** Starts `wrangler dev`; the caller stops it. */
export function startWrangler({
  state,
  port,
  vars,
  inheritOutput,
}: {
  state: string
  port: number
  vars: Record<string, string>
  inheritOutput: boolean
}) {
  const args = [
    'dev',
    '--local',
    '--port',
    String(port),
    '--inspector-port',
    '0',
    '--persist-to',
    state,
    '--show-interactive-dev-session=false',
  ]
  for (const [name, value] of Object.entries(vars)) args.push('--var', `${name}:${value}`)
  return spawn(process.execPath, [WRANGLER_BIN, ...args], {
    env: { ...process.env, ...SILENT_ENV },
    stdio: ['ignore', inheritOutput ? 'inherit' : 'pipe', inheritOutput ? 'inherit' : 'pipe'],
  })
}

/** Waits until the site is healthy. @throws Error after a minute. */
export async function waitUntilReady(origin: string): Promise<void> {
  for (let attempt = 0; attempt < 1200; attempt++) {
    const response = await fetch(`${origin}/healthz`).catch(() => null)
    if (response?.ok) return
    await new Promise((resolve) => setTimeout(resolve, 50))
  }
  throw new Error(`No response from ${origin} within a minute.`)
}
