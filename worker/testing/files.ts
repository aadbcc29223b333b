import { crc32, deflateSync } from 'node:zlib'

/** A gray PNG; `extra` chunks precede the pixels. */
export function png(width: number, height: number, extra: readonly [tag: string, data: Uint8Array][] = []): Uint8Array {
  const header = new DataView(new ArrayBuffer(13))
  header.setUint32(0, width)
  header.setUint32(4, height)
  header.setUint8(8, 1)
  const rows = new Uint8Array(Math.min(height, 100) * (1 + Math.ceil(Math.min(width, 100) / 8)))
  return Uint8Array.from([
    ...[0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a],
    ...chunk('IHDR', new Uint8Array(header.buffer)),
    ...extra.flatMap(([tag, data]) => [...chunk(tag, data)]),
    ...chunk('IDAT', deflateSync(rows)),
    ...chunk('IEND', new Uint8Array()),
  ])
}

function chunk(tag: string, data: Uint8Array): Uint8Array {
  const bytes = new Uint8Array(12 + data.length)
  const view = new DataView(bytes.buffer)
  view.setUint32(0, data.length)
  bytes.set(new TextEncoder().encode(tag), 4)
  bytes.set(data, 8)
  view.setUint32(8 + data.length, crc32(bytes.subarray(4, 8 + data.length)))
  return bytes
}

/** MPEG audio frames (layer III, 128 kbit/s, 44.1 kHz) of `size` bytes. */
export function mp3(size: number): Uint8Array {
  const bytes = new Uint8Array(size)
  for (let at = 0; at < size; at += 417) bytes.set([0xff, 0xfb, 0x90, 0x00].slice(0, size - at), at)
  return bytes
}

/** A chunked body without a length; `produced` counts the bytes that were read. */
export function chunkedBody(size: number, fill = mp3(64 * 1024)) {
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
