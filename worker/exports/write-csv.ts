import type { Deps } from '../deps'
import { createMultipartWriter } from '../lib/multipart-upload'
import { limits } from '../limits'
import { csvHeader, csvRow } from './csv'
import type { ExportSource } from './sources'

type CsvFile = { rows: number; sizeBytes: number; sha256: string }

type CsvTarget = Pick<Deps, 'db' | 'files'> & {
  key: string
  source: ExportSource
  /** Additional SQL condition; its parameters start at ?4. */
  filter?: { where: string; values: readonly (string | number)[] }
  /** Called with the upload id before the first byte, then after each page with the rows written so far. */
  onProgress?: (uploadId: string, rows: number) => Promise<void>
}
type Page = { text: string | null; rowCount: number; nextRowid: number | null }

/**
 * Writes a source as CSV to R2 in constant memory: SQL formats the rows, a multipart upload makes the file appear whole
 * or not at all. Rows inserted meanwhile are left out.
 * @throws errors of D1 and R2, after aborting the upload.
 */
export async function writeCsv(target: CsvTarget): Promise<CsvFile> {
  const upload = await target.files.createMultipartUpload(target.key, {
    httpMetadata: { contentType: 'text/csv; charset=utf-8' },
  })
  try {
    await target.onProgress?.(upload.uploadId, 0)
    const writer = createMultipartWriter(upload)
    await writer.writeText(csvHeader(target.source.columns))
    let rows = 0
    for await (const page of readPages(target)) {
      await writer.writeText(page.text ?? '')
      rows += page.rowCount
      await target.onProgress?.(upload.uploadId, rows)
    }
    return { rows, ...(await writer.end()) }
  } catch (error) {
    await upload.abort().catch(() => undefined)
    throw error
  }
}

/** Smaller ranges are not tried again after an error. */
const MIN_ROWID_RANGE = 100

/** The source's rows by ranges of rowids. A page larger than D1's maximum value (2 MB) is halved. */
async function* readPages({ db: { $client: d1 }, source, filter }: CsvTarget): AsyncGenerator<Page> {
  const { table, joins = '', where = 'true', columns } = source
  const highest = await d1.prepare(`SELECT max(rowid) AS rowid FROM ${table}`).first<{ rowid: number | null }>()
  // NOT INDEXED forces a scan by rowid. `nextRowid` skips gaps.
  const statement = d1.prepare(
    `SELECT group_concat(${csvRow(columns)}, '') AS text, count(*) AS rowCount,
       (SELECT min(rowid) FROM ${table} WHERE rowid >= ?1 + ?2 AND rowid <= ?3) AS nextRowid
     FROM ${table} AS row NOT INDEXED ${joins}
     WHERE row.rowid >= ?1 AND row.rowid < ?1 + ?2 AND row.rowid <= ?3 AND ${where} AND ${filter?.where ?? 'true'}`,
  )
  let rowidRange: number = limits.maxExportPageRows
  for (let from: number | null = 1; from !== null; ) {
    const page: Page | null = await statement
      .bind(from, Math.floor(rowidRange), highest?.rowid ?? 0, ...(filter?.values ?? []))
      .first<Page>()
      .catch((error: unknown) => {
        if (rowidRange < MIN_ROWID_RANGE) throw error
        return null
      })
    if (!page || (page.text?.length ?? 0) > limits.maxExportPageChars) rowidRange /= 2
    if (!page) continue
    yield page
    from = page.nextRowid
  }
}
