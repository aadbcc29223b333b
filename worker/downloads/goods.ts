import { and, asc, eq, isNull, sql } from 'drizzle-orm'
import { DOWNLOAD_FORMATS, type DownloadFormat } from '../contract/downloads'
import type { MasterContentType } from '../contract/file-signatures'
import type { Db } from '../db/client'
import type { Millis } from '../lib/clock'
import { sha256 } from '../lib/crypto'
import { findStoredMasters, masterKey } from '../releases/masters'
import { releases, releaseTracks } from '../releases/releases.table'
import { tracks } from '../tracks/tracks.table'
import type { AudioSource, TrackTags } from './tags'

/** Id of the release or track that a variant sells or a download code gives: `release:<id>` or `track:<id>`. */
export type DigitalGoodId = string

/** SQL: the good that variant `v` sells. Requires JOIN_GOOD. */
export const GOOD_SQL = `CASE WHEN t.id IS NOT NULL THEN 'track:' || t.id WHEN r.id IS NOT NULL THEN 'release:' || r.id END`
/** SQL: joins the release `r` and the track `t` of variant `v`. */
export const JOIN_GOOD = 'LEFT JOIN releases r ON r.slug = v.release_slug LEFT JOIN tracks t ON t.id = v.track_id'
/** SQL: the id of a variant and, for a bundle, those of its items. `variantId` is SQL. */
export const containedVariants = (variantId: string) =>
  `(SELECT ${variantId} UNION ALL SELECT b.variant_id FROM bundle_items b WHERE b.bundle_variant_id = ${variantId})`

/** Goods of all download codes and variants. Removed variants are included: they may have been bought. */
export async function listGoods(db: Db): Promise<DigitalGoodId[]> {
  const rows = await db.all<{ good: DigitalGoodId }>(
    sql.raw(
      `SELECT ${GOOD_SQL} AS good FROM product_variants v ${JOIN_GOOD} WHERE r.id IS NOT NULL OR t.id IS NOT NULL
        UNION SELECT good FROM download_code_batches`,
    ),
  )
  return rows.map(({ good }) => good)
}

/** An audio file inside a prepared file. */
type DownloadEntry = { name: string; source: AudioSource; tags: TrackTags }

/** A file to prepare. */
export type DownloadPlan = {
  good: DigitalGoodId
  format: DownloadFormat
  fingerprint: string
  fileName: string
  /** Whether the entries are zipped. */
  isZip: boolean
  entries: DownloadEntry[]
  coverUrl: string
  modifiedAt: Millis
}

/** Increment when a code change produces different bytes for the same content. */
const WRITER_VERSION = 1
/** ZIP stores local times, from January 1, 1980. A day later is valid in every time zone. */
const EARLIEST_ZIP_DATE = Date.UTC(1980, 0, 2)

type TrackRow = typeof tracks.$inferSelect
type ReleaseRow = typeof releases.$inferSelect
type GoodTrack = { track: TrackRow; position: number; master: AudioSource | null; mp3: AudioSource | null }

/** The files that can be prepared for a good. A release has a format if every track has it. */
export async function planFiles(
  { db, files }: { db: Db; files: R2Bucket },
  good: DigitalGoodId,
): Promise<DownloadPlan[]> {
  const id = good.slice(good.indexOf(':') + 1)
  const isRelease = good.startsWith('release:')
  const rows = await readTracks(db, isRelease ? eq(releaseTracks.releaseId, id) : eq(tracks.id, Number(id)), isRelease)
  const [first] = rows
  if (!first) return []
  const release = first.release
  const masters = await findStoredMasters(
    db,
    rows.map(({ track }) => track.id),
  )
  const goodTracks = await Promise.all(
    rows.map(async ({ track, position }): Promise<GoodTrack> => {
      const master = masters.find(({ trackId }) => trackId === track.id)
      return {
        track,
        position,
        master: master ? { key: masterKey(master.id), contentType: master.contentType } : null,
        mp3: await findMp3(files, track.audioKey),
      }
    }),
  )
  const plans: DownloadPlan[] = []
  for (const format of DOWNLOAD_FORMATS) {
    const sources = sourcesOf(goodTracks, format)
    if (sources) plans.push(await toPlan({ good, format, isRelease, release }, goodTracks, sources))
  }
  return plans
}

