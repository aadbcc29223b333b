/** The inks of the artwork: one warm black, one foil, one bay, one sunset. Every picture mixes its colours from these. */
export const ink = {
  ground: '#0b0a08',
  coal: '#14100b',
  surface: '#1d1710',
  umber: '#3a2512',
  ivory: '#f4efe4',
  cream: '#fff4cf',
  foilLight: '#f7d98a',
  foil: '#d9a441',
  foilDeep: '#9a6a22',
  foilDark: '#5b3a12',
  amber: '#e8812c',
  red: '#d8452e',
  ember: '#8a2a1a',
  wine: '#3c1412',
  teal: '#3aa6a0',
  tealDeep: '#14575a',
  tealNight: '#0a2427',
} as const

/** Dark to light, as light travels over polished gold. */
export const foilRamp = [
  '#1f1206',
  '#4a2d0c',
  '#7d5219',
  '#b27f2a',
  '#dba743',
  '#f3cd78',
  '#fff0c2',
  '#fffbe9',
] as const

/** A '#rrggbb' colour as three numbers from 0 to 255. */
const channels = (hex: string): number[] => [1, 3, 5].map((at) => Number.parseInt(hex.slice(at, at + 2), 16))

/** The colour that lies `share` (0 to 1) of the way from `from` to `to`. */
export function mix(from: string, to: string, share: number): string {
  const target = channels(to)
  const part = Math.min(1, Math.max(0, share))
  return `#${channels(from)
    .map((value, index) =>
      Math.round(value + ((target[index] ?? 0) - value) * part)
        .toString(16)
        .padStart(2, '0'),
    )
    .join('')}`
}

/** The colour at `position` (0 to 1) of an evenly spaced ramp. */
export function along(ramp: readonly string[], position: number): string {
  const scaled = Math.min(1, Math.max(0, position)) * (ramp.length - 1)
  const index = Math.min(ramp.length - 2, Math.floor(scaled))
  return mix(ramp[index] ?? '#000000', ramp[index + 1] ?? '#000000', scaled - index)
}
