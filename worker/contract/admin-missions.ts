import * as z from 'zod/mini'
import { administrator, get, patch, post } from './endpoint'
import { wholeNumber } from './form-fields'
import type { PointsAction } from './point-rules'
import { line } from './text'

/** What can be set out to do, in the desk's words. */
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

/** Acts that the ledger writes so many times for one person and never again: more cannot be asked for. */
const MAX_TARGETS: Partial<Record<PointsAction, number>> = {
  newsletter_signup: 1,
  profile_complete: 1,
  referral_signup: 1,
  referral_bonus: 3,
}
/** Acts whose place in the ledger names their day: a streak is counted of these alone. */
const STREAK_ACTIONS: readonly PointsAction[] = ['track_stream', 'poll_created']

const actions = Object.keys(MISSION_ACTIONS) as [PointsAction, ...PointsAction[]]

export const MissionDraft = z
  .strictObject({
    title: line(80, 'The title'),
    description: line(200, 'The description'),
    points: wholeNumber('The points', 10_000),
    /** The act that counts towards it. */
    action: z.enum(actions, 'Please choose what is to be done.'),
    /** How many such acts, or days of a streak. */
    target: wholeNumber('The number of times', 365).check(z.minimum(1, 'It must be done once at least.')),
    /** Only acts of the last so many days count; null for all. */
    withinDays: z.nullable(wholeNumber('The number of days', 365).check(z.minimum(1, 'It must be a day at least.'))),
    /** The acts must fall on days without a gap. */
    isStreak: z.boolean(),
    position: wholeNumber('The place', 10_000),
  })
  .check(
    z.refine(({ action, target }) => target <= (MAX_TARGETS[action] ?? target), {
      error: ({ input }) => {
        const most = MAX_TARGETS[(input as { action: PointsAction }).action]
        return most === 1 ? 'Everybody does this once only.' : `Everybody is paid for this ${most} times at the most.`
      },
      path: ['target'],
    }),
    z.refine(({ action, isStreak }) => !isStreak || STREAK_ACTIONS.includes(action), {
      error: 'A streak is counted of listening or of creating polls.',
      path: ['isStreak'],
    }),
    z.refine(({ isStreak, withinDays }) => !isStreak || withinDays === null, {
      error: 'A streak has its days already: leave this empty.',
      path: ['withinDays'],
    }),
    z.refine(
      ({ action, target, withinDays }) => action !== 'poll_created' || withinDays === null || target <= withinDays,
      { error: 'One poll a day counts: that cannot be done in so few days.', path: ['withinDays'] },
    ),
  )
export type MissionDraft = z.infer<typeof MissionDraft>

export const AdminMission = z.object({
  id: z.string(),
  ...MissionDraft.shape,
  isActive: z.boolean(),
  /** How often it was paid so far. */
  timesPaid: z.int(),
})
export type AdminMission = z.infer<typeof AdminMission>

export const adminMissionsApi = {
  /** Those that run first, in their order. */
  missions: get('/api/admin/missions', z.array(AdminMission), administrator),
  addMission: post('/api/admin/missions', MissionDraft, z.object({ id: z.string() }), administrator),
  /** 409 `conflict` where it was paid and the draft asks or pays something else: its words and place may change. */
  updateMission: patch('/api/admin/missions/:id', MissionDraft, null, administrator),
  /** Out of sight, and paid to nobody any more; what was paid stays. `resume` takes that back. */
  endMission: post('/api/admin/missions/:id/end', null, null, administrator),
  resumeMission: post('/api/admin/missions/:id/resume', null, null, administrator),
}
