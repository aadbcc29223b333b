import { env } from 'cloudflare:test'
import { Download } from '../contract/downloads'
import { downloadHandler, planDownloads } from '../downloads/prepare'
import type { Env } from '../env'
import type { Millis } from '../lib/clock'
import { products, productVariants } from '../products/products.table'
import { trackMasters } from '../releases/masters.table'
import { buildMp3 } from './files'
import { addRelease, addTrack, db } from './fixtures'
import { consumeMessages } from './queues'
import { NOON } from './seed'

/** A FLAC file: a STREAMINFO block of 34 bytes, a comment block, padding, and `audioBytes` bytes of frames. */
export function buildFlac(audioBytes: number): Uint8Array<ArrayBuffer> {
  const block = (type: number, length: number) => [type, length >> 16, (length >> 8) & 255, length & 255]
  const header = [
    ...new TextEncoder().encode('fLaC'),
    ...[...block(0, 34), ...Array<number>(34).fill(9)],
    ...[...block(4, 8), ...Array<number>(8).fill(0)],
    ...[...block(0x81, 100), ...Array<number>(100).fill(0)],
  ]
  const bytes = new Uint8Array(header.length + audioBytes).map((_, index) => (index * 7) % 256)
  bytes.set(header)
  return bytes
}

/** A file that is recognized as WAV by its start; the rest of its header is not valid. */
export function buildWav(audioBytes: number): Uint8Array<ArrayBuffer> {
  const bytes = new Uint8Array(44 + audioBytes).fill(5)
  bytes.set(new TextEncoder().encode('RIFF____WAVE'))
  return bytes
}

let masterCount = 0
/** Stores a lossless master of a track, replacing the current one. */
export async function addMaster(trackId: number, bytes: Uint8Array<ArrayBuffer>, at: Millis = NOON): Promise<void> {
  const id = `master_${++masterCount}`
  const contentType = bytes[0] === 'f'.charCodeAt(0) ? 'audio/flac' : 'audio/wav'
  await env.FILES.put(`masters/${id}`, bytes, { httpMetadata: { contentType } })
  await env.DB.prepare('UPDATE track_masters SET dropped_at = ?2 WHERE track_id = ?1 AND dropped_at IS NULL')
    .bind(trackId, at)
    .run()
  await db.insert(trackMasters).values({
    id,
    trackId,
    fileName: 'master',
    fingerprint: id,
    sizeBytes: bytes.length,
    contentType,
    createdAt: at,
    updatedAt: at,
    storedAt: at,
  })
}

let goodCount = 0
type DigitalReleaseOptions = {
  priceCents?: number
  minimumCents?: number | null
  releasesAt?: Millis
  /** Size of each track's audio. */
  audioBytes?: number
}

/** A product that sells a release of two tracks with MP3 and FLAC. */
export async function addDigitalRelease({
  priceCents = 2000,
  minimumCents = null,
  releasesAt,
  audioBytes = 3000,
}: DigitalReleaseOptions = {}) {
  const slug = `album-${++goodCount}`
  const trackIds: number[] = []
  for (const number of [1, 2]) {
    const audioKey = `audio/${slug}-${number}.mp3`
    await env.FILES.put(audioKey, buildMp3(audioBytes), { httpMetadata: { contentType: 'audio/mpeg' } })
    const track = await addTrack({ slug: `${slug}-${number}`, title: `Söng ${number}: "Live"`, audioKey })
    await addMaster(track.id, buildFlac(audioBytes))
    trackIds.push(track.id)
  }
  await addRelease({ slug, title: `Album ${goodCount}`, releasedAt: NOON - 1000, label: 'A Label' }, trackIds)
  return { slug, trackIds, ...(await addDigitalProduct({ releaseSlug: slug, priceCents, minimumCents, releasesAt })) }
}

type DigitalProductOptions = {
  releaseSlug?: string
  trackId?: number
  priceCents?: number
  minimumCents?: number | null
  releasesAt?: Millis | undefined
}

/** A digital product for a release or a track. */
export async function addDigitalProduct({
  releaseSlug,
  trackId,
  priceCents = 2000,
  minimumCents = null,
  releasesAt,
}: DigitalProductOptions) {
  const productId = `digital-${++goodCount}`
  await db.insert(products).values({
    id: productId,
    slug: productId,
    name: productId,
    description: '',
    priceCents,
    stock: 0,
    kind: 'digital',
    position: 500 + goodCount,
    releasesAt: releasesAt ?? null,
  })
  const variantId = `${productId}-1`
  const values = {
    stock: null,
    minimumCents,
    suggestedCents: minimumCents === null ? null : priceCents,
    releaseSlug: releaseSlug ?? null,
    trackId: trackId ?? null,
  }
  await db
    .insert(productVariants)
    .values({ id: variantId, productId, position: 1, name: '', options: {}, priceCents, ...values })
    .onConflictDoUpdate({ target: productVariants.id, set: values })
  return { productId, variantId }
}

/** Plans the files of downloads and writes those that are due, with `bindings` replaced. */
export async function prepareAll({ at = NOON, ...bindings }: { at?: Millis } & Partial<Env> = {}): Promise<void> {
  await planDownloads({ db, files: bindings.FILES ?? env.FILES }, at)
  const { results } = await env.DB.prepare(
    "SELECT id FROM download_files WHERE state <> 'ready' AND superseded_at IS NULL AND leased_until <= ?1",
  )
    .bind(at)
    .all<{ id: string }>()
  const bodies = results.map(({ id }) => ({ kind: 'download', id }))
  await consumeMessages(downloadHandler, bodies, { at, ...bindings })
}

export const parseDownloads = (json: unknown) => (json as unknown[]).map((download) => Download.parse(download))

/** Names and bytes of the entries of a ZIP without compression. */
export function readZip(bytes: Uint8Array<ArrayBuffer>): Map<string, Uint8Array<ArrayBuffer>> {
  const view = new DataView(bytes.buffer)
  const end = bytes.length - 22
  const entries = new Map<string, Uint8Array<ArrayBuffer>>()
  let offset = view.getUint32(end + 16, true)
  for (let count = view.getUint16(end + 10, true); count > 0; count--) {
    const size = view.getUint32(offset + 20, true)
    const nameLength = view.getUint16(offset + 28, true)
    const extraLength = view.getUint16(offset + 30, true)
    const localHeader = view.getUint32(offset + 42, true)
    const name = new TextDecoder().decode(bytes.subarray(offset + 46, offset + 46 + nameLength))
    const start = localHeader + 30 + view.getUint16(localHeader + 26, true) + view.getUint16(localHeader + 28, true)
    entries.set(name, bytes.slice(start, start + size))
    offset += 46 + nameLength + extraLength
  }
  return entries
}
