import { and, eq, or, type SQL, sql } from 'drizzle-orm'
import type { Crud } from '../audit/crud'
import type { MissionDraft } from '../contract/admin-missions'
import { newId } from '../lib/crypto'
import { missionList } from './admin-list'
import { missions } from './missions.table'

/** Missions end and resume instead of being removed: the ledger refers to their awards. */
export const missionCrud: Crud<MissionDraft> = {
  noun: 'mission',
  table: missions,
  remove: { verb: 'ended', values: () => ({ isActive: false }) },
  restore: { verb: 'resumed', values: () => ({ isActive: true }) },
  isSortable: sql`${missions.isActive}`,

  list: () => missionList,

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
