import { like, or, type SQL } from 'drizzle-orm'
import type { AnySQLiteColumn, SQLiteTable } from 'drizzle-orm/sqlite-core'
import type { Db } from '../db/client'

const MAX_LENGTH = 60

/** Words of the title in ASCII, joined by hyphens; `fallback` for a title without any. */
export function slugify(title: string, fallback: string): string {
  const words = title
    .normalize('NFKD')
    .replace(/[\u0300-\u036f’']/g, '')
    .toLowerCase()
    .match(/[a-z0-9]+/g)
  return (words ?? []).join('-').slice(0, MAX_LENGTH).replace(/-$/, '') || fallback
}

/** The slug, or with the first free number appended: `title-2`. Removed rows occupy theirs. */
export async function freeSlug(db: Db, table: SQLiteTable & { slug: AnySQLiteColumn }, slug: string): Promise<string> {
  const rows = await db
    .select({ slug: table.slug })
    .from(table)
    .where(or(like(table.slug, slug), like(table.slug, `${slug}-%`)) as SQL)
  const taken = new Set(rows.map((row) => row.slug))
  if (!taken.has(slug)) return slug
  for (let number = 2; ; number++) if (!taken.has(`${slug}-${number}`)) return `${slug}-${number}`
}
