import type { PointsAward } from '../contract/points'
import { missionAwardSql } from './missions'

type CompletedMissions = PointsAward['missions']

/**
 * A column: the missions that an act fulfilled, as JSON for `fulfilled`. `key` and `at` are SQL for the act's ledger
 * key and instant, `person` for who did it. The trigger that pays a mission writes behind the act, in the same instant.
 */
export const completedMissionsSql = (key: string, at: string, userId = '?1') => `(
  SELECT json_group_array(json_object('id', m.id, 'title', m.title, 'points', paid.points))
  FROM ledger act JOIN ledger paid ON paid.user_id = act.user_id AND paid.action = 'mission' AND paid.created_at = ${at}
  JOIN missions m ON ${missionAwardSql('m', 'paid')}
  WHERE act.user_id = ${userId} AND act.key = ${key} AND act.created_at = ${at} AND paid.id > act.id)`

export function parseCompletedMissions(column: string): CompletedMissions {
  return JSON.parse(column) as CompletedMissions
}
