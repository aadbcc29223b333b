import { AUDIO_TYPES, type UploadedAudio, type UploadedPicture } from '../contract/uploads'
import type { Millis } from '../lib/clock'
import { partsInto } from '../lib/parts'
import { Refused } from '../lib/refused'
import { AUDIO_HEAD, audioKind } from './audio-kind'
import { cleanPicture, joined } from './clean-picture'
import { freshPicture, pictureUrl, uploadBegun, uploadKey, uploadStored } from './uploads'

export type Sender = {
  db: D1Database
  files: R2Bucket
  /** Null for a visitor, who may send a recording. */
  ownerId: number | null
  at: Millis
  /** How many files this sender may begin a day; `limits.uploadsPerDay` where nothing is said. */
  perDay?: number
  /** How many pixels a picture has to a side at the most; `PICTURE_PIXELS` where nothing is said. */
  mostPixels?: number
  /** What the sender calls the file; its bytes decide. */
  saidType: string
  /** The file as it comes, held to its largest size by who reads it (http/body, `fileBytes`). */
  bytes: AsyncIterable<Uint8Array>
  /** What belongs to the act, e.g. a line of the audit log: written together with it. */
  also?: (id: string) => readonly D1PreparedStatement[]
}

/** Nobody overwrites a file: its address is for ever one and the same picture. */
const NEW = { etagDoesNotMatch: '*' }

/** Keeps a picture, without anything but its pixels. @throws Refused as `cleanPicture` and `uploadBegun` do, `not_found` as `keptOrGone`. */
export async function receivePicture(sender: Sender): Promise<UploadedPicture> {
  const { db, files, ownerId, at, perDay, also } = sender
  const { bytes, contentType, width, height } = cleanPicture(
    await all(sender.bytes),
    sender.saidType,
    sender.mostPixels,
  )
  const id = await uploadBegun(db, { kind: 'picture', ownerId, at, ...(perDay && { perDay }) })
  await files.put(uploadKey(id), bytes, { httpMetadata: { contentType }, onlyIf: NEW })
  const [stored] = await db.batch([
    uploadStored(db, id, { contentType, sizeBytes: bytes.length, width, height }, at),
    ...(also?.(id) ?? []),
  ])
  await keptOrGone(stored, files, id)
  return { id, url: pictureUrl(id), width, height }
}

/**
 * Keeps the same picture in another width, for `?w=`. @throws Refused as above, `bad_input` for one that is not so wide,
 * not of the picture's shape or not smaller, `not_found` as `freshPicture`, `conflict` for one that is there.
 */
export async function receiveRendition(sender: Sender & { ownerId: number; id: string; width: number }): Promise<void> {
  const { db, files, ownerId, at, id } = sender
  const master = await freshPicture(db, { id, ownerId, at })
  const { bytes, contentType, width, height } = cleanPicture(await all(sender.bytes), sender.saidType)
  const shaped = Math.abs(height - (master.height * width) / master.width) <= 2
  if (width !== sender.width || width >= master.width || !shaped)
    throw new Refused('bad_input', `A rendition is the same picture, ${sender.width} pixels wide.`)
  const key = `${uploadKey(id)}@${width}`
  const put = await files.put(key, bytes, { httpMetadata: { contentType }, onlyIf: NEW })
  if (!put) throw new Refused('conflict', 'This picture has that width already.')
  // It may have been let go of, or its sender erased, while this came: no row would lead to the file.
  await freshPicture(db, { id, ownerId, at }).catch(async (error: unknown) => {
    await files.delete(key)
    throw error
  })
}

/**
 * Keeps a recording: sent on in parts as it comes, in constant memory. It is there with its last byte or not at all.
 * @throws Refused `bad_input` for what is no recording or is called something else.
 */
export async function receiveAudio(sender: Sender): Promise<UploadedAudio> {
  const { db, files, ownerId, at, also } = sender
  const bytes = sender.bytes[Symbol.asyncIterator]()
  const head = await beginning(bytes)
  const contentType = audioKind(head)
  if (!contentType) throw new Refused('bad_input', 'Please choose a recording: MP3, M4A, Ogg, WebM, WAV or FLAC.')
  if (contentType !== AUDIO_TYPES[sender.saidType])
    throw new Refused('bad_input', 'That file is not of the kind that it says it is.')
  const id = await uploadBegun(db, { kind: 'audio', ownerId, at })
  const upload = await files.createMultipartUpload(uploadKey(id), { httpMetadata: { contentType } })
  try {
    // The sweep gives up by it what a dead worker has begun.
    await db.prepare('UPDATE uploads SET multipart_id = ?2 WHERE id = ?1').bind(id, upload.uploadId).run()
    const parts = partsInto(upload)
    await parts.write(head)
    for (let next = await bytes.next(); !next.done; next = await bytes.next()) await parts.write(next.value)
    const { sizeBytes } = await parts.end()
    const [stored] = await db.batch([uploadStored(db, id, { contentType, sizeBytes }, at), ...(also?.(id) ?? [])])
    await keptOrGone(stored, files, id)
    return { audio: uploadKey(id), sizeBytes }
  } catch (error) {
    await upload.abort().catch(() => undefined)
    throw error
  }
}

/** Its sender may have been erased while the file came, and the sweep been there before it: no row would lead to it. */
async function keptOrGone(stored: D1Result | undefined, files: R2Bucket, id: string): Promise<void> {
  if (stored?.results.length === 1) return
  await files.delete(uploadKey(id))
  throw new Refused('not_found', 'That file was let go of while it was on its way.')
}

async function all(bytes: AsyncIterable<Uint8Array>): Promise<Uint8Array> {
  const parts: Uint8Array[] = []
  for await (const part of bytes) parts.push(part)
  return joined(parts)
}

/** What comes until it is enough to see what it is; less when it ends before. */
async function beginning(bytes: AsyncIterator<Uint8Array>): Promise<Uint8Array> {
  const parts: Uint8Array[] = []
  for (let length = 0; length < AUDIO_HEAD; ) {
    const next = await bytes.next()
    if (next.done) break
    parts.push(next.value)
    length += next.value.length
  }
  return joined(parts)
}
