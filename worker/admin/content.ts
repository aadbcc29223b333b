import { recordAudit } from '../audit/audit'
import { announceShow } from '../concerts/show-alerts'
import type {
  AdminConcert,
  AdminProduct,
  AdminTrack,
  ConcertDraft,
  ProductDraft,
  SiteDraft,
  TrackDraft,
} from '../contract/admin-content'
import { DAY_MS, utcToZonedTime, zonedTimeToUtc } from '../lib/clock'
import { newId } from '../lib/crypto'
import { requireStoredUploads } from '../uploads/uploads'
import { type Actor, saveRow } from './crud'

type TrackAudio = Pick<TrackDraft, 'audio'>
type SqlRow<T> = { [K in keyof T]: T[K] extends boolean ? number : T[K] }

/** Every track that is on the site, in the artist's order. */
export async function listTracks(db: D1Database): Promise<AdminTrack[]> {
  const { results } = await db
    .prepare(
      `SELECT CAST(id AS TEXT) AS id, title, artist, album, duration_seconds AS durationSeconds, cover_url AS coverUrl,
         cover_alt AS coverAlt, spotify_url AS spotifyUrl, is_trending AS isTrending, is_exclusive AS isExclusive, position,
         plays, audio_key AS audio
       FROM tracks WHERE removed_at IS NULL ORDER BY position, tracks.id`,
    )
    .all<SqlRow<AdminTrack>>()
  return results.map((row) => ({
    ...row,
    isTrending: row.isTrending === 1,
    isExclusive: row.isExclusive === 1,
  }))
}

/** The R2 key of a picture's address. */
const uploadKeyOfUrl = (url: string) => url.replace('/media/', '')

/** Keeps a track, a new one without `id`. Returns its id. @throws AppError `not_found`, `bad_input` as `mustBeStored`. */
export async function saveTrack(db: D1Database, draft: TrackDraft, id: number | null, actor: Actor): Promise<string> {
  const next = await db.prepare('SELECT coalesce(max(id), 0) + 1 AS id FROM tracks').first<{ id: number }>()
  const trackId = id ?? next?.id ?? 1
  const previous = await db
    .prepare('SELECT audio_key AS audio FROM tracks WHERE id = ?1')
    .bind(trackId)
    .first<TrackAudio>()
  await requireStoredUploads(db, 'picture', [uploadKeyOfUrl(draft.coverUrl)])
  // Any other name could be another file's of the bucket: an export's, say.
  if (draft.audio !== null && draft.audio !== previous?.audio) await requireStoredUploads(db, 'audio', [draft.audio])
  const row = {
    title: draft.title,
    artist: draft.artist,
    album: draft.album,
    duration_seconds: draft.durationSeconds,
    cover_url: draft.coverUrl,
    cover_alt: draft.coverAlt,
    spotify_url: draft.spotifyUrl,
    is_trending: Number(draft.isTrending),
    is_exclusive: Number(draft.isExclusive),
    position: draft.position,
    audio_key: draft.audio,
    ...(id === null && { released_at: actor.at }),
  }
  await saveRow(db, 'track', { id: trackId, isNew: id === null, row }, actor)
  return String(trackId)
}

/** Every product that is sold, with its pictures. */
export async function listProducts(db: D1Database): Promise<AdminProduct[]> {
  const { results } = await db
    .prepare(
      `SELECT id, name, description, price_cents AS priceCents, stock, checkout_url AS checkoutUrl,
         is_featured AS isFeatured, position,
         (SELECT json_group_array(json_object('url', url, 'alt', alt)) FROM
           (SELECT url, alt FROM product_images WHERE product_id = products.id ORDER BY position)) AS images
       FROM products WHERE removed_at IS NULL ORDER BY position, id`,
    )
    .all<Omit<SqlRow<AdminProduct>, 'images'> & { images: string }>()
  return results.map((row) => ({ ...row, isFeatured: row.isFeatured === 1, images: JSON.parse(row.images) }))
}

/** Keeps a product with its pictures, a new one without `id`. Returns its id. @throws AppError `not_found`. */
export async function saveProduct(
  db: D1Database,
  draft: ProductDraft,
  id: string | null,
  actor: Actor,
): Promise<string> {
  const productId = id ?? newId('product')
  await requireStoredUploads(
    db,
    'picture',
    draft.images.map(({ url }) => uploadKeyOfUrl(url)),
  )
  const row = {
    name: draft.name,
    description: draft.description,
    price_cents: draft.priceCents,
    stock: draft.stock,
    checkout_url: draft.checkoutUrl,
    is_featured: Number(draft.isFeatured),
    position: draft.position,
  }
  const statements = [
    db.prepare('DELETE FROM product_images WHERE product_id = ?1').bind(productId),
    ...draft.images.map(({ url, alt }, place) =>
      db
        .prepare('INSERT INTO product_images (product_id, position, url, alt) VALUES (?1, ?2, ?3, ?4)')
        .bind(productId, place + 1, url, alt),
    ),
  ]
  await saveRow(db, 'product', { id: productId, isNew: id === null, row, statements }, actor)
  return productId
}

type ConcertRow = Omit<SqlRow<AdminConcert>, 'date' | 'startTime' | 'endTime'> & { startsAt: number; endsAt: number }

