import type { ChildProcess } from 'node:child_process'
import { killServer, sleep } from './killable-server.ts'

type Work = {
  /** How many times the server dies while the work is unfinished. */
  kills: number
  start: () => Promise<ChildProcess>
  /** Starts new work; its response may never arrive. */
  begin: () => Promise<unknown>
  /** Makes a restarted server go on, as the scheduled job does. */
  resume: () => Promise<unknown>
  /** Read from the database of the stopped or the running server. */
  isDone: () => boolean
  /** Runs while the server is down, after a kill that interrupted the work. */
  afterKill?: () => void
}

/**
 * Runs work to its end once, to learn its duration, then again with `kill -9` at random points until enough of them
 * interrupted it. Returns the running server; the last work is done.
 */
export async function finishDespiteKills(work: Work): Promise<{ server: ChildProcess; killedAfterMs: number[] }> {
  const { kills, start, begin, resume, isDone, afterKill } = work
  let server = await start()
  try {
    const finish = async () => {
      while (!isDone()) await sleep(5)
    }
    const startedAt = Date.now()
    await begin()
    await finish()
    const durationMs = Date.now() - startedAt
    const killedAfterMs: number[] = []
    for (let attempt = 0; killedAfterMs.length < kills; attempt++) {
      if (attempt > 5 * kills)
        throw new Error(`Only ${killedAfterMs.length} kills interrupted work of ${durationMs} ms.`)
      // What an earlier kill left is resumed; finished work is followed by new work.
      const response = (isDone() ? begin() : resume()).catch(() => undefined)
      const delayMs = Math.round(Math.random() * durationMs)
      await sleep(delayMs)
      await killServer(server)
      await response
      if (!isDone()) {
        killedAfterMs.push(delayMs)
        afterKill?.()
      }
      server = await start()
    }
    await resume()
    await finish()
    return { server, killedAfterMs }
  } catch (error) {
    await killServer(server)
    throw error
  }
}
