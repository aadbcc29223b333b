/**
 * Advance widths of the display font (Archivo, 125 % wide, weight 850) in ems, rounded up within each group. The style
 * sheets divide the available width by a name's width to get its font size.
 */
const CHARACTER_WIDTHS: readonly (readonly [RegExp, number])[] = [
  [/[I.,'’!|]/, 0.39],
  [/[-–J1L7]/, 0.77],
  [/[\dEFPSTZ]/, 0.88],
  [/[GHNOQØ&]/, 1.04],
  [/[MW@]/, 1.22],
]
const DEFAULT_WIDTH = 0.98
/** Letter spacing of `.hero-name`. */
const TRACKING_EM = -0.035

/** Width of a word in ems, at least 1; `tracking` is the letter spacing in ems. */
export function wordEms(word: string, tracking = TRACKING_EM): number {
  const characters = [...word.normalize('NFD').replace(/\p{M}/gu, '').toUpperCase()]
  const ems = characters.reduce(
    (sum, character) => sum + (CHARACTER_WIDTHS.find(([pattern]) => pattern.test(character))?.[1] ?? DEFAULT_WIDTH),
    0,
  )
  return Math.max(1, Math.round((ems + tracking * characters.length) * 100) / 100)
}

/** The words of a name, one per line, with their widths in ems. */
export function nameLines(name: string): { word: string; ems: number }[] {
  return name
    .split(/\s+/)
    .filter(Boolean)
    .map((word) => ({ word, ems: wordEms(word) }))
}
