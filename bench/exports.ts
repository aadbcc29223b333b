import { type ComparisonResult, compareSpeeds, median } from './comparisons.ts'
import type { WriteTime } from './data-workloads.ts'
import { memoryGrowthDuring } from './runtime-processes.ts'

const EXPORT_ROUNDS = 4
const EXPORT_ROW_COUNTS = [100_000, 1_000_000]
const EXPORT_MEMORY_LIMIT_BYTES = 32 * 1024 * 1024
const EXPORT_TARGET = 0.5
const FIRST_BYTE_LIMIT_MS = 50
/** Measured by removing one step at a time. */
const EXPORT_CAUSE =
  "the local runtime runs D1, R2 and the worker on one thread, so these steps add to the floor's 1.1 s: SQL 1.1 s, D1's response as JSON 0.5, UTF-8 0.2, SHA-256 0.3. On Cloudflare, D1 and R2 run on other machines."

/**
 * Growth of the runtime's memory in bytes during an export (`bytes`) and during a raw upload of the same size
 * (`rawBytes`); null without /proc.
 */
export type ExportMemory = {
  rows: number
  megabytes: number
  bytes: number | null
  rawBytes: number | null
  limitBytes: number
  passed: boolean | null
}

/** Milliseconds to the first byte of a ready file: median and longest of twenty. */
export type FirstByte = { rows: number; medianMs: number; longestMs: number; limitMs: number; passed: boolean }

/** Measures CSV exports of both sizes: memory of each; speed over raw bytes and time to first byte of the larger. */
export async function measureExports(
  call: <T>(path: string) => Promise<T>,
): Promise<{ speeds: ComparisonResult[]; memory: ExportMemory[]; firstBytes: FirstByte[] }> {
  const memory: ExportMemory[] = []
  let writeTime: WriteTime = { bytes: 0, millis: 0 }
  for (const rows of EXPORT_ROW_COUNTS) {
    await call(`/rows?rows=${rows}`)
    // The first export grows the runtime once; measure the second.
    await call(`/export?rows=${rows}`)
    const bytes = await memoryGrowthDuring(async () => {
      writeTime = await call<WriteTime>(`/export?rows=${rows}`)
    })
    const rawBytes = await memoryGrowthDuring(() => call(`/raw?bytes=${writeTime.bytes}`))
    const passed = bytes === null ? null : bytes <= EXPORT_MEMORY_LIMIT_BYTES
    memory.push({
      rows,
      megabytes: writeTime.bytes / 1024 / 1024,
      bytes,
      rawBytes,
      limitBytes: EXPORT_MEMORY_LIMIT_BYTES,
      passed,
    })
  }
  const perSecond = ({ bytes, millis }: WriteTime) => (bytes / millis) * 1000
  const exportSpeeds: number[] = []
  const floorSpeeds: number[] = []
  const repeatedSpeeds: number[] = []
  for (let round = 0; round < EXPORT_ROUNDS; round++) {
    floorSpeeds.push(perSecond(await call<WriteTime>(`/raw?bytes=${writeTime.bytes}`)))
    exportSpeeds.push(perSecond(await call<WriteTime>(`/export?rows=${EXPORT_ROW_COUNTS.at(-1)}`)))
    repeatedSpeeds.push(perSecond(await call<WriteTime>(`/raw?bytes=${writeTime.bytes}`)))
  }
  const rows = EXPORT_ROW_COUNTS.at(-1) ?? 0
  const waits = (await call<number[]>(`/first-bytes?rows=${rows}`)).sort((a, b) => a - b)
  const medianMs = median(waits)
  const longestMs = waits.at(-1) ?? 0
  const firstBytes = [
    { rows, medianMs, longestMs, limitMs: FIRST_BYTE_LIMIT_MS, passed: medianMs <= FIRST_BYTE_LIMIT_MS },
  ]
  await call('/rows?rows=0')
  const paths = { path: '/export', floor: '/floor/raw' }
  return {
    speeds: [
      compareSpeeds(
        { ...paths, label: 'A/A: raw parts to R2 against themselves, bytes', target: null },
        repeatedSpeeds,
        floorSpeeds,
      ),
      compareSpeeds(
        {
          ...paths,
          label: 'a CSV of 1,000,000 rows over raw parts to R2, bytes',
          target: EXPORT_TARGET,
          cause: EXPORT_CAUSE,
        },
        exportSpeeds,
        floorSpeeds,
      ),
    ],
    memory,
    firstBytes,
  }
}
