import { isNull, sql } from 'drizzle-orm'
import type { CityRequestCount } from '../contract/admin'
import type { AdminConcert } from '../contract/admin-content'
import { conditionFilter, containsText, daysFilter, findByIds, type ListDefinition, type RecordList } from '../db/list'
import { type Millis, utcToZonedTime } from '../lib/clock'
import { normalizeKey } from '../lib/email'
import { cityTotals, concerts } from './concerts.table'

/** All shows, latest first. */
export const concertList = (at: Millis): RecordList<AdminConcert> => ({
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
    tickets: conditionFilter({ sold_out: sql`${concerts.isSoldOut}`, available: sql`NOT ${concerts.isSoldOut}` }),
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

/** Requested cities, most requested first. */
export const cityRequestList: ListDefinition<CityRequestCount, CityRequestCount> = {
  select: sql`${cityTotals.city}, ${cityTotals.requesters}`,
  from: sql`${cityTotals}`,
  where: sql`${cityTotals.requesters} > 0`,
  id: sql`${cityTotals.cityKey}`,
  sorts: { people: sql`${cityTotals.requesters}`, city: sql`${cityTotals.cityKey}` },
  defaultSort: '-people',
  filters: {},
  search: (q) => ({ where: sql`instr(${cityTotals.cityKey}, ${normalizeKey(q)})` }),
  toItem: (row) => row,
}
