import * as z from 'zod/mini'
import { patch, post } from './endpoint'
import { calendarDay, lines } from './form-fields'
import { normalizeOption, POLL_LIMITS } from './polls'
import { optionalLine, prose } from './text'

// The artist's own polls. Not in polls.ts: a shape that any form uses goes where its file goes, and that one is in the
// home page's first script.

const { min, max } = POLL_LIMITS.options

/** A poll of the artist's, as the desk's form has it: open through the whole of its last day, on the artist's calendar. */
export const OfficialPollDraft = z.strictObject({
  title: optionalLine(POLL_LIMITS.title, 'The title').check(z.minLength(1, 'The title must not be empty.')),
  description: prose(POLL_LIMITS.description, 'The description'),
  options: lines('The list of options', { each: POLL_LIMITS.option, most: max }).check(
    z.refine((options) => options.length >= min, `A poll has at least ${min} options.`),
    z.refine(
      (options) => new Set(options.map(normalizeOption)).size === options.length,
      'Two of the options are the same.',
    ),
  ),
  lastDay: calendarDay('The last day'),
})
export type OfficialPollDraft = z.infer<typeof OfficialPollDraft>

export const adminPollsApi = {
  /** The artist's own poll. 400 for a last day that is over. */
  add: post('/api/admin/polls', OfficialPollDraft, z.object({ id: z.string() }), { role: 'administrator' }),
  /** 409 `conflict` for a poll that is over or a supporter's, and for another title or options once votes were cast. */
  update: patch('/api/admin/polls/:id', OfficialPollDraft, null, { role: 'administrator' }),
}
