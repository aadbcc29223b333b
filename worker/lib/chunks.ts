/** The same bytes in chunks of `size`; the last one may be shorter. */
export async function* inChunks(bytes: AsyncIterable<Uint8Array>, size: number): AsyncGenerator<Uint8Array> {
  let chunk = new Uint8Array(size)
  let filled = 0
  for await (const part of bytes)
    for (let rest = part; rest.length > 0; ) {
      const fitting = rest.subarray(0, size - filled)
      chunk.set(fitting, filled)
      filled += fitting.length
      rest = rest.subarray(fitting.length)
      if (filled === size) {
        yield chunk
        chunk = new Uint8Array(size)
        filled = 0
      }
    }
  if (filled > 0) yield chunk.subarray(0, filled)
}
