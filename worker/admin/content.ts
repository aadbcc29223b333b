import { and, eq, isNull, or, type SQL, sql } from 'drizzle-orm'
import { type Crud, softDelete } from '../audit/crud'
import { isVersion, nextVersion, saveVersioned } from '../audit/save-versioned'
import { concerts } from '../concerts/concerts.table'
import { announceShow, cancelAnnouncement, restoreAnnouncement } from '../concerts/show-alerts'
import {
  type AdminConcert,
  type AdminMission,
  type AdminSocialPost,
  type AdminTier,
  type ConcertDraft,
  MISSION_ACTIONS,
  type MissionDraft,
  type SiteDraft,
  type SocialPostDraft,
  type TierDraft,
} from '../contract/admin-content'
import type { Db } from '../db/client'
import { columnFilter, conditionFilter, containsText, daysFilter, findByIds, type RecordList } from '../db/list'
import type { Actor } from '../deps'
import { AppError } from '../lib/app-error'
import { DAY_MS, type Millis, utcDay, utcToZonedTime, zonedTimeToUtc } from '../lib/clock'
import { newId } from '../lib/crypto'
import { missions } from '../missions/missions.table'
import { permanentSlug, slugify } from '../releases/slug'
import { siteQuery } from '../site/site'
import { site, socialPosts, tiers } from '../site/site.table'
import { publishImages } from './images'

/** The times of drafts are in the venue's time zone. A new show in the future is announced to the show alerts of its city. */
export const concertCrud: Crud<ConcertDraft> = {
  noun: 'concert',
  table: concerts,
  notFoundMessage: 'That show does not exist.',
  remove: { ...softDelete(concerts.removedAt).remove, statements: cancelAnnouncement },
  restore: {
    ...softDelete(concerts.removedAt).restore,
    statements: (db, action) => [restoreAnnouncement(db, action)],
  },

  list: (at) => concertList(at),

  async toRow({ db, origin }, { date, startTime, endTime, slug: chosen, ...draft }, id, { at }) {
    await publishImages(db, [draft.imageUrl])
    const { timeZone } = draft
    const nextDay = utcDay(Date.parse(`${date}T00:00:00Z`) + DAY_MS)
    const startsAt = zonedTimeToUtc(date, startTime, timeZone)
    const endsAt = zonedTimeToUtc(endTime > startTime ? date : nextDay, endTime, timeZone)
    const derived = `${slugify(`${draft.venue} ${draft.city}`, 'show')}-${date}`
    const slug = await permanentSlug(db, concerts, { id, chosen, derived })
    const values = { ...draft, slug, startsAt, endsAt }
    if (id !== null) return { id, values }
    const concertId = newId('show')
    const [siteRow] = await siteQuery(db)
    const { name: siteName, currency } = siteRow ?? { name: 'This site', currency: 'USD' }
    const announcement = { show: { ...values, id: concertId }, siteName, currency, origin, at }
    return { id: concertId, values, statements: startsAt > at ? [announceShow(db, announcement)] : [] }
  },
}

const SOLD_OUT = sql`(${concerts.isSoldOut} OR ${concerts.ticketsAvailable} = 0)`

/** All shows, latest first. */
const concertList = (at: Millis): RecordList<AdminConcert> => ({
  from: sql`${concerts}`,
  where: isNull(concerts.removedAt),
  id: sql`${concerts.id}`,
  sorts: {
    date: sql`${concerts.startsAt}`,
    venue: sql`lower(${concerts.venue})`,
    city: sql`lower(${concerts.city})`,
    // An unknown number of tickets (NULL) sorts after the largest number that the form accepts.
    tickets: sql`iif(${concerts.isSoldOut}, 0, coalesce(${concerts.ticketsAvailable}, 1000001))`,
  },
  defaultSort: '-date',
  filters: {
    time: conditionFilter({ upcoming: sql`${concerts.endsAt} > ${at}`, past: sql`${concerts.endsAt} <= ${at}` }),
    tickets: conditionFilter({ sold_out: SOLD_OUT, available: sql`NOT coalesce(${SOLD_OUT}, 0)` }),
    date: daysFilter(sql`${concerts.startsAt}`),
  },
  search: (q) => ({ where: containsText([sql`${concerts.venue}`, sql`${concerts.city}`], q) }),
  load: async (db, ids) => {
    const rows = await findByIds(db, concerts, ids)
    return rows.map(({ startsAt, endsAt, removedAt: _removedAt, ...row }) => {
      const start = utcToZonedTime(startsAt, row.timeZone)
      const endTime = utcToZonedTime(endsAt, row.timeZone).time
      return { ...row, date: start.date, startTime: start.time, endTime }
    })
  },
})

