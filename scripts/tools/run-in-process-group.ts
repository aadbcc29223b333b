import { spawn } from 'node:child_process'

/** Time a process group has to clean up before it is killed. */
const KILL_GRACE_MS = 3_000

/**
 * Runs a program and returns its stdout. A timeout ends its whole process group, because `npx` starts Lighthouse
 * and Lighthouse starts a browser.
 * @throws Error with stderr, or saying that it timed out.
 */
export function runInProcessGroup(
  program: string,
  args: readonly string[],
  timeoutMs: number,
  env = process.env,
): Promise<string> {
  return new Promise((resolve, reject) => {
    const child = spawn(program, args, { detached: true, stdio: ['ignore', 'pipe', 'pipe'], env })
    const output = { out: '', err: '' }
    child.stdout.setEncoding('utf8').on('data', (text) => (output.out += text))
    child.stderr.setEncoding('utf8').on('data', (text) => (output.err += text))
    const killGroup = (signal: NodeJS.Signals) => {
      try {
        if (child.pid) process.kill(-child.pid, signal)
      } catch {
        // The whole group has exited.
      }
    }
    let isTimedOut = false
    let killTimer: NodeJS.Timeout | undefined
    const timer = setTimeout(() => {
      isTimedOut = true
      killGroup('SIGINT')
      killTimer = setTimeout(killGroup, KILL_GRACE_MS, 'SIGKILL')
    }, timeoutMs)
    const finish = (error: Error | null) => {
      clearTimeout(timer)
      clearTimeout(killTimer)
      if (isTimedOut) {
        killGroup('SIGKILL')
        reject(new Error(`${program} was not done after ${timeoutMs / 1000} s.`))
      } else if (error) reject(error)
      else resolve(output.out)
    }
    child.on('error', finish)
    child.on('close', (code) => finish(code === 0 ? null : new Error(output.err || `${program} ended with ${code}.`)))
  })
}
