import type { Queueing } from './broadcast-load.ts'
import { type ComparisonResult, compareSpeeds } from './measure.ts'
import { memoryGrowthDuring } from './memory.ts'

const ROUNDS = 6
const RECIPIENTS = 10_000
/** A list ten times as long may cost no more memory than this over where it began, as a CSV of a million rows may. */
const MOST_BYTES = 32 * 1024 * 1024
/** The cursor is written and read in the same batch as the page: a quarter of the work at the most. */
const TARGET = 0.75
const CAUSE = 'beside its recipients each page writes its cursor and reads who may still be written to.'

/** What the memory of the runtime grew by while so many recipients were queued; null where it cannot be read. */
export type Memory = { people: number; bytes: number | null; limit: number; held: boolean | null }

/** A broadcast's recipients put into the outbox: how fast over the least that could do it, and in how much memory. */
export async function measureBroadcast(
  ask: <T>(path: string) => Promise<T>,
): Promise<{ speeds: ComparisonResult[]; memory: Memory[] }> {
  await ask(`/readers?people=${RECIPIENTS}`)
  await ask(`/queue-once?people=${RECIPIENTS}&round=0`)
  const rounds: Queueing[] = []
  for (let round = 1; round <= ROUNDS; round++)
    rounds.push(await ask<Queueing>(`/queue-once?people=${RECIPIENTS}&round=${round}`))
  const memory: Memory[] = []
  for (const people of [RECIPIENTS, 10 * RECIPIENTS]) {
    await ask(`/readers?people=${people}`)
    const bytes = await memoryGrowthDuring(() => ask(`/queue?people=${people}`))
    memory.push({ people, bytes, limit: MOST_BYTES, held: bytes === null ? null : bytes <= MOST_BYTES })
  }
  await ask('/readers?people=0')
  const queued = { path: '/queue', floor: '/floor/queue' }
  const floors = rounds.map(({ floor, again }) => (floor + again) / 2)
  return {
    speeds: [
      compareSpeeds(
        { ...queued, figure: 'A/A: raw pages of recipients against themselves', target: null },
        rounds.map(({ again }) => again),
        rounds.map(({ floor }) => floor),
      ),
      // The floor runs before and behind the product in each round: a machine that slows down slows both.
      compareSpeeds(
        { ...queued, figure: 'recipients queued over raw batched inserts', target: TARGET, cause: CAUSE },
        rounds.map(({ product }) => product),
        floors,
      ),
    ],
    memory,
  }
}
