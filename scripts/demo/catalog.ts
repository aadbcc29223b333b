import { DAY_MS } from '../../worker/lib/clock.ts'
import { insertRows, type Row } from '../tools/sql.ts'
import { artist, tracks } from './artist.ts'
import catalog from './data/catalog.json' with { type: 'json' }
import { altText, audioKey, audioSeconds, imageUrl, masterFiles, masterId } from './media.ts'
import { createRandom } from './random.ts'

type Product = (typeof catalog.products)[number]

/** Inserts tracks, releases, and daily plays that add up to each track's total. */
export async function seedMusic(db: D1Database, now: number): Promise<void> {
  const random = createRandom(7)
  const releasedAt = (slug: string) =>
    now -
    Math.max(...catalog.releases.filter(({ tracks }) => tracks.includes(slug)).map((release) => release.days_ago)) *
      DAY_MS
  await insertRows(
    db,
    'tracks',
    tracks.map(({ plays, credits, ...track }) => ({
      ...track,
      credits: JSON.stringify(credits),
      artist: artist.name,
      duration_seconds: audioSeconds(track.slug),
      cover_url: imageUrl(`cover-${track.slug}`),
      cover_alt: altText(`cover-${track.slug}`),
      audio_key: audioKey(track.slug),
      position: track.id,
      released_at: releasedAt(track.slug),
    })),
  )
  const days: Row[] = []
  for (const { id, slug, plays: total } of tracks) {
    const dayAt = (index: number) => new Date(releasedAt(slug) + index * DAY_MS)
    // Plays peak at the release and decay; weekends are busier.
    const weights = Array.from({ length: Math.floor((now - releasedAt(slug)) / DAY_MS) }, (_, index) => {
      const weekday = dayAt(index).getUTCDay()
      const weekdayFactor = weekday === 5 || weekday === 6 ? 1.35 : 1
      return (0.35 + Math.exp(-index / 18)) * weekdayFactor * (0.85 + random.next() * 0.3)
    })
    const weightSum = weights.reduce((sum, weight) => sum + weight, 0)
    let remaining: number = total
    for (const [index, weight] of weights.entries()) {
      const plays = index === weights.length - 1 ? remaining : Math.floor((total * weight) / weightSum)
      remaining -= plays
      days.push({ track_id: id, day: dayAt(index).toISOString().slice(0, 10), plays })
    }
  }
  await insertRows(db, 'track_days', days)
  await seedReleases(db, now)
}

async function seedReleases(db: D1Database, now: number): Promise<void> {
  await insertRows(
    db,
    'releases',
    catalog.releases.map(({ days_ago, cover, tracks: _, credits, ...release }) => ({
      ...release,
      credits: JSON.stringify(credits),
      artist: artist.name,
      cover_url: imageUrl(cover),
      cover_alt: altText(cover),
      released_at: now - days_ago * DAY_MS,
    })),
  )
  const idOf = new Map(tracks.map(({ slug, id }) => [slug, id]))
  await insertRows(
    db,
    'release_tracks',
    catalog.releases.flatMap(({ id, tracks: slugs }) =>
      slugs.map((slug, index) => ({ release_id: id, position: index + 1, track_id: idOf.get(slug) ?? 0 })),
    ),
  )
}

/** Inserts the demo's masters, for tracks that have none yet. */
export async function seedMasters(db: D1Database, now: number): Promise<void> {
  const { results } = await db.prepare('SELECT DISTINCT track_id AS id FROM track_masters').all<{ id: number }>()
  await insertRows(
    db,
    'track_masters',
    tracks.flatMap(({ id, slug }) => {
      const master = masterFiles.get(slug)
      if (!master || results.some((row) => row.id === id)) return []
      return [
        {
          id: masterId(slug),
          track_id: id,
          file_name: `${slug}.flac`,
          fingerprint: masterId(slug),
          size_bytes: master.bytes,
          content_type: 'audio/flac',
          created_at: now,
          updated_at: now,
          stored_at: now,
        },
      ]
    }),
  )
}

export async function seedProducts(db: D1Database): Promise<void> {
  await insertRows(
    db,
    'products',
    catalog.products.map(({ images, sizes, ...product }, index) => ({
      ...product,
      stock: sizes[0]?.stock ?? product.stock,
      position: index + 1,
    })),
  )
  for (const product of catalog.products) await seedSizes(db, product)
  await insertRows(
    db,
    'product_images',
    catalog.products.flatMap(({ id, images }) =>
      images.map((image, index) => ({
        product_id: id,
        position: index + 1,
        url: imageUrl(image),
        alt: altText(image),
      })),
    ),
  )
}

/** Inserts the releases sold as downloads, after the other products, unless the demo has them. */
export async function seedDownloads(db: D1Database): Promise<void> {
  const [first] = catalog.downloads
  if (await db.prepare('SELECT 1 FROM products WHERE id = ?1').bind(first?.id).first()) return
  await insertRows(
    db,
    'products',
    catalog.downloads.map(({ image: _, release: __, minimum_cents: ___, ...product }, index) => ({
      ...product,
      stock: 0,
      kind: 'digital',
      ships: false,
      position: catalog.products.length + index + 1,
    })),
  )
  for (const { id, release, price_cents, minimum_cents } of catalog.downloads)
    await db
      .prepare(
        `UPDATE product_variants SET stock = NULL, release_slug = ?2, suggested_cents = ?3, minimum_cents = ?4
         WHERE product_id = ?1`,
      )
      .bind(id, release, price_cents, minimum_cents)
      .run()
  await insertRows(
    db,
    'product_images',
    catalog.downloads.map(({ id, image }) => ({
      product_id: id,
      position: 1,
      url: imageUrl(image),
      alt: altText(image),
    })),
  )
}

/** Adds the variants of a product. The first exists already: a trigger inserts it with the product. */
async function seedSizes(db: D1Database, { id, price_cents, sizes }: Product): Promise<void> {
  const [first, ...others] = sizes
  if (!first) return
  const optionsOf = (name: string) => JSON.stringify({ Size: name })
  await db
    .prepare('UPDATE product_variants SET name = ?2, options = ?3 WHERE product_id = ?1')
    .bind(id, first.name, optionsOf(first.name))
    .run()
  await insertRows(
    db,
    'product_variants',
    others.map(({ name, stock }, index) => ({
      id: `${id}-${name.toLowerCase()}`,
      product_id: id,
      position: index + 2,
      name,
      options: optionsOf(name),
      price_cents,
      stock,
    })),
  )
}
