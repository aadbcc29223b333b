import { deflateSync } from 'node:zlib'
import { encodeChunk } from '../uploads/png-data'

/** A black PNG; `extra` chunks precede the pixels, and `data` replaces their compressed bytes. */
export function buildPng(
  width: number,
  height: number,
  extra: readonly [tag: string, data: Uint8Array][] = [],
  data: Uint8Array = deflateSync(new Uint8Array(height * (1 + Math.ceil(width / 8)))),
): Uint8Array {
  const header = new DataView(new ArrayBuffer(13))
  header.setUint32(0, width)
  header.setUint32(4, height)
  header.setUint8(8, 1)
  return Uint8Array.from([
    ...[0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a],
    ...encodeChunk('IHDR', new Uint8Array(header.buffer)),
    ...extra.flatMap(([tag, content]) => [...encodeChunk(tag, content)]),
    ...encodeChunk('IDAT', data),
    ...encodeChunk('IEND', new Uint8Array()),
  ])
}

/** A baseline JPEG of 8 by 8 pixels; `scan` is its entropy-coded data, valid or not. */
export function buildJpeg(scan: Uint8Array): Uint8Array {
  const segment = (marker: number, ...bytes: number[]) => [0xff, marker, 0, bytes.length + 2, ...bytes]
  return Uint8Array.from([
    ...[0xff, 0xd8],
    ...segment(0xdb, 0, ...Array<number>(64).fill(1)),
    ...segment(0xc0, 8, 0, 8, 0, 8, 1, 1, 0x11, 0),
    ...segment(0xc4, 0, 1, ...Array<number>(15).fill(0), 0),
    ...segment(0xda, 1, 1, 0, 0, 63, 0),
    ...scan,
    ...[0xff, 0xd9],
  ])
}

/** A WebP of 8 by 8 pixels; `frame` is the data after its frame header, valid or not. */
export function buildWebp(frame: Uint8Array): Uint8Array {
  const data = [0x10 | ((frame.length << 5) & 0xe0), frame.length >> 3, frame.length >> 11, 0x9d, 1, 0x2a, 8, 0, 8, 0]
  const bytes = new Uint8Array(20 + data.length + frame.length + (frame.length % 2))
  const view = new DataView(bytes.buffer)
  bytes.set(new TextEncoder().encode('RIFF____WEBPVP8 '))
  view.setUint32(4, bytes.length - 8, true)
  view.setUint32(16, data.length + frame.length, true)
  bytes.set(data, 20)
  bytes.set(frame, 20 + data.length)
  return bytes
}

/** `size` bytes of MPEG audio frames (layer III, 128 kbit/s, 44.1 kHz); the last one may be cut off. */
export function buildMp3(size: number): Uint8Array {
  const bytes = new Uint8Array(size)
  for (let offset = 0; offset < size; offset += 417) bytes.set([0xff, 0xfb, 0x90, 0x00].slice(0, size - offset), offset)
  return bytes
}

/** A chunked body without a length, of at least `size` bytes; `produced` counts the bytes that were read. */
export function chunkedBody(size: number, fill = buildMp3(64 * 1024)) {
  const produced = { bytes: 0 }
  const body = new ReadableStream<Uint8Array>({
    pull(stream) {
      if (produced.bytes >= size) return stream.close()
      stream.enqueue(fill)
      produced.bytes += fill.length
    },
  })
  return { produced, body }
}
