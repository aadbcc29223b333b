import type { Earned } from '../contract/points'
import { AWARD_OF } from './missions'

type Fulfilled = Earned['missions']

/**
 * A column: the missions that an act fulfilled, as JSON for `fulfilled`. `key` and `at` are SQL for the act's ledger
 * key and instant, `person` for who did it. The trigger that pays a mission writes behind the act, in the same instant.
 */
export const FULFILLED = (key: string, at: string, person = '?1') => `(
  SELECT json_group_array(json_object('id', m.id, 'title', m.title, 'points', paid.points))
  FROM ledger act JOIN ledger paid ON paid.user_id = act.user_id AND paid.action = 'mission' AND paid.created_at = ${at}
  JOIN missions m ON ${AWARD_OF('m', 'paid')}
  WHERE act.user_id = ${person} AND act.key = ${key} AND act.created_at = ${at} AND paid.id > act.id)`

export function fulfilled(column: string): Fulfilled {
  return JSON.parse(column) as Fulfilled
}
