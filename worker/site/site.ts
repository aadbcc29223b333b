import { asc, eq, isNull, ne, sql } from 'drizzle-orm'
import type { Appearance } from '../contract/appearance'
import { DEFAULT_APPEARANCE, LEGAL_TEXT_IDS, legalTextPath } from '../contract/appearance-rules'
import type { LegalText } from '../contract/legal-texts'
import type { SiteConfig } from '../contract/site'
import type { Db } from '../db/client'
import type { Config } from '../env'
import { AppError } from '../lib/app-error'
import { renderPageMarkdown } from '../lib/markdown'
import { legalTexts, site, socialPosts, tiers } from './site.table'

export type SiteRow = typeof site.$inferSelect

export const siteQuery = (db: Db) => db.select().from(site).limit(1)

/** @throws AppError `unavailable` until the site is set up. */
export function requireSite([row]: readonly SiteRow[]): SiteRow {
  if (!row) throw notSetUpError()
  return row
}

export const notSetUpError = () => new AppError('unavailable', 'This site is not set up yet. Please try again later.')

/** `readSiteName` as a column of any query. */
export const siteNameColumn = sql<string>`coalesce((SELECT name FROM site), 'This site')`

/** @throws AppError `unavailable` until the site is set up. */
export const readSite = async (db: Db): Promise<SiteRow> => requireSite(await siteQuery(db))

/** The site's name, for emails; 'This site' before set-up. */
export const readSiteName = async (db: Db): Promise<string> => (await siteQuery(db))[0]?.name ?? 'This site'

/** Artist, appearance, tiers and social posts, in one round trip. */
async function readPublicSite(db: Db): Promise<Pick<SiteConfig, 'artist' | 'tiers' | 'currency' | 'appearance'>> {
  const [rows, posts, tierRows, legal] = await db.batch([
    siteQuery(db),
    db
      .select()
      .from(socialPosts)
      .where(isNull(socialPosts.removedAt))
      .orderBy(asc(socialPosts.position), asc(socialPosts.id)),
    db.select().from(tiers).orderBy(asc(tiers.position)),
    nonEmptyTextsQuery(db),
  ])
  const row = requireSite(rows)
  const { name, tagline, city, timeZone, hashtag, links, lyric, heroUrl, heroPortraitUrl, heroAlt, currency } = row
  return {
    artist: {
      name,
      tagline,
      city,
      timeZone,
      hashtag,
      links,
      lyric,
      heroUrl,
      heroPortraitUrl,
      heroAlt,
      socialPosts: posts.map(({ title, url, imageUrl, imageAlt }) => ({ title, url, imageUrl, alt: imageAlt })),
    },
    currency,
    appearance: toAppearance(row, legal),
    tiers: tierRows.map(({ id, name, priceCents, features, popular }) => ({ id, name, priceCents, features, popular })),
  }
}

/** Null if all values are the defaults. */
function toAppearance(
  { accent, sections, labels }: SiteRow,
  legal: readonly Pick<LegalText, 'id'>[],
): Appearance | null {
  if (accent === null && sections === null && labels === null && legal.length === 0) return null
  return {
    accent,
    sections: sections?.flatMap(({ id, isVisible }) => (isVisible ? [id] : [])) ?? DEFAULT_APPEARANCE.sections,
    labels: labels ?? {},
    legal: LEGAL_TEXT_IDS.filter((id) => legal.some((text) => text.id === id)),
  }
}

const nonEmptyTextsQuery = (db: Db) => db.select({ id: legalTexts.id }).from(legalTexts).where(ne(legalTexts.text, ''))

/** Paths of the legal texts that are not empty. */
export const listLegalTextPaths = async (db: Db): Promise<string[]> =>
  (await nonEmptyTextsQuery(db)).map(({ id }) => legalTextPath(id))

/** A legal text as safe HTML. @throws AppError `not_found` while it is empty. */
export async function readLegalText(db: Db, id: string): Promise<LegalText> {
  const [row] = await db
    .select()
    .from(legalTexts)
    .where(eq(legalTexts.id, id as LegalText['id']))
  if (!row || row.text === '') throw new AppError('not_found', 'There is no such text.')
  return { id: row.id, html: renderPageMarkdown(row.text) }
}

/** The public configuration: artist, tiers and enabled features. */
export async function readSiteConfig(
  db: Db,
  { isDemo, demoAdmin, google, payments, subscriptions, turnstile }: Config,
): Promise<SiteConfig> {
  return {
    ...(await readPublicSite(db)),
    demo: isDemo,
    demoAdmin,
    payments: payments.provider,
    stripePublishableKey: payments.provider === 'stripe' ? payments.publishableKey : null,
    subscriptions: subscriptions?.isSelling === true,
    google: google !== null,
    turnstileSiteKey: turnstile?.siteKey ?? null,
  }
}
