import * as z from 'zod/mini'
import { day, lines } from './drafts'
import { patch, post } from './endpoint'
import { POLL_LIMITS, sameWhen } from './polls'
import { lineOrNothing, prose } from './text'

// The artist's own polls. Not in polls.ts: a shape that any form uses goes where its file goes, and that one is in the
// home page's first script.

const { min, max } = POLL_LIMITS.options

/** A poll of the artist's, as the desk's form has it: open through the whole of its last day, on the artist's calendar. */
export const OfficialPollDraft = z.strictObject({
  title: lineOrNothing(POLL_LIMITS.title, 'The title').check(z.minLength(1, 'The title must not be empty.')),
  description: prose(POLL_LIMITS.description, 'The description'),
  options: lines('The list of options', { each: POLL_LIMITS.option, most: max }).check(
    z.refine((options) => options.length >= min, `A poll has at least ${min} options.`),
    z.refine((options) => new Set(options.map(sameWhen)).size === options.length, 'Two of the options are the same.'),
  ),
  lastDay: day('The last day'),
})
export type OfficialPollDraft = z.infer<typeof OfficialPollDraft>

export const officialPollsApi = {
  /** The artist's own poll. 400 for a last day that is over. */
  add: post('/api/admin/polls', OfficialPollDraft, z.object({ id: z.string() }), { who: 'administrator' }),
  /** 409 `conflict` for a poll that is over or a supporter's, and for another title or options once votes were cast. */
  change: patch('/api/admin/polls/:id', OfficialPollDraft, null, { who: 'administrator' }),
}
