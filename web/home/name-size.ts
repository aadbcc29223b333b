/**
 * Advance widths of the display face (Archivo, 125 % wide, weight 850) in ems, rounded up within each group: the server
 * can size a name without measuring it in a browser.
 */
const WIDTHS: readonly (readonly [RegExp, number])[] = [
  [/[I.,'’!|]/, 0.39],
  [/[-–J1L7]/, 0.77],
  [/[\dEFPSTZ]/, 0.87],
  [/[MW@]/, 1.22],
]
const OTHER = 0.98
/** Letter spacing of `.hero-name`. */
const TRACKING = -0.035

/** Width of a word in ems. */
export function wordEms(word: string): number {
  const characters = [...word.normalize('NFD').replace(/\p{M}/gu, '').toUpperCase()]
  const ems = characters.reduce(
    (sum, character) => sum + (WIDTHS.find(([set]) => set.test(character))?.[1] ?? OTHER),
    0,
  )
  return Math.max(1, Math.round((ems + TRACKING * characters.length) * 100) / 100)
}

/** The words of a name, one per line, with their widths in ems. */
export function nameLines(name: string): { word: string; ems: number }[] {
  return name
    .split(/\s+/)
    .filter(Boolean)
    .map((word) => ({ word, ems: wordEms(word) }))
}
