import { normalizeOption, POLL_LIMITS } from '../../worker/contract/polls'

/** What the form holds: a poll as far as it has been written. */
export type Draft = { title: string; description: string; options: readonly { key: number; title: string }[] }

const { min } = POLL_LIMITS.options

/** A title and two options to fill in (specification section 4). */
export const emptyDraft: Draft = {
  title: '',
  description: '',
  options: Array.from({ length: min }, (_, key) => ({ key, title: '' })),
}

export type DraftError = {
  /** The field that is wrong: the title, or the option with this key. */
  field: 'title' | number
  /** The toast's two lines (specification section 5). */
  title: string
  text: string
}

/** The first thing that keeps a draft from being a poll; null when nothing does. */
export function validateDraft({ title, options }: Draft): DraftError | null {
  if (title.trim() === '')
    return { field: 'title', title: 'Poll title required', text: 'Please enter a title for your poll.' }
  const filled = options.filter((option) => option.title.trim() !== '')
  if (filled.length < min)
    return {
      field: options.find((option) => option.title.trim() === '')?.key ?? 0,
      title: 'Need more options',
      text: 'Please provide at least 2 poll options.',
    }
  const duplicate = filled.find((option, at) =>
    filled
      .slice(0, at)
      .some((earlier) => normalizeOption(earlier.title.trim()) === normalizeOption(option.title.trim())),
  )
  if (!duplicate) return null
  return {
    field: duplicate.key,
    title: 'Two options are the same',
    text: 'Please make each one different.',
  }
}
