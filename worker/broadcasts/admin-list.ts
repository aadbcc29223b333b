import { sql } from 'drizzle-orm'
import type { Broadcast } from '../contract/broadcasts'
import { columnFilter, containsText, daysFilter, findByIds, type RecordList } from '../db/list'
import { withCounts } from './broadcasts'
import { broadcasts } from './broadcasts.table'

/** Broadcasts, newest first, with the delivery counts of each. */
export const broadcastList: RecordList<Broadcast> = {
  from: sql`${broadcasts}`,
  id: sql`${broadcasts.id}`,
  sorts: { created: sql`${broadcasts.createdAt}`, subject: sql`${broadcasts.subject}` },
  defaultSort: '-created',
  filters: {
    state: columnFilter(sql`${broadcasts.state}`, broadcasts.state.enumValues),
    audience: columnFilter(sql`${broadcasts.audience}`, broadcasts.audience.enumValues),
    created: daysFilter(sql`${broadcasts.createdAt}`),
  },
  search: (q) => ({ where: containsText([sql`${broadcasts.subject}`, sql`${broadcasts.markdown}`], q) }),
  load: async (db, ids) => {
    const rows = await findByIds(db, broadcasts, ids)
    return (await withCounts(db, rows)).map(({ markdown: _markdown, version: _version, ...broadcast }) => broadcast)
  },
}
