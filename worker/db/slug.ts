import { and, eq, gte, lt, or } from 'drizzle-orm'
import type { AnySQLiteColumn, SQLiteTable } from 'drizzle-orm/sqlite-core'
import { AppError } from '../lib/app-error'
import type { Millis } from '../lib/clock'
import type { Db } from './client'

const MAX_SLUG_LENGTH = 60

/** Words of the title in ASCII, joined by hyphens; `fallback` for a title without any. */
export function slugify(title: string, fallback: string): string {
  const words = title
    .normalize('NFKD')
    .replace(/[\u0300-\u036f’']/g, '')
    .toLowerCase()
    .match(/[a-z0-9]+/g)
  return (words ?? []).join('-').slice(0, MAX_SLUG_LENGTH).replace(/-$/, '') || fallback
}

/** The slug; if it is taken, with the first free number, as in `title-2`. Slugs of removed rows are taken. */
export async function freeSlug(db: Db, table: SQLiteTable & { slug: AnySQLiteColumn }, slug: string): Promise<string> {
  const rows = await db
    .select({ slug: table.slug })
    .from(table)
    // Slugs that start with `<slug>-` ('.' follows '-'). D1 limits patterns of LIKE to 50 bytes.
    .where(or(eq(table.slug, slug), and(gte(table.slug, `${slug}-`), lt(table.slug, `${slug}.`))))
  const takenSlugs = new Set(rows.map((row) => row.slug))
  if (!takenSlugs.has(slug)) return slug
  for (let number = 2; ; number++) if (!takenSlugs.has(`${slug}-${number}`)) return `${slug}-${number}`
}

/**
 * The slug of a page that is public from the start: for a new row the first free slug, else the stored slug.
 * @throws AppError `conflict` if `chosen` is not the stored one: links to it would break.
 */
export async function permanentSlug(
  db: Db,
  table: SQLiteTable & { id: AnySQLiteColumn; slug: AnySQLiteColumn },
  { id, chosen, derived }: { id: string | null; chosen: string | undefined; derived: string },
): Promise<string> {
  if (id === null) return freeSlug(db, table, chosen ?? derived)
  const [row] = await db.select({ slug: table.slug }).from(table).where(eq(table.id, id))
  const slug = (row?.slug as string | undefined) ?? derived
  if (chosen !== undefined && chosen !== slug)
    throw new AppError('conflict', 'That address is already public and cannot change.')
  return slug
}

/**
 * The slug to save for a page that becomes public at its release time (a track or release). Undefined keeps the old.
 * @throws AppError `conflict` if another row has the slug, or if the old slug was public or announced: links would
 * break.
 */
export async function slugToSave(
  db: Db,
  table: SQLiteTable & { slug: AnySQLiteColumn },
  previous: { slug: string; releasedAt: Millis; isAnnounced?: boolean },
  slug: string | undefined,
  at: Millis,
): Promise<string> {
  if (slug === undefined || slug === previous.slug) return previous.slug
  if ((previous.releasedAt <= at || previous.isAnnounced) && previous.slug !== '')
    throw new AppError('conflict', 'That address is already public and cannot change.')
  if ((await freeSlug(db, table, slug)) !== slug) throw new AppError('conflict', 'That address is taken.')
  return slug
}
