import { along, foilRamp, ink, mix } from '../palette.ts'
import { random } from '../random.ts'
import { group, linear, n, path, rect, using } from '../svg.ts'

export type Bay = {
  x: number
  y: number
  width: number
  height: number
  /** Lights that the water repeats: `reach` is half the width of the column of glints, `power` its strength (0 to 1). */
  lights: readonly { x: number; reach: number; power: number; ramp?: readonly string[] }[]
  seed: number
  /** The colours of the water at the horizon and at the viewer's feet. */
  far?: string
  near?: string
  /** Ripples per area; 1 is a calm bay. */
  density?: number
}

const goldToTeal = ['#0d2b2d', '#2b2413', ...foilRamp.slice(2)] as const

/** A lens lying on the water. */
const ripple = (x: number, y: number, half: number, thick: number): string =>
  `M${n(x - half)} ${n(y)}Q${n(x)} ${n(y - thick)} ${n(x + half)} ${n(y)}Q${n(x)} ${n(y + thick * 0.7)} ${n(x - half)} ${n(y)}Z`

/** Night water in perspective: fine glints at the horizon, long tongues of light at the viewer's feet. */
export function water(bay: Bay): string {
  const chance = random(bay.seed)
  const base = linear(
    [0, bay.y],
    [0, bay.y + bay.height],
    [
      [0, bay.far ?? mix(ink.tealNight, ink.umber, 0.5)],
      [0.35, bay.near ?? mix(ink.tealNight, ink.ground, 0.45)],
      [1, ink.ground],
    ],
  )
  const inks = new Map<string, string>()
  for (let y = bay.y + 2; y < bay.y + bay.height; ) {
    const depth = (y - bay.y) / bay.height
    const half = 8 + 105 * depth ** 1.2
    const thick = 0.7 + 5 * depth ** 1.3
    const count = Math.ceil((bay.width / (half * 2)) * 1.5 * (bay.density ?? 1))
    for (let index = 0; index < count; index++) {
      const x = bay.x + chance.next() * bay.width
      let best = { light: 0, reach: half, ramp: goldToTeal as readonly string[] }
      for (const lamp of bay.lights) {
        const away = (x - lamp.x) / (lamp.reach * (1 - 0.3 * depth))
        const light = Math.exp(-away * away * 1.6) * lamp.power
        if (light > best.light) best = { light, reach: lamp.reach, ramp: lamp.ramp ?? goldToTeal }
      }
      const shine = best.light * chance.between(0.35, 1.15)
      if (shine < 0.06 && !chance.chance(0.35)) continue
      const tone = along(best.ramp, Math.round(shine * 12) / 12)
      const opacity = Math.min(0.95, 0.14 + shine * 0.95).toFixed(1)
      const length =
        Math.min(half, best.light > 0.1 ? best.reach * 1.2 : half) *
        chance.between(0.35, 1.1) *
        (0.55 + 0.6 * best.light)
      const key = `fill="${tone}" fill-opacity="${opacity}"`
      inks.set(
        key,
        (inks.get(key) ?? '') +
          ripple(x, y + chance.between(-2, 2) * (1 + depth * 3), length, thick * chance.between(0.6, 1.25)),
      )
    }
    // A small lamp is narrower than the ripples: its column is laid in short strokes of its own.
    for (const { x, reach, power, ramp } of bay.lights) {
      if (reach > 60 || !chance.chance(0.8 - 0.35 * depth)) continue
      const shine = power * chance.between(0.55, 1) * (1 - 0.45 * depth)
      const key = `fill="${along(ramp ?? goldToTeal, Math.round(shine * 12) / 12)}" fill-opacity="${Math.min(0.95, 0.25 + shine * 0.7).toFixed(1)}"`
      inks.set(
        key,
        (inks.get(key) ?? '') +
          ripple(
            x + chance.between(-0.5, 0.5) * reach * (1 + depth),
            y,
            reach * chance.between(0.5, 1.3) * (0.6 + depth),
            thick,
          ),
      )
    }
    y += 2.6 + 13 * depth
  }
  return (
    using(base, (url) => rect(bay.x, bay.y, bay.width, bay.height, `fill="${url}"`)) +
    group('', ...[...inks].map(([key, d]) => path(d, key)))
  )
}