export const socialPostCrud: Crud<SocialPostDraft> = {
  noun: 'social_post',
  table: socialPosts,
  notFoundMessage: 'That post does not exist.',
  ...softDelete(socialPosts.removedAt),
  isSortable: isNull(socialPosts.removedAt),

  list: (): RecordList<AdminSocialPost> => ({
    from: sql`${socialPosts}`,
    where: isNull(socialPosts.removedAt),
    id: sql`${socialPosts.id}`,
    sorts: { position: sql`${socialPosts.position}`, title: sql`lower(${socialPosts.title})` },
    defaultSort: 'position',
    filters: {},
    search: (q) => ({ where: containsText([sql`${socialPosts.title}`, sql`${socialPosts.url}`], q) }),
    load: async (db, ids) => {
      const rows = await findByIds(db, socialPosts, ids)
      return rows.map(({ removedAt: _removedAt, ...row }) => row)
    },
  }),

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

  list: (): RecordList<AdminTier> => ({
    from: sql`${tiers}`,
    id: sql`${tiers.id}`,
    sorts: { position: sql`${tiers.position}` },
    defaultSort: 'position',
    filters: {},
    load: async (db) => {
      const rows = await db.select().from(tiers)
      return rows.map(({ position: _position, ...row }) => row)
    },
  }),

  async toRow({ db }, values, id) {
    if (id === 'bronze' && values.priceCents !== 0) throw new AppError('bad_input', 'Bronze is free.')
    const clearOthers = db.$client.prepare('UPDATE tiers SET popular = 0 WHERE id <> ?1 AND popular = 1').bind(id)
    return { id: id ?? '', values, statements: values.popular ? [clearOthers] : [] }
  },
}

/** Missions end and resume instead of being removed: the ledger refers to their awards. */
export const missionCrud: Crud<MissionDraft> = {
  noun: 'mission',
  table: missions,
  remove: { verb: 'ended', values: () => ({ isActive: false }) },
  restore: { verb: 'resumed', values: () => ({ isActive: true }) },
  isSortable: sql`${missions.isActive}`,

  list: (): RecordList<AdminMission> => ({
    from: sql`${missions}`,
    id: sql`${missions.id}`,
    sorts: {
      // Active missions first: a position is at most 10,000.
      position: sql`(NOT ${missions.isActive}) * 100000 + ${missions.position}`,
      title: sql`lower(${missions.title})`,
      points: sql`${missions.points}`,
      completed: sql`${missions.timesPaid}`,
    },
    defaultSort: 'position',
    filters: {
      state: conditionFilter({ active: sql`${missions.isActive}`, ended: sql`NOT ${missions.isActive}` }),
      action: columnFilter(sql`${missions.action}`, Object.keys(MISSION_ACTIONS)),
    },
    search: (q) => ({ where: containsText([sql`${missions.title}`, sql`${missions.description}`], q) }),
    load: async (db, ids) => (await findByIds(db, missions, ids)) as AdminMission[],
  }),

  // Once a mission has awarded points, only its title, description and position can change.
  toRow: async (_deps, values, id) => ({
    id: id ?? newId('mission'),
    values,
    updateIf: {
      condition: or(eq(missions.timesPaid, 0), keepsGoalAndPoints(values)),
      message: 'Supporters have completed this mission, so its goal and points can’t change. End it and add a new one.',
    },
  }),
}

const keepsGoalAndPoints = ({ points, action, target, withinDays, isStreak }: MissionDraft): SQL | undefined =>
  and(
    eq(missions.points, points),
    eq(missions.action, action),
    eq(missions.target, target),
    sql`${missions.withinDays} IS ${withinDays}`,
    eq(missions.isStreak, isStreak),
  )

/** The site's settings, without the fields that other forms edit. @throws AppError `not_found` before set-up. */
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
    ...draft
  } = row
  return draft
}

/** Creates or updates the site's row, with an audit entry. @throws AppError `bad_input`, `conflict`. */
export async function saveSite(db: Db, { version, ...draft }: SiteDraft, { actorId, at }: Actor): Promise<void> {
  const { heroUrl, heroPortraitUrl, shareImageUrl, iconUrl, maskableIconUrl } = draft
  await publishImages(db, [heroUrl, heroPortraitUrl, shareImageUrl, iconUrl, maskableIconUrl])
  const values = { ...draft, updatedAt: at }
  const upsert = db
    .insert(site)
    .values({ id: 1, ...values })
    .onConflictDoUpdate({
      target: site.id,
      set: { ...values, version: nextVersion(site.version) },
      setWhere: isVersion(site.version, version),
    })
  await saveVersioned(db, upsert, { actorId, action: 'site.changed', at })
}
