import { spawnSync } from 'node:child_process'
import { mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'

/** Processes that use a state folder; `port` is null for a command that does not serve. */
type LockHolder = { pids: number[]; port: number | null }

type StateLock = {
  /** Adds a child process, which may outlive this one. */
  add: (pid: number) => void
  release: () => void
}

/**
 * Locks the local stores in a state folder, because two processes would corrupt them. Replaces the lock of a dead
 * process.
 * @throws Error naming the process that holds the lock, and its port
 */
export function lockState(state: string, port: number | null = null): StateLock {
  mkdirSync(state, { recursive: true })
  const path = join(state, 'lock.json')
  const holder: LockHolder = { pids: [process.pid], port }
  const write = () => writeFileSync(path, JSON.stringify(holder))
  withMutex(state, () => {
    const other = readHolder(path)
    const pid = other?.pids.find(isRunning)
    if (pid !== undefined) throw new Error(inUseMessage(state, pid, other?.port ?? null))
    write()
  })
  return {
    add: (pid) => {
      holder.pids.push(pid)
      write()
    },
    release: () => rmSync(path, { force: true }),
  }
}

/** Runs `work` under a mutex between processes: an SQLite lock, which ends with its process. */
function withMutex(state: string, work: () => void): void {
  const mutex = new DatabaseSync(join(state, 'lock.sqlite'), { timeout: 10_000 })
  try {
    mutex.exec('BEGIN EXCLUSIVE')
    work()
  } finally {
    mutex.close()
  }
}

const inUseMessage = (state: string, pid: number, port: number | null) =>
  port === null
    ? `Another command (process ${pid}) is using ${state}. Wait until it has finished.`
    : `A server (process ${pid}) is running on ${state} at http://localhost:${port}. Stop it first, or use another folder: STATE=.wrangler/other npm start`

function readHolder(path: string): LockHolder | null {
  try {
    return JSON.parse(readFileSync(path, 'utf8')) as LockHolder
  } catch {
    return null
  }
}

function isRunning(pid: number): boolean {
  try {
    process.kill(pid, 0)
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ESRCH') return false
  }
  // Another program may have the id by now. Without `ps`, assume it is the holder.
  const { status, stdout } = spawnSync('ps', ['-p', String(pid), '-o', 'command='], { encoding: 'utf8' })
  return status === 0 ? stdout.includes('node') : status === null
}
