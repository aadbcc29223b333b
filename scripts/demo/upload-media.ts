import { createHash } from 'node:crypto'
import { readFile } from 'node:fs/promises'
import { bundledImageFiles } from '../tools/bundled-images.ts'
import { audioFiles, audioKey, findImage, MASTERS_PREFIX, masterFiles, masterId } from './media.ts'

type MediaFile = { key: string; file: string; contentType: string }

/** The full-size file of an image, to be stored under `key`. */
export const imageFile = (name: string, key: string): MediaFile => ({ ...bundledImageFiles(findImage(name))[0], key })

export const demoAudioFiles = (): MediaFile[] =>
  [...audioFiles.keys()].map((slug) => ({
    key: audioKey(slug),
    file: `scripts/demo/media/audio/${slug}.mp3`,
    contentType: 'audio/mpeg',
  }))

export const demoMasterFiles = (): MediaFile[] =>
  [...masterFiles.keys()].map((slug) => ({
    key: `${MASTERS_PREFIX}/${masterId(slug)}`,
    file: `scripts/demo/media/masters/${slug}.flac`,
    contentType: 'audio/flac',
  }))

/**
 * Uploads the files that R2 lacks or has with other content (its etag is the MD5). Returns the number of uploads.
 * @param prefix first segment of the files' keys
 */
export async function uploadMedia(bucket: R2Bucket, files: readonly MediaFile[], prefix: string): Promise<number> {
  const etags = new Map<string, string>()
  let cursor: string | undefined
  do {
    const page = await bucket.list({ prefix: `${prefix}/`, cursor })
    for (const { key, etag } of page.objects) etags.set(key, etag)
    cursor = page.truncated ? page.cursor : undefined
  } while (cursor)
  let uploaded = 0
  for (const { key, file, contentType } of files) {
    const bytes = await readFile(file)
    if (etags.get(key) === createHash('md5').update(bytes).digest('hex')) continue
    await bucket.put(key, bytes, { httpMetadata: { contentType } })
    uploaded += 1
  }
  return uploaded
}
