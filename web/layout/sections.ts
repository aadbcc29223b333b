/** The sections that navigation scrolls to, in the page's order (specification section 2). */
export const SECTIONS = [
  { id: 'music', label: 'Music' },
  { id: 'merch', label: 'Merch' },
  { id: 'concerts', label: 'Concerts' },
  { id: 'exclusive', label: 'Exclusive' },
  { id: 'smart-features', label: 'Supporter Missions' },
] as const

/** How far below the top of the window, in pixels, a section counts as reached (specification section 9). */
export const ACTIVE_SECTION_OFFSET = 200

/** The last of the sections whose top lies above the offset; null while none has been reached. `tops` in pixels. */
export function activeSection<Id extends string>(tops: readonly { id: Id; top: number }[]): Id | null {
  return tops.filter(({ top }) => top <= ACTIVE_SECTION_OFFSET).at(-1)?.id ?? null
}
