import * as z from 'zod/mini'
import { confirmed, editors, get, post, user, visitor } from './endpoint'
import { line, optionalLine, prose, timestamp } from './fields'
import { PointsAward } from './points'

/** `voteCount` is null until the caller has voted or the poll has closed. */
export const PollView = z.object({
  id: z.string(),
  title: z.string(),
  description: z.string(),
  /** End of the voting period, exclusive. */
  endDate: timestamp,
  options: z.array(z.object({ id: z.string(), title: z.string(), voteCount: z.nullable(z.int()) })),
  /** `counted` is false while the email is unconfirmed, or if another account of the mailbox has a counted vote. */
  userVote: z.nullable(z.object({ optionId: z.string(), counted: z.boolean() })),
})
export type PollView = z.infer<typeof PollView>

export const POLL_LIMITS = { title: 140, description: 500, option: 80, options: { min: 2, max: 20 } } as const
const { min, max } = POLL_LIMITS.options

/** Options are duplicates if their normalized titles are equal. */
export const normalizeOption = (title: string) => title.normalize('NFKC').replace(/\s+/g, ' ').toLowerCase()

/** Blank options are dropped; duplicates are rejected. Option descriptions are accepted but not stored. */
export const PollDraft = z.strictObject({
  title: line(POLL_LIMITS.title, 'The title', 'Please enter a title for your poll.'),
  description: z.optional(prose(POLL_LIMITS.description, 'The description')),
  options: z
    .array(
      z.strictObject({
        title: optionalLine(POLL_LIMITS.option, 'An option'),
        description: z.optional(prose(POLL_LIMITS.description, 'The description')),
      }),
      'Please provide at least 2 poll options.',
    )
    .check(
      z.overwrite((options) => options.filter(({ title }) => title !== '')),
      z.minLength(min, `Please provide at least ${min} poll options.`),
      z.maxLength(max, `A poll has at most ${max} options.`),
      z.refine((options) => new Set(options.map(({ title }) => normalizeOption(title))).size === options.length, {
        error: 'Two of the options are the same. Please make each one different.',
      }),
    ),
})

/** A WebSocket message with all counts. */
export const LiveCounts = z.object({
  endDate: timestamp,
  options: z.array(z.object({ id: z.string(), voteCount: z.int() })),
})
export type LiveCounts = z.infer<typeof LiveCounts>

/** The WebSocket's close code for a watcher who was logged out, banned or erased. */
export const SESSION_ENDED_CLOSE_CODE = 4401
/** The WebSocket's close code when newer tabs use all of a supporter's connections: reconnecting would close one. */
export const REPLACED_CLOSE_CODE = 1008

const VoteRequest = z.strictObject({ optionId: line(64, 'The option') })

/** A vote that does not count yet earns points too. */
export const VoteAward = z.object({ ...PointsAward.shape, counted: z.boolean() })
export type VoteAward = z.infer<typeof VoteAward>

export const pollsApi = {
  active: get('/api/polls/active', z.array(PollView), visitor),
  closed: get('/api/polls/closed', z.array(PollView), {
    ...visitor,
    description: 'Recently closed polls, latest first, with counts.',
  }),
  create: post('/api/polls', PollDraft, z.object({ id: z.string(), ...PointsAward.shape }), {
    ...confirmed,
    signInMessage: 'Please sign up or login to create a poll',
    description: '409 `conflict` if the caller has created a poll with this title today; 429 after three polls a day.',
    status: 201,
  }),
  live: get('/api/polls/:pollId/live', null, {
    ...user,
    checksSessionInSql: true,
    description:
      "A WebSocket of LiveCounts for voters: one message on connect, then one per change, at most four per second. Responds 'pong' to 'ping'. 403 until the caller has voted. Closes within a minute after the session ends.",
  }),
  close: post('/api/admin/polls/:id/close', null, null, { ...editors, description: 'Closes a poll now; idempotent.' }),
  hide: post('/api/admin/polls/:id/hide', null, null, {
    ...editors,
    description: 'Hides a poll; votes and points stay. `/api/admin/polls/:id/show` undoes it.',
  }),
  show: post('/api/admin/polls/:id/show', null, null, editors),
  vote: post('/api/polls/:pollId/vote', VoteRequest, VoteAward, {
    ...user,
    signInMessage: 'Please sign up or login to vote',
    checksSessionInSql: true,
    description: '400 `unknown_option`, 404, 409 `already_voted`, 410 `closed`.',
  }),
}
