import { sql } from 'drizzle-orm'
import { type AdminMission, MISSION_ACTIONS } from '../contract/admin-missions'
import { columnFilter, conditionFilter, containsText, findByIds, type RecordList } from '../db/list'
import { missions } from './missions.table'

/** All missions, also ended ones, in their order. */
export const missionList: RecordList<AdminMission> = {
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
}