/** Tracks with their release. A single track has its earliest release, for its tags. */
async function readTracks(db: Db, where: ReturnType<typeof eq>, isRelease: boolean) {
  const rows = await db
    .select({ track: tracks, release: releases, position: releaseTracks.position })
    .from(tracks)
    .leftJoin(releaseTracks, eq(releaseTracks.trackId, tracks.id))
    .leftJoin(releases, eq(releases.id, releaseTracks.releaseId))
    .where(and(where, isNull(tracks.removedAt)))
    .orderBy(asc(releases.releasedAt), asc(releases.id), asc(releaseTracks.position))
  const found = rows.map(({ track, release, position }) => ({ track, release, position: position ?? 1 }))
  return isRelease ? found : found.slice(0, 1)
}

async function findMp3(files: R2Bucket, key: string | null): Promise<AudioSource | null> {
  const object = key === null ? null : await files.head(key)
  return object?.httpMetadata?.contentType === 'audio/mpeg' ? { key: object.key, contentType: 'audio/mpeg' } : null
}

/** The source of each track in a format; null if a track lacks the format. Mixed masters have the format `lossless`. */
function sourcesOf(goodTracks: readonly GoodTrack[], format: DownloadFormat): AudioSource[] | null {
  const sources = goodTracks.map(({ master, mp3 }) => (format === 'mp3' ? mp3 : master))
  const types = new Set(sources.map((source) => source?.contentType))
  if (types.has(undefined)) return null
  const isMixed = types.size > 1
  const mastersHaveFormat = isMixed ? format === 'lossless' : types.has(`audio/${format}` as MasterContentType)
  if (format !== 'mp3' && !mastersHaveFormat) return null
  return sources.filter((source) => source !== null)
}

type PlanInput = { good: DigitalGoodId; format: DownloadFormat; isRelease: boolean; release: ReleaseRow | null }

async function toPlan(
  { good, format, isRelease, release }: PlanInput,
  goodTracks: readonly GoodTrack[],
  sources: readonly AudioSource[],
): Promise<DownloadPlan> {
  const entries = goodTracks.map(({ track, position }, index): DownloadEntry => {
    const source = sources[index] ?? { key: '', contentType: 'audio/mpeg' }
    const number = String(position).padStart(2, '0')
    return {
      name: `${number} ${safeName(track.title)}.${extensionOf(source)}`,
      source,
      tags: tagsOf(track, release, { position, total: isRelease ? goodTracks.length : null }),
    }
  })
  const [first] = entries
  const track = goodTracks[0]?.track
  const slug = (isRelease ? release?.slug : track?.slug) || good.replace(/\W+/g, '-')
  const contents = {
    good,
    format,
    isZip: isRelease,
    entries,
    coverUrl: (isRelease ? release?.coverUrl : track?.coverUrl) ?? '',
    modifiedAt: Math.max(EARLIEST_ZIP_DATE, release?.releasedAt ?? 0),
    fileName: isRelease ? `${slug}-${format}.zip` : `${slug}.${first ? extensionOf(first.source) : format}`,
  }
  return { ...contents, fingerprint: await sha256(JSON.stringify([WRITER_VERSION, contents])) }
}

const tagsOf = (
  track: TrackRow,
  release: ReleaseRow | null,
  { position, total }: { position: number; total: number | null },
): TrackTags => ({
  title: track.title,
  artist: track.artist,
  album: release?.title ?? '',
  albumArtist: release?.artist ?? '',
  number: release ? position : null,
  total,
  year: release ? new Date(release.releasedAt).getUTCFullYear() : null,
  isrc: track.isrc,
  label: release?.label ?? '',
})

const extensionOf = ({ contentType }: AudioSource) =>
  ({ 'audio/flac': 'flac', 'audio/wav': 'wav', 'audio/mpeg': 'mp3' })[contentType]

/** A title as a file name that every operating system accepts. */
const safeName = (title: string) =>
  title
    .normalize('NFC')
    .replace(/[\u0000-\u001f\u007f<>:"/\\|?*]+/g, ' ')
    .replace(/\s+/g, ' ')
    .replace(/^[. ]+|[. ]+$/g, '')
    .slice(0, 120) || 'Track'
