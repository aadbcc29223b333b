/**
 * Advance widths of the display face (Archivo, 125 % wide, weight 850) in ems, rounded up within each group, so that
 * a name is sized by what it will take without measuring it in a browser: the server can write the same size.
 */
const WIDTHS: readonly (readonly [RegExp, number])[] = [
  [/[I.,'’!|]/, 0.39],
  [/[-–J1L7]/, 0.77],
  [/[\dEFPSTZ]/, 0.87],
  [/[MW@]/, 1.22],
]
const OTHER = 0.98
/** The name is set this tight (letter-spacing in styles/hero.css). */
const TRACKING = -0.035

/** How wide one word is, in ems of its own size. */
export function wordEms(word: string): number {
  const letters = [...word.normalize('NFD').replace(/\p{M}/gu, '').toUpperCase()]
  const ems = letters.reduce((sum, letter) => sum + (WIDTHS.find(([set]) => set.test(letter))?.[1] ?? OTHER), 0)
  return Math.max(1, Math.round((ems + TRACKING * letters.length) * 100) / 100)
}

/** The words of a name, one a line, each with its width in ems. */
export function nameLines(name: string): { word: string; ems: number }[] {
  return name
    .split(/\s+/)
    .filter(Boolean)
    .map((word) => ({ word, ems: wordEms(word) }))
}
