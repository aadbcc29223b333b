import type { Deps } from '../deps'
import { SECOND_MS } from '../lib/clock'
import type { archives } from './archives.table'
import { BLOCK_BYTES, END_BYTES, entryBytes, tarHeader } from './tar'

type RecordedEntry = { path: string; source: string; etag: string; sizeBytes: number; offset: number }

const ENTRIES_PER_PAGE = 500

/** A file was replaced or deleted after it was listed, so the archive must start over. */
export class SourceChangedError extends Error {}

/** The bytes [start, end) of an archive, built from its recorded entries. @throws SourceChangedError. */
export async function* readTarRange(
  { db: { $client: d1 }, files }: Pick<Deps, 'db' | 'files'>,
  { id, createdAt }: Pick<typeof archives.$inferSelect, 'id' | 'createdAt'>,
  totalBytes: number,
  start: number,
  end: number,
): AsyncGenerator<Uint8Array> {
  // The entry that contains `start` may begin before it.
  const page = d1.prepare(
    `SELECT path, source, etag, size_bytes AS sizeBytes, offset FROM archive_entries
     WHERE archive_id = ?1 AND offset > ?2 AND offset < ?3
       AND offset >= (SELECT max(offset) FROM archive_entries WHERE archive_id = ?1 AND offset <= ?4)
     ORDER BY offset LIMIT ${ENTRIES_PER_PAGE}`,
  )
  for (let after = -1; ; ) {
    const { results } = await page.bind(id, after, end, start).all<RecordedEntry>()
    for (const entry of results) yield* readEntryRange(files, entry, createdAt / SECOND_MS, start, end)
    const last = results.at(-1)
    if (!last) break
    after = last.offset
  }
  // The empty blocks at the end of the archive.
  const zeros = Math.min(end, totalBytes) - Math.max(start, totalBytes - END_BYTES)
  if (zeros > 0) yield new Uint8Array(zeros)
}

async function* readEntryRange(
  files: R2Bucket,
  { path, source, etag, sizeBytes, offset }: RecordedEntry,
  mtimeSeconds: number,
  start: number,
  end: number,
): AsyncGenerator<Uint8Array> {
  /** Overlap of [start, end) with the `length` bytes at `from`, relative to `from`. */
  const overlap = (from: number, length: number) => {
    const first = Math.max(0, start - from)
    return { first, length: Math.max(0, Math.min(length, end - from) - first) }
  }
  const header = overlap(offset, BLOCK_BYTES)
  if (header.length > 0)
    yield tarHeader(path, sizeBytes, Math.floor(mtimeSeconds)).subarray(header.first, header.first + header.length)
  const body = overlap(offset + BLOCK_BYTES, sizeBytes)
  if (body.length > 0) {
    const file = await files.get(source, { range: { offset: body.first, length: body.length } })
    if (file?.etag !== etag) throw new SourceChangedError()
    yield* file.body as AsyncIterable<Uint8Array>
  }
  const padding = overlap(offset + BLOCK_BYTES + sizeBytes, entryBytes(sizeBytes) - BLOCK_BYTES - sizeBytes)
  if (padding.length > 0) yield new Uint8Array(padding.length)
}
