/** What two spellings of one name share: NFKC, trimmed, single spaces, lower case. For unique keys, never for display. */
export function normalizeKey(text: string): string {
  return text.normalize('NFKC').trim().replace(/\s+/g, ' ').toLowerCase()
}