/** Every show on the calendar, the latest first. */
export async function listConcerts(db: D1Database): Promise<AdminConcert[]> {
  const { results } = await db
    .prepare(
      `SELECT id, starts_at AS startsAt, ends_at AS endsAt, time_zone AS timeZone, city, venue, address,
         price_cents AS priceCents, tickets_available AS ticketsAvailable, is_sold_out AS isSoldOut, has_vip AS hasVip,
         image_url AS imageUrl, image_alt AS imageAlt
       FROM concerts WHERE removed_at IS NULL ORDER BY starts_at DESC, id`,
    )
    .all<ConcertRow>()
  return results.map(({ startsAt, endsAt, ...row }) => {
    const start = utcToZonedTime(startsAt, row.timeZone)
    return {
      ...row,
      date: start.date,
      startTime: start.time,
      endTime: utcToZonedTime(endsAt, row.timeZone).time,
      isSoldOut: row.isSoldOut === 1,
      hasVip: row.hasVip === 1,
    }
  })
}

/**
 * Keeps a show, a new one without `id`; its clock is the venue's. Who asked for shows in its city is told of a new one
 * that is still to come, once, in links that begin with `origin`. Returns its id. @throws AppError `not_found`.
 */
export async function saveConcert(
  db: D1Database,
  draft: ConcertDraft,
  id: string | null,
  actor: Actor & { origin: string },
): Promise<string> {
  await requireStoredUploads(db, 'picture', [uploadKeyOfUrl(draft.imageUrl)])
  const { date, startTime, endTime, timeZone } = draft
  const nextDay = new Date(Date.parse(`${date}T00:00:00Z`) + DAY_MS).toISOString().slice(0, 10)
  const concertId = id ?? newId('show')
  const row = {
    starts_at: zonedTimeToUtc(date, startTime, timeZone),
    ends_at: zonedTimeToUtc(endTime > startTime ? date : nextDay, endTime, timeZone),
    time_zone: timeZone,
    city: draft.city,
    venue: draft.venue,
    address: draft.address,
    price_cents: draft.priceCents,
    tickets_available: draft.ticketsAvailable,
    is_sold_out: Number(draft.isSoldOut),
    has_vip: Number(draft.hasVip),
    image_url: draft.imageUrl,
    image_alt: draft.imageAlt,
  }
  const site = await db.prepare('SELECT name FROM site').first<{ name: string }>()
  const { city, venue, address, priceCents } = draft
  const show = { id: concertId, city, venue, address, startsAt: row.starts_at, timeZone, priceCents }
  const isAnnounced = id === null && row.starts_at > actor.at
  const statements = isAnnounced
    ? [announceShow(db, { show, siteName: site?.name ?? 'This site', origin: actor.origin, at: actor.at })]
    : []
  await saveRow(db, 'concert', { id: concertId, isNew: id === null, row, statements }, actor)
  return concertId
}

const SITE_COLUMNS = `name, tagline, city, hashtag, description, lyric, referral_prefix AS referralPrefix,
  time_zone AS timeZone, links, hero_url AS heroUrl, hero_portrait_url AS heroPortraitUrl, hero_alt AS heroAlt,
  share_image_url AS shareImageUrl, icon_url AS iconUrl, maskable_icon_url AS maskableIconUrl`

/** The artist's own words, links and pictures; null while nobody has set the site up. */
export async function getSite(db: D1Database): Promise<SiteDraft | null> {
  const row = await db
    .prepare(`SELECT ${SITE_COLUMNS} FROM site WHERE id = 1`)
    .first<Omit<SiteDraft, 'links'> & { links: string }>()
  return row && { ...row, links: JSON.parse(row.links) }
}

/** Keeps the artist's row, the first one too. @throws AppError `bad_input` as `mustBeStored`. */
export async function saveSite(db: D1Database, draft: SiteDraft, { actorId, at }: Actor): Promise<void> {
  const { heroUrl, heroPortraitUrl, shareImageUrl, iconUrl, maskableIconUrl } = draft
  await requireStoredUploads(
    db,
    'picture',
    [heroUrl, heroPortraitUrl, shareImageUrl, iconUrl, maskableIconUrl].map(uploadKeyOfUrl),
  )
  const row = {
    name: draft.name,
    tagline: draft.tagline,
    city: draft.city,
    hashtag: draft.hashtag,
    description: draft.description,
    lyric: draft.lyric,
    referral_prefix: draft.referralPrefix,
    time_zone: draft.timeZone,
    links: JSON.stringify(draft.links),
    hero_url: draft.heroUrl,
    hero_portrait_url: draft.heroPortraitUrl,
    hero_alt: draft.heroAlt,
    share_image_url: draft.shareImageUrl,
    icon_url: draft.iconUrl,
    maskable_icon_url: draft.maskableIconUrl,
    updated_at: at,
  }
  const columns = Object.keys(row)
  await db.batch([
    db
      .prepare(
        `INSERT INTO site (id, ${columns.join(', ')}) VALUES (1, ${columns.map((_, i) => `?${i + 1}`).join(', ')})
         ON CONFLICT (id) DO UPDATE SET ${columns.map((column) => `${column} = excluded.${column}`).join(', ')}`,
      )
      .bind(...Object.values(row)),
    recordAudit(db, { actorId, action: 'site.changed', at }),
  ])
}
