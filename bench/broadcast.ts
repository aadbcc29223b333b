import { type ComparisonResult, compareSpeeds } from './comparisons.ts'
import type { QueueingTimes } from './data-workloads.ts'
import { memoryGrowthDuring } from './runtime-processes.ts'

const BROADCAST_ROUNDS = 6
const RECIPIENTS = 10_000
const BROADCAST_MEMORY_LIMIT_BYTES = 32 * 1024 * 1024
/** Writing and reading each page's cursor may cost at most a quarter. */
const BROADCAST_TARGET = 0.75
const BROADCAST_CAUSE = 'besides its recipients, each page writes its cursor and filters the subscribers by audience.'

/** Growth of the runtime's memory while recipients are queued, in bytes; null without /proc. */
export type BroadcastMemory = { recipients: number; bytes: number | null; limitBytes: number; passed: boolean | null }

/** Measures queueing a broadcast's recipients: speed over the floor, and memory. */
export async function measureBroadcast(
  call: <T>(path: string) => Promise<T>,
): Promise<{ speeds: ComparisonResult[]; memory: BroadcastMemory[] }> {
  await call(`/broadcast-subscribers?recipients=${RECIPIENTS}`)
  await call(`/queue-once?recipients=${RECIPIENTS}&round=0`)
  const rounds: QueueingTimes[] = []
  for (let round = 1; round <= BROADCAST_ROUNDS; round++)
    rounds.push(await call<QueueingTimes>(`/queue-once?recipients=${RECIPIENTS}&round=${round}`))
  const memory: BroadcastMemory[] = []
  for (const recipients of [RECIPIENTS, 10 * RECIPIENTS]) {
    await call(`/broadcast-subscribers?recipients=${recipients}`)
    const bytes = await memoryGrowthDuring(() => call(`/queue?recipients=${recipients}`))
    memory.push({
      recipients,
      bytes,
      limitBytes: BROADCAST_MEMORY_LIMIT_BYTES,
      passed: bytes === null ? null : bytes <= BROADCAST_MEMORY_LIMIT_BYTES,
    })
  }
  await call('/broadcast-subscribers?recipients=0')
  const queued = { path: '/queue', floor: '/floor/queue' }
  // The floor runs before and after the app's own code in each round.
  const floorSpeeds = rounds.map(({ floor, repeatedFloor }) => (floor + repeatedFloor) / 2)
  return {
    speeds: [
      compareSpeeds(
        { ...queued, label: 'A/A: raw pages of recipients against themselves', target: null },
        rounds.map(({ repeatedFloor }) => repeatedFloor),
        rounds.map(({ floor }) => floor),
      ),
      compareSpeeds(
        {
          ...queued,
          label: 'recipients queued over raw batched inserts',
          target: BROADCAST_TARGET,
          cause: BROADCAST_CAUSE,
        },
        rounds.map(({ app }) => app),
        floorSpeeds,
      ),
    ],
    memory,
  }
}
