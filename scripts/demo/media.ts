import { createHash } from 'node:crypto'
import { readFile } from 'node:fs/promises'

export type MediaFile = { key: string; file: string; contentType: string }

/** Puts the rendered pictures and recordings into R2: those that are missing there or differ (by MD5, R2's etag). */
export async function storeMedia(files: R2Bucket, media: readonly MediaFile[], prefix: string): Promise<number> {
  const stored = new Map<string, string>()
  let cursor: string | undefined
  do {
    const page = await files.list({ prefix: `${prefix}/`, cursor })
    for (const object of page.objects) stored.set(object.key, object.etag)
    cursor = page.truncated ? page.cursor : undefined
  } while (cursor)
  let written = 0
  for (const { key, file, contentType } of media) {
    const bytes = await readFile(file)
    if (stored.get(key) === createHash('md5').update(bytes).digest('hex')) continue
    await files.put(key, bytes, { httpMetadata: { contentType } })
    written += 1
  }
  return written
}
