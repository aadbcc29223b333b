import { spawn, spawnSync } from 'node:child_process'
import { SILENT_ENV } from './silent-env.ts'

export const WRANGLER_BIN = 'node_modules/wrangler/bin/wrangler.js'

/** Runs a Node program and prints its output without known noise. Returns whether it succeeded. */
export function runTool(path: string, args: readonly string[], env: Record<string, string> = {}): Promise<boolean> {
  const child = spawn(process.execPath, [path, ...args], {
    stdio: ['ignore', 'pipe', 'pipe'],
    env: { ...process.env, ...SILENT_ENV, ...env },
  })
  for (const stream of [child.stdout, child.stderr]) {
    let partialLine = ''
    stream.setEncoding('utf8').on('data', (text: string) => {
      const lines = (partialLine + text).split('\n')
      partialLine = lines.pop() ?? ''
      for (const line of lines) if (!isNoise(line)) console.log(line)
    })
    stream.on('end', () => partialLine && !isNoise(partialLine) && console.log(partialLine))
  }
  return new Promise((resolve) => child.on('exit', (code) => resolve(code === 0)))
}

/** Runs wrangler to its end. `output` is what it printed, errors after results. */
export function runWrangler(args: readonly string[]): { succeeded: boolean; output: string } {
  const { status, stdout, stderr } = spawnSync(process.execPath, [WRANGLER_BIN, ...args], {
    encoding: 'utf8',
    env: { ...process.env, WRANGLER_SEND_METRICS: 'false' },
  })
  return { succeeded: status === 0, output: stdout + stderr }
}

// Some libraries ship source maps without their sources.
const isNoise = (line: string) => /Sourcemap for .* points to missing source files/.test(line)
