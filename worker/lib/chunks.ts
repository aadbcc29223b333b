/** The same bytes in chunks of `size`; the last one may be shorter. */
export async function* inChunks(bytes: AsyncIterable<Uint8Array>, size: number): AsyncGenerator<Uint8Array> {
  let chunk = new Uint8Array(size)
  let filledBytes = 0
  for await (const part of bytes)
    for (let rest = part; rest.length > 0; ) {
      const fitting = rest.subarray(0, size - filledBytes)
      chunk.set(fitting, filledBytes)
      filledBytes += fitting.length
      rest = rest.subarray(fitting.length)
      if (filledBytes === size) {
        yield chunk
        chunk = new Uint8Array(size)
        filledBytes = 0
      }
    }
  if (filledBytes > 0) yield chunk.subarray(0, filledBytes)
}
