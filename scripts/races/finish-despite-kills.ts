import type { ChildProcess } from 'node:child_process'
import { killServer, sleep } from './killable-server.ts'

type InterruptedWork = {
  /** Number of kills that must interrupt the work. */
  kills: number
  startServer: () => Promise<ChildProcess>
  /** Starts new work. A kill may prevent its response. */
  startWork: () => Promise<unknown>
  /** Makes a restarted server continue the work, as the five-minute job does. */
  resumeWork: () => Promise<unknown>
  /** Whether the work is done; reads the database, whether or not the server runs. */
  isDone: () => boolean
  /** Called while the server is down after a kill that interrupted the work. */
  afterKill?: () => void
}

/**
 * Does the work once to measure its duration, then repeats it with `kill -9` at random points, until `kills` of them
 * have interrupted it. Returns the running server, with all work done, and the delays of those kills.
 */
export async function finishDespiteKills(
  work: InterruptedWork,
): Promise<{ server: ChildProcess; killedAfterMs: number[] }> {
  const { kills, startServer, startWork, resumeWork, isDone, afterKill } = work
  let server = await startServer()
  try {
    const waitUntilDone = async () => {
      while (!isDone()) await sleep(20)
    }
    const startedAt = Date.now()
    await startWork()
    await waitUntilDone()
    const durationMs = Date.now() - startedAt
    const killedAfterMs: number[] = []
    for (let attempt = 0; killedAfterMs.length < kills; attempt++) {
      if (attempt > 5 * kills)
        throw new Error(`Only ${killedAfterMs.length} kills interrupted work of ${durationMs} ms.`)
      // Work that a kill interrupted is resumed; after finished work, new work starts.
      const response = (isDone() ? startWork() : resumeWork()).catch(() => undefined)
      const delayMs = Math.round(Math.random() * durationMs)
      await sleep(delayMs)
      await killServer(server)
      await response
      if (!isDone()) {
        killedAfterMs.push(delayMs)
        afterKill?.()
      }
      server = await startServer()
    }
    await resumeWork()
    await waitUntilDone()
    return { server, killedAfterMs }
  } catch (error) {
    await killServer(server)
    throw error
  }
}
