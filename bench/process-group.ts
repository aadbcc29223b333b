import { spawn } from 'node:child_process'

/** How long a group may take to tidy up, before all of it is killed. */
const KILL_GRACE_MS = 3_000

/**
 * Runs a program in a process group of its own and tells what it printed. When it takes too long all of the group ends,
 * and not only the first of it: `npx` starts Lighthouse. SIGINT comes first, for Lighthouse then kills its browser, which
 * stands in a third group.
 * @throws Error with what it printed as its errors, or that it was not done in time.
 */
export function runInProcessGroup(
  program: string,
  args: readonly string[],
  withinMs: number,
  env = process.env,
): Promise<string> {
  return new Promise((resolve, reject) => {
    const child = spawn(program, args, { detached: true, stdio: ['ignore', 'pipe', 'pipe'], env })
    const printed = { out: '', err: '' }
    child.stdout.setEncoding('utf8').on('data', (text) => (printed.out += text))
    child.stderr.setEncoding('utf8').on('data', (text) => (printed.err += text))
    const end = (signal: NodeJS.Signals) => {
      try {
        if (child.pid) process.kill(-child.pid, signal)
      } catch {
        // All of it has ended by itself.
      }
    }
    let late = false
    let last: NodeJS.Timeout | undefined
    const first = setTimeout(() => {
      late = true
      end('SIGINT')
      last = setTimeout(end, KILL_GRACE_MS, 'SIGKILL')
    }, withinMs)
    const over = (error: Error | null) => {
      clearTimeout(first)
      clearTimeout(last)
      if (late) {
        end('SIGKILL')
        reject(new Error(`${program} was not done after ${withinMs / 1000} s.`))
      } else if (error) reject(error)
      else resolve(printed.out)
    }
    child.on('error', over)
    child.on('close', (code) => over(code === 0 ? null : new Error(printed.err || `${program} ended with ${code}.`)))
  })
}
