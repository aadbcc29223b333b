import { sql } from 'drizzle-orm'
import type { CityRequestCount } from '../contract/admin'
import type { ListDefinition } from '../db/list'
import { normalizeKey } from '../lib/email'
import { cityTotals } from './concerts.table'

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
