import { readdirSync, readFileSync } from 'node:fs'

/** Resident bytes of the runtimes (workerd) beneath this process; null where /proc does not tell. */
export function runtimeBytes(): number | null {
  try {
    const processes = readdirSync('/proc')
      .filter((name) => /^\d+$/.test(name))
      .flatMap((pid) => stateOf(Number(pid)))
    const ours = new Set([process.pid])
    // A child may stand before its parent in the list: as many passes as it takes.
    for (let before = 0; before !== ours.size; ) {
      before = ours.size
      for (const { pid, parent } of processes) if (ours.has(parent)) ours.add(pid)
    }
    const runtimes = processes.filter(({ pid, name }) => ours.has(pid) && name.startsWith('workerd'))
    return runtimes.length ? runtimes.reduce((sum, { bytes }) => sum + bytes, 0) : null
  } catch {
    return null
  }
}

/** What becomes of the memory while something is done: the most that it grew over where it began. */
export async function memoryGrowthDuring(act: () => Promise<unknown>): Promise<number | null> {
  const before = runtimeBytes()
  if (before === null) {
    await act()
    return null
  }
  let most = before
  const watch = setInterval(() => {
    most = Math.max(most, runtimeBytes() ?? 0)
  }, 20)
  await act().finally(() => clearInterval(watch))
  return Math.max(most, runtimeBytes() ?? 0) - before
}

function stateOf(pid: number): { pid: number; parent: number; name: string; bytes: number }[] {
  try {
    const status = readFileSync(`/proc/${pid}/status`, 'utf8')
    const field = (name: string) => new RegExp(`^${name}:\\s+(\\S+)`, 'm').exec(status)?.[1] ?? ''
    return [{ pid, parent: Number(field('PPid')), name: field('Name'), bytes: Number(field('VmRSS')) * 1024 }]
  } catch {
    // Gone meanwhile.
    return []
  }
}
