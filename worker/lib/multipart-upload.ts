import { createHash } from 'node:crypto'

/** R2's minimum size of a part. R2 requires the same size of all parts but the last. */
export const PART_BYTES = 5 * 1024 * 1024
/** A character of up to four bytes can extend beyond the end of a part. */
const MAX_OVERHANG_BYTES = 3

type Options = {
  /** Parts of an interrupted upload. The writer receives the same bytes again and uploads only missing parts. */
  stored?: readonly R2UploadedPart[]
  /** Called after each uploaded part, with all parts so far. */
  onPart?: (parts: readonly R2UploadedPart[]) => Promise<void>
}

/** Uploads bytes or UTF-8 text in parts, with one part in memory, and computes the SHA-256. */
export function createMultipartWriter(upload: R2MultipartUpload, { stored = [], onPart }: Options = {}) {
  const encoder = new TextEncoder()
  const buffer = new Uint8Array(PART_BYTES + MAX_OVERHANG_BYTES)
  const digest = createHash('sha256')
  const uploaded: R2UploadedPart[] = []
  let bufferedBytes = 0
  let sizeBytes = 0

  const flush = async () => {
    const bytes = buffer.subarray(0, Math.min(bufferedBytes, PART_BYTES))
    digest.update(bytes)
    const storedPart = stored[uploaded.length]
    uploaded.push(storedPart ?? (await upload.uploadPart(uploaded.length + 1, bytes)))
    if (!storedPart) await onPart?.(uploaded)
    sizeBytes += bytes.length
    buffer.copyWithin(0, bytes.length, bufferedBytes)
    bufferedBytes -= bytes.length
  }
  return {
    async write(bytes: Uint8Array) {
      for (let remaining = bytes; remaining.length > 0; ) {
        const fittingBytes = Math.min(remaining.length, PART_BYTES - bufferedBytes)
        buffer.set(remaining.subarray(0, fittingBytes), bufferedBytes)
        bufferedBytes += fittingBytes
        remaining = remaining.subarray(fittingBytes)
        if (bufferedBytes === PART_BYTES) await flush()
      }
    },
    async writeText(text: string) {
      for (let remaining = text; remaining !== ''; ) {
        const { read, written } = encoder.encodeInto(remaining, buffer.subarray(bufferedBytes))
        bufferedBytes += written
        remaining = remaining.slice(read)
        if (bufferedBytes >= PART_BYTES) await flush()
      }
    },
    /** Completes the upload. `sha256` is lower-case hex. */
    async end() {
      if (bufferedBytes > 0 || uploaded.length === 0) await flush()
      await upload.complete(uploaded)
      return { sizeBytes, sha256: digest.digest('hex') }
    },
  }
}

/** Whether an upload no longer exists: R2 aborts multipart uploads that stay incomplete for a week. */
export const isUploadGone = (error: unknown): boolean =>
  error instanceof Error && /does not exist|NoSuchUpload|10024/i.test(error.message)
