import * as z from 'zod/mini'
import { editors, patch, post } from './endpoint'
import { CreatedId, calendarDay, draftVersion, line, lines, prose } from './fields'
import { normalizeOption, POLL_LIMITS } from './polls'

// Not in polls.ts, which is in the initial bundle.

const { min, max } = POLL_LIMITS.options

/** The artist's poll, open until the end of `lastDay` in the artist's time zone. */
export const OfficialPollDraft = z.strictObject({
  title: line(POLL_LIMITS.title, 'The title'),
  description: prose(POLL_LIMITS.description, 'The description'),
  options: lines('The list of options', { maxLength: POLL_LIMITS.option, maxLines: max }).check(
    z.refine((options) => options.length >= min, `A poll has at least ${min} options.`),
    z.refine(
      (options) => new Set(options.map(normalizeOption)).size === options.length,
      'Two of the options are the same.',
    ),
  ),
  lastDay: calendarDay('The last day'),
  version: draftVersion,
})
export type OfficialPollDraft = z.infer<typeof OfficialPollDraft>

export const adminPollsApi = {
  add: post('/api/admin/polls', OfficialPollDraft, CreatedId, {
    ...editors,
    description: '400 for a past last day.',
    status: 201,
  }),
  update: patch('/api/admin/polls/:id', OfficialPollDraft, null, {
    ...editors,
    description:
      "409 `conflict` for a closed poll, a supporter's poll, and a change of title or options once votes were cast.",
  }),
}
