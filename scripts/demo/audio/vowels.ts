/** A vowel as five resonances of the throat: hertz, decibels, bandwidth in hertz (the tenor of Csound's manual). */
export type Vowel = readonly (readonly [hertz: number, db: number, width: number])[]

const VOWELS = {
  a: [
    [650, 0, 80],
    [1080, -6, 90],
    [2650, -7, 120],
    [2900, -8, 130],
    [3250, -22, 140],
  ],
  e: [
    [400, 0, 70],
    [1700, -14, 80],
    [2600, -12, 100],
    [3200, -14, 120],
    [3580, -20, 120],
  ],
  i: [
    [290, 0, 40],
    [1870, -15, 90],
    [2800, -18, 100],
    [3250, -20, 120],
    [3540, -30, 120],
  ],
  o: [
    [400, 0, 70],
    [800, -10, 80],
    [2600, -12, 100],
    [2800, -12, 130],
    [3000, -26, 135],
  ],
  u: [
    [350, 0, 40],
    [600, -20, 60],
    [2700, -17, 100],
    [2900, -14, 120],
    [3300, -26, 120],
  ],
} satisfies Record<string, Vowel>

/** Consonants that hiss: seconds, centre in hertz, loudness. */
export const HISSES: Record<string, readonly [seconds: number, hertz: number, loudness: number]> = {
  t: [0.028, 5200, 0.5],
  k: [0.032, 2600, 0.5],
  s: [0.085, 6800, 0.4],
  h: [0.06, 1800, 0.22],
  d: [0.018, 3600, 0.35],
  g: [0.022, 2000, 0.35],
}

/** Lips almost closed: where m, n and l begin, and what a bare line hums. */
export const NEUTRAL: Vowel = VOWELS.u

function byLetter(letter: string | undefined): Vowel | undefined {
  return Object.entries(VOWELS).find(([name]) => name === letter)?.[1]
}

/** Splits `tai` into its consonant and its vowels; a bare line hums on `u`. */
export function readSyllable(text: string): { consonant: string; from: Vowel; to: Vowel } {
  const [, consonant = '', vowels = ''] = /^([^aeiou]?)([aeiou]*)$/.exec(text) ?? []
  const from = byLetter(vowels[0]) ?? NEUTRAL
  return { consonant, from, to: byLetter(vowels[1]) ?? from }
}
