import { partsInto } from '../lib/parts'
import { limits } from '../limits'
import { heading, line } from './csv'
import type { Source } from './sources'

export type Written = { rows: number; sizeBytes: number; sha256: string }

type Target = {
  db: D1Database
  files: R2Bucket
  key: string
  source: Source
  /** Limits the rows further, with values bound from ?4 on: one challenge's ballots. */
  only?: { where: string; values: readonly (string | number)[] }
  /** Called with the upload's id before a byte is sent, and again each page: whoever takes over aborts by it. */
  onProgress?: (uploadId: string) => Promise<void>
}
type Page = { text: string | null; last: number | null; n: number }

/**
 * Writes a source as CSV to R2: lines made by SQL in keyset pages, sent on in equal parts, in constant memory. The file
 * appears with the last byte or not at all. Rows that come while it writes are left out.
 * @throws whatever D1 and R2 throw, after giving the upload up.
 */
export async function writeCsv(target: Target): Promise<Written> {
  const upload = await target.files.createMultipartUpload(target.key, {
    httpMetadata: { contentType: 'text/csv; charset=utf-8' },
  })
  try {
    await target.onProgress?.(upload.uploadId)
    const parts = partsInto(upload)
    const encoder = new TextEncoder()
    await parts.write(encoder.encode(heading(target.source.columns)))
    let rows = 0
    for await (const page of pages(target)) {
      await parts.write(encoder.encode(page.text ?? ''))
      rows += page.n
      await target.onProgress?.(upload.uploadId)
    }
    return { rows, ...(await parts.end()) }
  } catch (error) {
    await upload.abort().catch(() => undefined)
    throw error
  }
}

/** The source's lines, page by page. A page that is too wide for one value is halved; D1 takes two million bytes. */
async function* pages({ db, source, only }: Target): AsyncGenerator<Page> {
  const { table, joins = '', where = 'true', columns } = source
  const highest = await db.prepare(`SELECT max(rowid) AS id FROM ${table}`).first<{ id: number | null }>()
  const statement = db.prepare(
    `WITH row AS MATERIALIZED (
       SELECT rowid AS place, * FROM ${table} WHERE rowid > ?1 AND rowid <= ?2 AND ${where} AND ${only?.where ?? 'true'}
       ORDER BY rowid LIMIT ?3)
     SELECT group_concat(${line(columns)}, '' ORDER BY row.place) AS text, (SELECT max(place) FROM row) AS last,
       (SELECT count(*) FROM row) AS n FROM row ${joins}`,
  )
  let size: number = limits.exportPageRows
  let after = 0
  for (;;) {
    const page = await statement
      .bind(after, highest?.id ?? 0, Math.floor(size), ...(only?.values ?? []))
      .first<Page>()
      .catch((error: unknown) => {
        if (size < 100) throw error
        return null
      })
    if (page && page.last === null) return
    if (!page || (page.text?.length ?? 0) > limits.exportPageChars) size /= 2
    if (!page) continue
    yield page
    after = page.last ?? after
  }
}
