import { and, asc, desc, eq, isNull, or, type SQL, sql } from 'drizzle-orm'
import { recordAudit } from '../audit/audit'
import { type Actor, type Crud, softDelete } from '../audit/crud'
import { concerts } from '../concerts/concerts.table'
import { announceShow, cancelAnnouncement, restoreAnnouncement } from '../concerts/show-alerts'
import type {
  AdminConcert,
  AdminMission,
  AdminSocialPost,
  AdminTier,
  ConcertDraft,
  MissionDraft,
  SiteDraft,
  SocialPostDraft,
  TierDraft,
} from '../contract/admin-content'
import { type Db, prepare } from '../db/client'
import { AppError } from '../lib/app-error'
import { DAY_MS, utcToZonedTime, zonedTimeToUtc } from '../lib/clock'
import { newId } from '../lib/crypto'
import { missions } from '../missions/missions.table'
import { permanentSlug, slugify } from '../releases/slug'
import { siteQuery } from '../site/site'
import { site, socialPosts, tiers } from '../site/site.table'
import { publishImages } from './images'

/** Times are on the venue's clock. A new show in the future is announced to its city's subscribers. */
export const concertCrud: Crud<ConcertDraft> = {
  noun: 'concert',
  table: concerts,
  remove: { ...softDelete(concerts.removedAt).remove, statements: cancelAnnouncement },
  restore: {
    ...softDelete(concerts.removedAt).restore,
    statements: (db, action) => [restoreAnnouncement(db, action)],
  },

  async list(db): Promise<AdminConcert[]> {
    const rows = await db
      .select()
      .from(concerts)
      .where(isNull(concerts.removedAt))
      .orderBy(desc(concerts.startsAt), asc(concerts.id))
    return rows.map(({ startsAt, endsAt, removedAt: _removedAt, ...row }) => {
      const start = utcToZonedTime(startsAt, row.timeZone)
      const endTime = utcToZonedTime(endsAt, row.timeZone).time
      return { ...row, date: start.date, startTime: start.time, endTime }
    })
  },

  async toRow({ db, origin }, { date, startTime, endTime, slug: chosen, ...draft }, id, { at }) {
    await publishImages(db, [draft.imageUrl])
    const { timeZone } = draft
    const nextDay = new Date(Date.parse(`${date}T00:00:00Z`) + DAY_MS).toISOString().slice(0, 10)
    const startsAt = zonedTimeToUtc(date, startTime, timeZone)
    const endsAt = zonedTimeToUtc(endTime > startTime ? date : nextDay, endTime, timeZone)
    const derived = `${slugify(`${draft.venue} ${draft.city}`, 'show')}-${date}`
    const slug = await permanentSlug(db, concerts, { id, chosen, derived })
    const values = { ...draft, slug, startsAt, endsAt }
    if (id !== null) return { id, values }
    const concertId = newId('show')
    const [artist] = await siteQuery(db)
    const announcement = { show: { ...values, id: concertId }, siteName: artist?.name ?? 'This site', origin, at }
    return { id: concertId, values, statements: startsAt > at ? [announceShow(db, announcement)] : [] }
  },
}

export const socialPostCrud: Crud<SocialPostDraft> = {
  noun: 'social_post',
  table: socialPosts,
  ...softDelete(socialPosts.removedAt),

  async list(db): Promise<AdminSocialPost[]> {
    const rows = await db
      .select()
      .from(socialPosts)
      .where(isNull(socialPosts.removedAt))
      .orderBy(asc(socialPosts.position), asc(socialPosts.id))
    return rows.map(({ removedAt: _removedAt, version: _version, ...row }) => row)
  },

  async toRow({ db }, values, id) {
    await publishImages(db, [values.imageUrl])
    return { id: id ?? newId('social'), values }
  },
}

/** Tiers can be changed, not added or removed. At most one is popular. */
export const tierCrud: Crud<TierDraft> = {
  noun: 'tier',
  table: tiers,
  notFoundMessage: 'There is no such tier.',

  async list(db): Promise<AdminTier[]> {
    const rows = await db.select().from(tiers).orderBy(asc(tiers.position))
    return rows.map(({ position: _position, version: _version, ...row }) => row)
  },

  async toRow({ db }, values, id) {
    if (id === 'bronze' && values.priceCents !== 0) throw new AppError('bad_input', 'Bronze is free.')
    const clearOthers = db.$client.prepare('UPDATE tiers SET popular = 0 WHERE id <> ?1 AND popular = 1').bind(id)
    return { id: id ?? '', values, statements: values.popular ? [clearOthers] : [] }
  },
}

/** Missions end and resume instead of being removed: the ledger refers to what they paid. */
export const missionCrud: Crud<MissionDraft> = {
  noun: 'mission',
  table: missions,
  remove: { verb: 'ended', values: () => ({ isActive: false }) },
  restore: { verb: 'resumed', values: () => ({ isActive: true }) },

  list: async (db) => {
    const rows = await db
      .select()
      .from(missions)
      .orderBy(desc(missions.isActive), asc(missions.position), asc(missions.id))
    return rows as AdminMission[]
  },

  // What the ledger has paid for cannot change; title, description and position can.
  toRow: async (_deps, values, id) => ({
    id: id ?? newId('mission'),
    values,
    updateIf: {
      condition: or(eq(missions.timesPaid, 0), isUnchanged(values)),
      message: 'Supporters have completed this mission, so its goal and points can’t change. End it and add a new one.',
    },
  }),
}

const isUnchanged = ({ points, action, target, withinDays, isStreak }: MissionDraft): SQL | undefined =>
  and(
    eq(missions.points, points),
    eq(missions.action, action),
    eq(missions.target, target),
    sql`${missions.withinDays} IS ${withinDays}`,
    eq(missions.isStreak, isStreak),
  )

/** The artist's row. @throws AppError `not_found` before the site is set up. */
export async function getSite(db: Db): Promise<SiteDraft> {
  const [row] = await siteQuery(db)
  if (!row) throw new AppError('not_found', 'This site is not set up yet.')
  const {
    id: _id,
    updatedAt: _updatedAt,
    currency: _currency,
    homeCountry: _homeCountry,
    lowStockThreshold: _lowStockThreshold,
    accent: _accent,
    sections: _sections,
    labels: _labels,
    setupHiddenAt: _setupHiddenAt,
    version: _version,
    ...draft
  } = row
  return draft
}

/** Creates or changes the artist's row, with an audit entry. @throws AppError `bad_input`. */
export async function saveSite(db: Db, draft: SiteDraft, { actorId, at }: Actor): Promise<void> {
  const { heroUrl, heroPortraitUrl, shareImageUrl, iconUrl, maskableIconUrl } = draft
  await publishImages(db, [heroUrl, heroPortraitUrl, shareImageUrl, iconUrl, maskableIconUrl])
  const values = { ...draft, updatedAt: at }
  const upsert = db
    .insert(site)
    .values({ id: 1, ...values })
    .onConflictDoUpdate({ target: site.id, set: values })
  await db.$client.batch([prepare(db, upsert), recordAudit(db, { actorId, action: 'site.changed', at })])
}
