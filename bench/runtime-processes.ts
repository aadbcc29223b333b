import { readdirSync, readFileSync } from 'node:fs'

// Memory and processor time of the processes that run the worker, read from Linux's /proc.

/** Linux counts processor time in hundredths of a second. */
const CLOCK_TICK_MS = 10

const processIds = (): number[] =>
  readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name))
    .map(Number)

/** Processor time of the local runtime so far, in milliseconds; null without /proc. */
export function runtimeCpuMs(): number | null {
  const runtimes = runtimeProcesses()
  return runtimes.length ? runtimes.reduce((sum, { pid }) => sum + readCpuTime(pid).millis, 0) : null
}

/** Processor time of a process group so far, in milliseconds; 0 without /proc. */
export function processGroupCpuMs(groupId: number): number {
  try {
    const times = processIds().map(readCpuTime)
    return times.reduce((sum, time) => sum + (time.groupId === groupId ? time.millis : 0), 0)
  } catch {
    return 0
  }
}

/** A process's group and processor time; 0 once it has exited. */
function readCpuTime(pid: number): { groupId: number; millis: number } {
  try {
    // After the name in parentheses: state, parent, process group, eight numbers, user and system time.
    const fields = readFileSync(`/proc/${pid}/stat`, 'utf8').split(') ')[1]?.split(' ') ?? []
    return { groupId: Number(fields[2]), millis: (Number(fields[11]) + Number(fields[12])) * CLOCK_TICK_MS }
  } catch {
    return { groupId: 0, millis: 0 }
  }
}

/** Resident memory of the local runtime in bytes; null without /proc. */
function residentBytes(): number | null {
  const runtimes = runtimeProcesses()
  return runtimes.length ? runtimes.reduce((sum, { bytes }) => sum + bytes, 0) : null
}

/** The workerd processes that this process started, directly or not; empty without /proc. */
function runtimeProcesses(): ProcessInfo[] {
  try {
    const processes = processIds().flatMap(readProcess)
    const descendants = new Set([process.pid])
    // A child may be listed before its parent: repeat until nothing is added.
    for (let sizeBefore = 0; sizeBefore !== descendants.size; ) {
      sizeBefore = descendants.size
      for (const { pid, parent } of processes) if (descendants.has(parent)) descendants.add(pid)
    }
    return processes.filter(({ pid, name }) => descendants.has(pid) && name.startsWith('workerd'))
  } catch {
    return []
  }
}

/** The runtime's peak memory while `work` runs, minus the memory before it, in bytes; null without /proc. */
export async function memoryGrowthDuring(work: () => Promise<unknown>): Promise<number | null> {
  const before = residentBytes()
  if (before === null) {
    await work()
    return null
  }
  let peak = before
  const watch = setInterval(() => {
    peak = Math.max(peak, residentBytes() ?? 0)
  }, 20)
  await work().finally(() => clearInterval(watch))
  return Math.max(peak, residentBytes() ?? 0) - before
}

type ProcessInfo = { pid: number; parent: number; name: string; bytes: number }

/** One process with its resident memory, or none if it has exited. */
function readProcess(pid: number): ProcessInfo[] {
  try {
    const status = readFileSync(`/proc/${pid}/status`, 'utf8')
    const field = (name: string) => new RegExp(`^${name}:\\s+(\\S+)`, 'm').exec(status)?.[1] ?? ''
    return [{ pid, parent: Number(field('PPid')), name: field('Name'), bytes: Number(field('VmRSS')) * 1024 }]
  } catch {
    return []
  }
}
