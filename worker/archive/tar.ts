export const BLOCK_BYTES = 512
/** Two empty blocks end an archive. */
export const END_BYTES = 2 * BLOCK_BYTES
const MAX_PATH_BYTES = 100
/** The size field has eleven octal digits. */
export const MAX_ENTRY_BYTES = 8 ** 11 - 1

const encoder = new TextEncoder()
const decoder = new TextDecoder()

export const fitsTarPath = (path: string): boolean => encoder.encode(path).length <= MAX_PATH_BYTES

/** Size of an entry with its header and padding. */
export const entryBytes = (sizeBytes: number): number => BLOCK_BYTES + paddedBytes(sizeBytes)
const paddedBytes = (sizeBytes: number) => Math.ceil(sizeBytes / BLOCK_BYTES) * BLOCK_BYTES

/** The header block of a file (POSIX ustar). */
export function tarHeader(path: string, sizeBytes: number, mtimeSeconds: number): Uint8Array {
  const block = new Uint8Array(BLOCK_BYTES)
  const write = (text: string, offset: number) => block.set(encoder.encode(text), offset)
  const octal = (value: number, digits: number) => value.toString(8).padStart(digits, '0')
  // Offsets: 100 mode, 108 owner, 116 group, 124 size, 136 time, 148 checksum, 156 type, 257 magic, 263 version.
  write(path, 0)
  write(octal(0o600, 7), 100)
  write(octal(0, 7), 108)
  write(octal(0, 7), 116)
  write(octal(sizeBytes, 11), 124)
  write(octal(mtimeSeconds, 11), 136)
  write('        ', 148)
  write('0', 156)
  write('ustar', 257)
  write('00', 263)
  write(`${octal(checksum(block), 6)}\u0000 `, 148)
  return block
}

const checksum = (block: Uint8Array) => block.reduce((sum, byte) => sum + byte, 0)

/** Path and size in a header block; null at the end of the archive. @throws TarError. */
function parseHeader(block: Uint8Array): { path: string; sizeBytes: number } | null {
  if (block.every((byte) => byte === 0)) return null
  const text = (offset: number, length: number) =>
    decoder.decode(block.subarray(offset, offset + length)).replace(/\0.*$/s, '')
  // The checksum is computed with spaces in its own field.
  const withBlankChecksum = block.slice()
  withBlankChecksum.fill(0x20, 148, 156)
  const isValid =
    text(257, 5) === 'ustar' &&
    Number.parseInt(text(148, 8), 8) === checksum(withBlankChecksum) &&
    text(156, 1) === '0' &&
    /^[0-7]{11}$/.test(text(124, 12))
  if (!isValid) throw new TarError('not-a-tar')
  return { path: text(0, MAX_PATH_BYTES), sizeBytes: Number.parseInt(text(124, 12), 8) }
}

/** `not-a-tar`: the bytes are not a tar file; `truncated`: the end is missing. */
export class TarError extends Error {
  readonly reason: 'not-a-tar' | 'truncated'
  constructor(reason: 'not-a-tar' | 'truncated') {
    super(reason)
    this.reason = reason
  }
}

export type TarEntry = { path: string; sizeBytes: number; body: AsyncIterable<Uint8Array> }

/** The entries of a tar file in order. Unread bytes of a body are skipped. @throws TarError. */
export async function* readTar(bytes: AsyncIterable<Uint8Array>): AsyncGenerator<TarEntry> {
  const chunks = bytes[Symbol.asyncIterator]()
  let unread: Uint8Array = new Uint8Array()
  /** Up to `max` bytes, at least one. */
  const take = async (max: number): Promise<Uint8Array> => {
    while (unread.length === 0) {
      const { value, done } = await chunks.next()
      if (done) throw new TarError('truncated')
      unread = value
    }
    const taken = unread.subarray(0, max)
    unread = unread.subarray(taken.length)
    return taken
  }
  const takeBlock = async () => {
    const block = new Uint8Array(BLOCK_BYTES)
    for (let filledBytes = 0; filledBytes < BLOCK_BYTES; ) {
      const part = await take(BLOCK_BYTES - filledBytes)
      block.set(part, filledBytes)
      filledBytes += part.length
    }
    return block
  }
  for (;;) {
    const header = parseHeader(await takeBlock())
    if (!header) break
    let bytesLeft = header.sizeBytes
    const body = async function* () {
      while (bytesLeft > 0) {
        const part = await take(bytesLeft)
        bytesLeft -= part.length
        yield part
      }
    }
    yield { ...header, body: body() }
    while (bytesLeft > 0) bytesLeft -= (await take(bytesLeft)).length
    for (let pad = paddedBytes(header.sizeBytes) - header.sizeBytes; pad > 0; ) pad -= (await take(pad)).length
  }
  // Throws if the file ends between the two empty blocks.
  parseHeader(await takeBlock())
}
