import { createHash } from 'node:crypto'

/** R2 takes parts of 5 MiB and more, all but the last of one size. */
export const PART_BYTES = 5 * 1024 * 1024

/** Collects bytes into equal parts and sends each when it is full, digesting on the way: one part is held at a time. */
export function partsInto(upload: R2MultipartUpload) {
  const part = new Uint8Array(PART_BYTES)
  const digest = createHash('sha256')
  const sent: R2UploadedPart[] = []
  let used = 0
  let sizeBytes = 0

  const flush = async () => {
    const bytes = part.slice(0, used)
    digest.update(bytes)
    sent.push(await upload.uploadPart(sent.length + 1, bytes))
    sizeBytes += used
    used = 0
  }
  return {
    async write(bytes: Uint8Array) {
      for (let left = bytes; left.length > 0; ) {
        const fits = Math.min(left.length, part.length - used)
        part.set(left.subarray(0, fits), used)
        used += fits
        left = left.subarray(fits)
        if (used === part.length) await flush()
      }
    },
    /** Completes the upload: from now on the object is there. `sha256` is lower-case hex. */
    async end() {
      if (used > 0 || sent.length === 0) await flush()
      await upload.complete(sent)
      return { sizeBytes, sha256: digest.digest('hex') }
    },
  }
}
