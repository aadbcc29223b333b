/** What the worker takes at the most, in UTF-16 units. */
const MAX_LENGTH = 200

/** What was typed into a browser prompt, ready to send: null when it was cancelled or empty, cut to what is taken. */
export function promptEntry(typed: string | null): string | null {
  // A cut through a surrogate pair leaves half a character, which the worker would refuse.
  const entry = (typed ?? '')
    .trim()
    .slice(0, MAX_LENGTH)
    .replace(/[\uD800-\uDBFF]$/, '')
    .trim()
  return entry === '' ? null : entry
}
