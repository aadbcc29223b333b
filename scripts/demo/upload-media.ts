import { createHash } from 'node:crypto'
import { readFile } from 'node:fs/promises'
import { audioFiles, audioKey, DEMO_PREFIX, findImage, images } from './media.ts'

type MediaFile = { key: string; file: URL; contentType: string }

const fileUrl = (path: string) => new URL(`./media/${path}`, import.meta.url)

/** The full-size image under `key` and its smaller widths under `key@<width>`. */
export function imageFiles(name: string, key: string): MediaFile[] {
  const { format, widths } = findImage(name)
  return ['', ...widths.map((width) => `@${width}`)].map((suffix) => ({
    key: `${key}${suffix}`,
    file: fileUrl(`images/${name}${suffix}.${format}`),
    contentType: `image/${format}`,
  }))
}

export const demoFiles = (): MediaFile[] => [
  ...[...images].flatMap(([name, { format }]) => imageFiles(name, `${DEMO_PREFIX}/${name}.${format}`)),
  ...[...audioFiles.keys()].map((slug) => ({
    key: audioKey(slug),
    file: fileUrl(`audio/${slug}.mp3`),
    contentType: 'audio/mpeg',
  })),
]

/** Uploads the files that R2 lacks or has with other content (its etag is the MD5). Returns their number. */
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
