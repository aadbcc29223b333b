import { and, asc, desc, eq, gt, isNull, or, type SQL } from 'drizzle-orm'
import { type Concert, showPath, showTitle } from '../contract/concerts'
import { formatDayInZone } from '../contract/zoned-time'
import type { Db } from '../db/client'
import { AppError } from '../lib/app-error'
import { type Millis, toIso, utcToZonedTime } from '../lib/clock'
import { formatPrice } from '../lib/price'
import { concerts } from './concerts.table'

/** Limits the size of a page's head and of the Atom feed. */
const MAX_UPCOMING_SHOWS = 60

/** A concert without the columns that only the dashboard reads. */
export type ShowRow = Omit<typeof concerts.$inferSelect, 'version'>

/** All shows, past ones included, earliest first. */
export async function listConcerts(db: Db): Promise<Concert[]> {
  return (await selectShows(db)).map(toConcert)
}

/** Shows that have not ended, soonest first. */
export async function listUpcomingConcerts(db: Db, at: Millis): Promise<Concert[]> {
  return (await selectShows(db, gt(concerts.endsAt, at))).map(toConcert)
}

/** Query for the first shows that have not ended, for linked data and the feed, to run alone or in a batch. */
export const upcomingShowsQuery = (db: Db, at: Millis) =>
  selectShows(db, gt(concerts.endsAt, at)).limit(MAX_UPCOMING_SHOWS)

/** Query for shows that start after `since`, earliest first. */
export function showsSinceQuery(db: Db, since: Millis) {
  return selectShows(db, gt(concerts.startsAt, since))
}

/** @throws AppError `not_found`. */
export async function readShow(db: Db, id: string): Promise<ShowRow> {
  return requireShow(await selectShows(db, eq(concerts.id, id)))
}

/** @throws AppError `not_found`. */
export async function readShowByIdOrSlug(db: Db, idOrSlug: string): Promise<ShowRow> {
  const isId = eq(concerts.id, idOrSlug)
  return requireShow(
    await db
      .select()
      .from(concerts)
      .where(and(or(isId, eq(concerts.slug, idOrSlug)), isNull(concerts.removedAt)))
      .orderBy(desc(isId))
      .limit(1),
  )
}

function requireShow([row]: readonly ShowRow[]): ShowRow {
  if (!row) throw new AppError('not_found', 'That show does not exist.')
  return row
}

/** Query for one show, to run alone or in a batch. */
export const showBySlugQuery = (db: Db, slug: string) => selectShows(db, eq(concerts.slug, slug))

/** Paths of all show pages, those of past shows included, earliest first. */
export async function listShowPaths(db: Db): Promise<string[]> {
  return (await selectShows(db)).map(({ slug }) => showPath(slug))
}

/** Path of a show by its id, which was part of the URL before shows had slugs; null for an unknown id. */
export async function findShowPathById(db: Db, id: string): Promise<string | null> {
  const [show] = await selectShows(db, eq(concerts.id, id))
  return show ? showPath(show.slug) : null
}

function selectShows(db: Db, condition?: SQL) {
  return db
    .select()
    .from(concerts)
    .where(and(isNull(concerts.removedAt), condition))
    .orderBy(asc(concerts.startsAt), asc(concerts.id))
}

/** A show as the API returns it; date and times are in the venue's time zone. */
export function toConcert(row: ShowRow): Concert {
  const { id, slug, city, venue, address, timeZone, ticketsAvailable, isSoldOut, hasVip, imageUrl, imageAlt } = row
  const start = utcToZonedTime(row.startsAt, timeZone)
  const end = utcToZonedTime(row.endsAt, timeZone)
  return {
    id,
    slug,
    date: start.date,
    city,
    venue,
    address,
    startTime: start.time,
    endTime: end.time,
    timeZone,
    startsAt: toIso(row.startsAt),
    endsAt: toIso(row.endsAt),
    price: (row.priceCents / 100).toFixed(2),
    ticketsAvailable,
    isSoldOut,
    hasVip,
    imageUrl,
    imageAlt,
  }
}

/** A sentence about entry: sold out, free, or the price at the door. */
export function entryText(
  { isSoldOut, priceCents }: Pick<ShowRow, 'isSoldOut' | 'priceCents'>,
  currency: string,
): string {
  if (isSoldOut) return 'Sold out.'
  return priceCents === 0 ? 'Free entry.' : `Tickets at the door: ${formatPrice(priceCents, currency)}.`
}

/** Title and description of a show's page for search results and link previews. */
export function showPageMeta(
  show: ShowRow,
  artist: { name: string; currency: string },
  at: Millis,
): { title: string; description: string } {
  const day = formatDayInZone(show.startsAt, show.timeZone)
  return {
    title: showTitle(show),
    description:
      show.endsAt > at
        ? `${artist.name} live at ${show.venue} in ${show.city} on ${day}. ${entryText(show, artist.currency)}`
        : `${artist.name} played ${show.venue} in ${show.city} on ${day}.`,
  }
}
