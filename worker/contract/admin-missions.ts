import * as z from 'zod/mini'
import { editors, post } from './endpoint'
import { draftVersion, ListOrder, line, wholeNumber } from './fields'
import type { PointsAction } from './points'
import { recordEndpoints } from './record-endpoints'

/** Actions that a mission can count, with their labels in its form. */
export const MISSION_ACTIONS = {
  poll_vote: 'Vote in a poll',
  poll_created: 'Create a poll',
  track_stream: 'Listen to a track here',
  track_like: 'Like a track',
  community_post: 'Post in the community',
  check_in: 'Check in at a show',
  merch_purchase: 'Buy merch',
  newsletter_signup: 'Join the newsletter',
  profile_complete: 'Complete the profile',
  referral_signup: 'Join with a friend’s code',
  referral_bonus: 'Bring a friend',
} as const satisfies Record<PointsAction, string>

/** The highest target that a mission can have for an action that each user can do a limited number of times. */
const MAX_TARGETS: Partial<Record<PointsAction, number>> = {
  newsletter_signup: 1,
  profile_complete: 1,
  referral_signup: 1,
  referral_bonus: 3,
}
/** Actions that are recorded per day: only these can count as a streak. */
const STREAK_ACTIONS: readonly PointsAction[] = ['track_stream', 'poll_created']

const missionActions = Object.keys(MISSION_ACTIONS) as [PointsAction, ...PointsAction[]]

export const MissionDraft = z
  .strictObject({
    title: line(80, 'The title'),
    description: line(200, 'The description'),
    points: wholeNumber('The points', 10_000),
    action: z.enum(missionActions, 'Please choose an action.'),
    /** Number of actions, or days of a streak. */
    target: wholeNumber('The number of times', 365).check(z.minimum(1, 'It must be done at least once.')),
    /** Only actions of the last N days count; null for all. */
    withinDays: z.nullable(wholeNumber('The number of days', 365).check(z.minimum(1, 'It must be at least one day.'))),
    /** The actions must fall on consecutive days. */
    isStreak: z.boolean(),
    position: wholeNumber('The place', 10_000),
    version: draftVersion,
  })
  .check(
    z.refine(({ action, target }) => target <= (MAX_TARGETS[action] ?? target), {
      error: ({ input }) => {
        const max = MAX_TARGETS[(input as { action: PointsAction }).action]
        return max === 1
          ? 'Each supporter can do this only once.'
          : `Each supporter gets points for this at most ${max} times.`
      },
      path: ['target'],
    }),
    z.refine(({ action, isStreak }) => !isStreak || STREAK_ACTIONS.includes(action), {
      error: 'Only listening and creating polls can count as a streak.',
      path: ['isStreak'],
    }),
    z.refine(({ isStreak, withinDays }) => !isStreak || withinDays === null, {
      error: 'A streak already sets its number of days. Leave this empty.',
      path: ['withinDays'],
    }),
    z.refine(
      ({ action, target, withinDays }) => action !== 'poll_created' || withinDays === null || target <= withinDays,
      { error: 'Only one poll a day counts, so this cannot be done in so few days.', path: ['withinDays'] },
    ),
  )
export type MissionDraft = z.infer<typeof MissionDraft>

export const AdminMission = z.object({
  id: z.string(),
  ...MissionDraft.shape,
  version: z.int(),
  isActive: z.boolean(),
  /** Number of awards so far. */
  timesPaid: z.int(),
})
export type AdminMission = z.infer<typeof AdminMission>

export const adminMissionsApi = {
  ...recordEndpoints('/api/admin/missions', {
    access: editors,
    row: AdminMission,
    draft: MissionDraft,
    filters: ['state', 'action'],
    list: { description: 'Active missions first, in order.' },
    update: { description: '409 `conflict` if it was awarded and the draft changes the goal or the points.' },
  }),
  remove: post('/api/admin/missions/:id/end', null, null, {
    ...editors,
    description: 'Hides the mission and stops awards; past awards stay. `/api/admin/missions/:id/resume` undoes it.',
  }),
  restore: post('/api/admin/missions/:id/resume', null, null, editors),
  reorder: post('/api/admin/mission-order', ListOrder, null, {
    ...editors,
    description: 'Of the active missions.',
  }),
}
