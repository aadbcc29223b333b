/** The same bytes in chunks of `size`; the last one may be shorter. */
export async function* inChunks(bytes: AsyncIterable<Uint8Array>, size: number): AsyncGenerator<Uint8Array> {
  let chunk = new Uint8Array(size)
  let used = 0
  for await (const part of bytes)
    for (let rest = part; rest.length > 0; ) {
      const fits = rest.subarray(0, size - used)
      chunk.set(fits, used)
      used += fits.length
      rest = rest.subarray(fits.length)
      if (used === size) {
        yield chunk
        chunk = new Uint8Array(size)
        used = 0
      }
    }
  if (used > 0) yield chunk.subarray(0, used)
}
