import { CsvError, parse } from 'csv-parse/stream'
import { MAX_IMPORT_COLUMNS } from '../contract/imports'
import { AppError } from '../lib/app-error'

/** Maximum length of a row. The delimiter is detected within this many bytes of the file. */
const MAX_RECORD_CHARS = 128 * 1024

/** First bytes of other files that are often uploaded as CSV. */
const SIGNATURES: readonly [name: string, bytes: readonly number[]][] = [
  ['a zip file: unpack it, then choose the CSV file inside', [0x50, 0x4b, 0x03, 0x04]],
  ['a compressed file: unpack it, then choose the CSV file inside', [0x1f, 0x8b]],
  ['an Excel file: open it, then save it as “CSV UTF-8”', [0xd0, 0xcf, 0x11, 0xe0]],
  ['a PDF: download the export as a CSV file instead', [0x25, 0x50, 0x44, 0x46]],
]

const fileError = (message: string) => new AppError('bad_input', message)

/**
 * The text of an uploaded file as UTF-8 without BOM. UTF-16, which Bandcamp writes, is converted.
 * @throws AppError `bad_input` for an empty file and for content that is not UTF-8 or UTF-16 text.
 */
export async function* readUtf8(bytes: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array> {
  const chunks = withFirstBytes(bytes, 4)
  const { value: first, done } = await chunks.next()
  if (done || first.length === 0) throw fileError('This file is empty. Choose another one.')
  for (const [name, signature] of SIGNATURES)
    if (signature.every((byte, i) => first[i] === byte)) throw fileError(`This is ${name}.`)
  const encoding = encodingOf(first)
  const decoder = new TextDecoder(encoding, { fatal: true, ignoreBOM: false })
  const encoder = new TextEncoder()
  const decode = (chunk?: Uint8Array): string => {
    try {
      return decoder.decode(chunk, { stream: chunk !== undefined })
    } catch {
      throw fileError('This file is not in UTF-8. In your spreadsheet, save it as “CSV UTF-8”, then choose it again.')
    }
  }
  for (let chunk: Uint8Array | undefined = first; chunk; chunk = (await chunks.next()).value ?? undefined) {
    const text = decode(chunk)
    if (text.includes('\0')) throw fileError('This is not a text file. Choose the CSV file that the platform exported.')
    // The decoder drops the BOM.
    yield encoder.encode(text)
  }
  const lastText = decode()
  if (lastText !== '') yield encoder.encode(lastText)
}

function encodingOf(first: Uint8Array): 'utf-8' | 'utf-16le' | 'utf-16be' {
  if (first[0] === 0xff && first[1] === 0xfe) return 'utf-16le'
  return first[0] === 0xfe && first[1] === 0xff ? 'utf-16be' : 'utf-8'
}

/** The same bytes, regrouped: the first chunk has at least `size` bytes, if there are as many. */
async function* withFirstBytes(bytes: AsyncIterable<Uint8Array>, size: number): AsyncGenerator<Uint8Array, void> {
  let first: Uint8Array | null = new Uint8Array()
  for await (const chunk of bytes) {
    if (first === null) {
      yield chunk
      continue
    }
    first = concat(first, chunk)
    if (first.length < size) continue
    yield first
    first = null
  }
  if (first !== null && first.length > 0) yield first
}

function concat(a: Uint8Array, b: Uint8Array): Uint8Array {
  const joined = new Uint8Array(a.length + b.length)
  joined.set(a)
  joined.set(b, a.length)
  return joined
}

/** Where to start reading: a row number as in a spreadsheet, and the offset of the row's first byte in the file. */
export type CsvPosition = { row: number; offset: number; delimiter: string }
/** A row, with the offsets of its first byte and of the byte after its last, from the start of the file. */
type CsvRecord = { cells: string[]; row: number; start: number; end: number }
type Csv = { delimiter: string; records: AsyncGenerator<CsvRecord> }

/**
 * Reads a CSV file in UTF-8 from a position. Without one it reads from the header, whose delimiter (comma, semicolon or
 * tab) applies to the file. It reads at most one chunk beyond the record it yields.
 * @throws AppError `bad_input`, while `records` is read, for unmatched quotation marks, a row that is too long or too
 *   many columns.
 */
export async function openCsv(utf8: AsyncIterable<Uint8Array>, from?: CsvPosition): Promise<Csv> {
  const chunks = utf8[Symbol.asyncIterator]()
  if (from) return { delimiter: from.delimiter, records: readCsvRecords(chunks, new Uint8Array(), from) }
  let head = new Uint8Array()
  while (head.length < MAX_RECORD_CHARS && !head.includes(0x0a)) {
    const next = await chunks.next()
    if (next.done) break
    head = concat(head, next.value) as Uint8Array<ArrayBuffer>
  }
  const delimiter = delimiterOf(head)
  return { delimiter, records: readCsvRecords(chunks, head, { row: 1, offset: 0, delimiter }) }
}

async function* readCsvRecords(
  chunks: AsyncIterator<Uint8Array>,
  head: Uint8Array,
  { row: firstRow, offset, delimiter }: CsvPosition,
): AsyncGenerator<CsvRecord> {
  let row = firstRow
  let end = offset
  let parsed: CsvRecord[] = []
  const parser = parse({
    delimiter,
    relax_column_count: true,
    max_record_size: MAX_RECORD_CHARS,
    record_delimiter: ['\r\n', '\n', '\r'],
    on_record: (cells: string[], { bytes }) => {
      const record = { cells, row, start: end, end: offset + bytes }
      parsed.push(record)
      row += 1
      end = record.end
      // `parsed` collects the records, because the stream would buffer a thousand chunks of them.
      return null
    },
  })
  const writer = (parser as TransformStream<Uint8Array>).writable.getWriter()
  const takeParsed = function* () {
    const records = parsed
    parsed = []
    for (const record of records) {
      if (record.cells.length > MAX_IMPORT_COLUMNS && record.row === 1) throw tooManyColumnsError()
      yield record
    }
  }
  try {
    for (let chunk: Uint8Array | undefined = head; chunk; chunk = (await chunks.next()).value ?? undefined) {
      // The parser compares bytes with methods of Node's Buffer.
      await writer.write(Buffer.from(chunk))
      yield* takeParsed()
    }
    await writer.close()
    yield* takeParsed()
  } catch (error) {
    if (!(error instanceof CsvError)) throw error
    throw fileError(
      `Row ${row} is not complete: it is very long, or has an unmatched quotation mark. Export the file again.`,
    )
  } finally {
    await chunks.return?.()
  }
}

const tooManyColumnsError = () =>
  fileError(`This file has more than ${MAX_IMPORT_COLUMNS} columns. Choose the CSV file that the platform exported.`)

/** The delimiter that is most frequent outside of quotes in the first row. */
function delimiterOf(head: Uint8Array): string {
  const text = new TextDecoder().decode(head)
  const [firstRow = ''] = text.replace(/"[^"]*"/g, '').split(/[\r\n]/, 1)
  const count = (delimiter: string) => firstRow.split(delimiter).length
  return [',', ';', '\t'].reduce((best, candidate) => (count(candidate) > count(best) ? candidate : best))
}
