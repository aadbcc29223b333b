import { crc32 } from 'node:zlib'

// See the PNG specification, third edition, sections 7 to 11.

type PngHeader = { width: number; height: number; bitsPerPixel: number; isInterlaced: boolean }
/** `data`: the contents of the IDAT chunks. */
export type PngData = { header: PngHeader; data: readonly Uint8Array[] }

/** Samples per pixel and bit depths by color type. */
const COLOR_TYPES: Readonly<Record<number, { samples: number; depths: readonly number[] }>> = {
  0: { samples: 1, depths: [1, 2, 4, 8, 16] },
  2: { samples: 3, depths: [8, 16] },
  3: { samples: 1, depths: [1, 2, 4, 8] },
  4: { samples: 2, depths: [8, 16] },
  6: { samples: 4, depths: [8, 16] },
}

/** Parses the content of an IHDR chunk; null if it is invalid. */
export function parsePngHeader(bytes: Uint8Array): PngHeader | null {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.length)
  const [depth = 0, colorType = -1, compression, filter, interlace] = bytes.subarray(8)
  const color = COLOR_TYPES[colorType]
  if (!color?.depths.includes(depth) || compression !== 0 || filter !== 0 || (interlace !== 0 && interlace !== 1))
    return null
  return {
    width: view.getUint32(0),
    height: view.getUint32(4),
    bitsPerPixel: depth * color.samples,
    isInterlaced: interlace === 1,
  }
}

/** True if the checksum of a whole chunk is right. */
export function hasValidChecksum(chunk: Uint8Array): boolean {
  const view = new DataView(chunk.buffer, chunk.byteOffset, chunk.length)
  return view.getUint32(chunk.length - 4) === crc32(chunk.subarray(4, -4))
}

/**
 * IDAT and IEND chunks with the pixels compressed again, so that no byte sequence of the upload survives.
 * @throws TypeError if the data are not exactly the pixels that the header declares.
 */
export async function encodePngData({ header, data }: PngData): Promise<Uint8Array[]> {
  const pixels = new Blob([...data] as Uint8Array<ArrayBuffer>[])
    .stream()
    .pipeThrough(new DecompressionStream('deflate'))
    .pipeThrough(checkRows(header))
    .pipeThrough(new CompressionStream('deflate'))
  const compressed = new Uint8Array(await new Response(pixels).arrayBuffer())
  return [encodeChunk('IDAT', compressed), encodeChunk('IEND', new Uint8Array())]
}

/** First column, first row, column step and row step of the seven interlace passes. */
const ADAM7 = [
  [0, 0, 8, 8],
  [4, 0, 8, 8],
  [0, 4, 4, 8],
  [2, 0, 4, 4],
  [0, 2, 2, 4],
  [1, 0, 2, 2],
  [0, 1, 1, 2],
] as const

/** Bytes of each row, without its filter byte. */
function* rowLengths({ width, height, bitsPerPixel, isInterlaced }: PngHeader): Generator<number> {
  for (const [x, y, dx, dy] of isInterlaced ? ADAM7 : [[0, 0, 1, 1] as const]) {
    const columns = Math.ceil((width - x) / dx)
    if (columns <= 0) continue
    for (let row = y; row < height; row += dy) yield Math.ceil((columns * bitsPerPixel) / 8)
  }
}

/** Passes the bytes through. Fails at an unknown filter type, or if there are more or fewer bytes than declared. */
function checkRows(header: PngHeader): TransformStream<Uint8Array, BufferSource> {
  const rows = rowLengths(header)
  let bytesLeftInRow = 0
  return new TransformStream({
    transform(bytes, controller) {
      for (let at = 0; at < bytes.length; ) {
        if (bytesLeftInRow === 0) {
          const row = rows.next()
          // The filter types are 0 to 4.
          if (row.done || (bytes[at] ?? 5) > 4) throw new TypeError('The pixels do not match the header.')
          bytesLeftInRow = row.value
          at += 1
        }
        const step = Math.min(bytesLeftInRow, bytes.length - at)
        bytesLeftInRow -= step
        at += step
      }
      controller.enqueue(bytes as Uint8Array<ArrayBuffer>)
    },
    flush() {
      if (bytesLeftInRow > 0 || !rows.next().done) throw new TypeError('Pixels are missing.')
    },
  })
}

/** A chunk of a PNG file with its length and checksum. */
export function encodeChunk(tag: string, data: Uint8Array): Uint8Array {
  const chunk = new Uint8Array(12 + data.length)
  const view = new DataView(chunk.buffer)
  view.setUint32(0, data.length)
  chunk.set(new TextEncoder().encode(tag), 4)
  chunk.set(data, 8)
  view.setUint32(8 + data.length, crc32(chunk.subarray(4, 8 + data.length)))
  return chunk
}
