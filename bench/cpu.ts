import { median } from './comparisons.ts'
import { runtimeCpuMs } from './runtime-processes.ts'
import type { ReportRow } from './table.ts'

// Processor time per call: Cloudflare bills it, and other load on the machine hardly changes it. Locally it includes
// the database.

const ROUNDS = 3

const CALLS = [
  { label: 'a vote by itself', path: '/vote?at-once=1&limiter=memory', floor: '/floor/vote?at-once=1', calls: 600 },
  { label: 'a vote, 32 at once', path: '/vote?limiter=memory', floor: '/floor/vote', calls: 1_500 },
  { label: 'a cached read', path: '/api/tracks', floor: '/floor/hello', calls: 8_000 },
  { label: 'a rendered page', path: '/uncached/', floor: '/floor/page', calls: 100 },
  { label: 'a signed-in call', path: '/authenticated/api/points/history', floor: '/floor/history', calls: 1_500 },
] as const

/**
 * Measures processor milliseconds per call, and their ratio to those of its floor, the least code that does the same
 * work. Loads both in turn and takes the medians.
 */
export async function measureCpu(callBench: (path: string) => Promise<unknown>): Promise<ReportRow[]> {
  const millisPerCall = async (path: string, calls: number) => {
    const before = runtimeCpuMs()
    await callBench(`/bench?path=${encodeURIComponent(path)}&calls=${calls}`)
    return ((runtimeCpuMs() ?? Number.NaN) - (before ?? Number.NaN)) / calls
  }
  const rows: ReportRow[] = []
  for (const { label, path, floor, calls } of CALLS) {
    const appSamples: number[] = []
    const floorSamples: number[] = []
    for (const warmUp of [path, floor]) await millisPerCall(warmUp, calls / 4)
    for (let round = 0; round < ROUNDS; round++) {
      appSamples.push(await millisPerCall(path, calls))
      floorSamples.push(await millisPerCall(floor, calls))
    }
    const millis = median(appSamples)
    const floorMillis = median(floorSamples)
    rows.push({
      label: `processor time of ${label}`,
      measured: Number.isNaN(millis) ? 'needs /proc' : `${millis.toFixed(3)} ms`,
      against: Number.isNaN(millis) ? '' : `${(millis / floorMillis).toFixed(2)} of ${floorMillis.toFixed(3)} ms`,
      target: '-',
      passed: null,
    })
  }
  return rows
}
