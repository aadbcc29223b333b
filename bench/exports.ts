import type { WriteTime } from './export-load.ts'
import { type ComparisonResult, compareSpeeds } from './measure.ts'
import { memoryGrowthDuring } from './memory.ts'

const ROUNDS = 4
const SIZES = [100_000, 1_000_000]
const MOST_BYTES = 32 * 1024 * 1024
const TARGET = 0.5
const FIRST_BYTE_MS = 50
/** Seconds of 108 MB in that runtime, found by leaving out one step after another. */
const CAUSE =
  "the local runtime does D1's work, R2's and ours on one thread, so that what lines cost is added to the floor's 1.1 s: SQL 1.1, D1's answer as JSON 0.5, UTF-8 0.2, SHA-256 0.3. On Cloudflare D1 and R2 are other machines."

/**
 * What the runtime's memory grew by while a CSV of so many rows was written, and while as many raw bytes were (`raw`);
 * null where it cannot be read.
 */
export type ExportMemory = {
  rows: number
  megabytes: number
  bytes: number | null
  raw: number | null
  limit: number
  held: boolean | null
}

/** How long a ready file's first bytes were waited for, in milliseconds: the middle of twenty, and the longest. */
export type FirstByte = { rows: number; median: number; longest: number; limit: number; held: boolean }

/** CSV of a million rows: its memory beside that of a tenth, and how fast over sending as many bytes that were there. */
export async function measureExports(
  ask: <T>(path: string) => Promise<T>,
): Promise<{ speeds: ComparisonResult[]; memory: ExportMemory[]; firstBytes: FirstByte[] }> {
  const memory: ExportMemory[] = []
  let written: WriteTime = { bytes: 0, millis: 0 }
  for (const rows of SIZES) {
    await ask(`/rows?rows=${rows}`)
    // The baseline is of a runtime that has written before: what it keeps for good is not the export's.
    await ask(`/export?rows=${rows}`)
    const bytes = await memoryGrowthDuring(async () => {
      written = await ask<WriteTime>(`/export?rows=${rows}`)
    })
    const raw = await memoryGrowthDuring(() => ask(`/raw?bytes=${written.bytes}`))
    const held = bytes === null ? null : bytes <= MOST_BYTES
    memory.push({ rows, megabytes: written.bytes / 1024 / 1024, bytes, raw, limit: MOST_BYTES, held })
  }
  const perSecond = ({ bytes, millis }: WriteTime) => (bytes / millis) * 1000
  const [product, floors, again]: [number[], number[], number[]] = [[], [], []]
  for (let round = 0; round < ROUNDS; round++) {
    floors.push(perSecond(await ask<WriteTime>(`/raw?bytes=${written.bytes}`)))
    product.push(perSecond(await ask<WriteTime>(`/export?rows=${SIZES.at(-1)}`)))
    again.push(perSecond(await ask<WriteTime>(`/raw?bytes=${written.bytes}`)))
  }
  const rows = SIZES.at(-1) ?? 0
  const waits = (await ask<number[]>(`/first-bytes?rows=${rows}`)).sort((a, b) => a - b)
  const [median, longest] = [waits[Math.floor(waits.length / 2)] ?? 0, waits.at(-1) ?? 0]
  const firstBytes = [{ rows, median, longest, limit: FIRST_BYTE_MS, held: median <= FIRST_BYTE_MS }]
  await ask('/rows?rows=0')
  const sent = { path: '/export', floor: '/floor/raw' }
  return {
    speeds: [
      compareSpeeds({ ...sent, figure: 'A/A: raw parts to R2 against themselves, bytes', target: null }, again, floors),
      compareSpeeds(
        { ...sent, figure: 'a CSV of 1,000,000 rows over raw parts to R2, bytes', target: TARGET, cause: CAUSE },
        product,
        floors,
      ),
    ],
    memory,
    firstBytes,
  }
}
