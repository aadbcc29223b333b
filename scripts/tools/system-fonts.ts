import { mkdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { inflateSync } from 'node:zlib'

/**
 * Installs Arimo, which has Arial's metrics, for the packaged browser: visitors see Arial until the web font loads.
 * Returns the path for FONTCONFIG_FILE.
 */
export function installSystemFonts(folder = '.cache/fonts'): string {
  mkdirSync(folder, { recursive: true })
  for (const weight of [400, 700]) {
    const woff = readFileSync(`node_modules/@fontsource/arimo/files/arimo-latin-${weight}-normal.woff`)
    replaceFile(join(folder, `arimo-${weight}.ttf`), unpackWoff(woff))
  }
  const conf = resolve(folder, 'fonts.conf')
  const folders = [resolve(folder), join(tmpdir(), 'fonts')].map((path) => `<dir>${path}</dir>`).join('')
  replaceFile(
    conf,
    `<?xml version="1.0"?><fontconfig>${folders}<cachedir>${resolve(folder, 'cache')}</cachedir></fontconfig>`,
  )
  return conf
}

/** Writes a file atomically, because another test run may read it. */
function replaceFile(file: string, content: string | Uint8Array): void {
  const next = `${file}.${process.pid}`
  writeFileSync(next, content)
  renameSync(next, file)
}

/** Sizes of the header and of a table's entry in a TrueType file; in WOFF they are 44 and 20 bytes. */
const HEADER_BYTES = 12
const ENTRY_BYTES = 16

/** Converts a WOFF 1.0 file, whose tables are compressed one by one, to TrueType. */
function unpackWoff(woff: Buffer): Buffer {
  const count = woff.readUInt16BE(12)
  const power = 2 ** Math.floor(Math.log2(count))
  const header = Buffer.alloc(HEADER_BYTES + count * ENTRY_BYTES)
  // The font's flavor, then fields for a binary search of the tables.
  woff.copy(header, 0, 4, 8)
  header.writeUInt16BE(count, 4)
  header.writeUInt16BE(power * 16, 6)
  header.writeUInt16BE(Math.log2(power), 8)
  header.writeUInt16BE((count - power) * 16, 10)
  let end = header.length
  const tables = Array.from({ length: count }, (_, index) => {
    const entry = 44 + index * 20
    const [offset = 0, compressed = 0, length = 0] = [4, 8, 12].map((at) => woff.readUInt32BE(entry + at))
    const stored = woff.subarray(offset, offset + compressed)
    const table = compressed < length ? inflateSync(stored) : stored
    const target = HEADER_BYTES + index * ENTRY_BYTES
    // The table's tag and checksum.
    woff.copy(header, target, entry, entry + 4)
    woff.copy(header, target + 4, entry + 16, entry + 20)
    header.writeUInt32BE(end, target + 8)
    header.writeUInt32BE(length, target + 12)
    // Tables begin at multiples of four bytes.
    const padded = Buffer.concat([table, Buffer.alloc(-length & 3)])
    end += padded.length
    return padded
  })
  return Buffer.concat([header, ...tables])
}
