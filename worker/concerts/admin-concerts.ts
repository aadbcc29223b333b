import { type Crud, softDelete } from '../audit/crud'
import type { ConcertDraft } from '../contract/admin-content'
import { permanentSlug, slugify } from '../db/slug'
import { DAY_MS, utcDay, zonedTimeToUtc } from '../lib/clock'
import { newId } from '../lib/crypto'
import { siteQuery } from '../site/site'
import { publishImages } from '../uploads/uploads'
import { concertList } from './admin-list'
import { concerts } from './concerts.table'
import { announceShow, cancelAnnouncement, restoreAnnouncement } from './show-alerts'

/**
 * The times of drafts are in the venue's time zone. A new show in the future is announced to the show alerts of its
 * city.
 */
export const concertCrud: Crud<ConcertDraft> = {
  noun: 'concert',
  table: concerts,
  notFoundMessage: 'That show does not exist.',
  remove: { ...softDelete(concerts.removedAt).remove, statements: cancelAnnouncement },
  restore: {
    ...softDelete(concerts.removedAt).restore,
    statements: (db, action) => [restoreAnnouncement(db, action)],
  },

  list: concertList,

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
