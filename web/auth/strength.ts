import { PASSWORD_LENGTH } from '../../worker/contract/credential-rules'

/** How a password reads to somebody who guesses: 0 too short, 1 easily guessed, 2 fair, 3 good, 4 strong. */
export type Strength = 0 | 1 | 2 | 3 | 4
export const STRENGTH_LABEL: Record<Strength, string> = {
  0: `At least ${PASSWORD_LENGTH.min} characters`,
  1: 'Easily guessed',
  2: 'Fair',
  3: 'Good',
  4: 'Strong',
}

/** A hint while typing, by length and variety; the worker alone decides (it knows the commonest passwords). */
export function strengthOf(password: string): Strength {
  const letters = [...password]
  if (letters.length < PASSWORD_LENGTH.min) return 0
  const distinct = new Set(letters.map((letter) => letter.toLowerCase())).size
  if (distinct < 5 || /^\d+$|^(?:pass|qwert|12345)/i.test(password)) return 1
  const kinds = [/\p{Ll}/u, /\p{Lu}/u, /\p{Nd}/u, /[^\p{L}\p{Nd}]/u].filter((kind) => kind.test(password)).length
  const score = letters.length + 2 * (kinds - 1)
  return score < 12 ? 2 : score < 17 ? 3 : 4
}
