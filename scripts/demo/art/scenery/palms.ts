import { ink } from '../palette.ts'
import { random } from '../random.ts'
import { bezier, n, type Point, path, polygon } from '../svg.ts'

export type Palm = {
  foot: Point
  crown: Point
  /** Sideways push of the trunk's middle; positive bends to the right. */
  bend: number
  /** Length of a frond. */
  reach: number
  thickness: number
  seed: number
  body: string
  rim: string
  /** Direction of the light seen from the crown, in radians; fronds that face it catch more. */
  lightAngle: number
  fronds?: number
}

type Frond = { blades: string; rims: string; spine: string }

/** One feathered leaf: a drooping spine with narrow blades that hang from it. */
function frond(crown: Point, angle: number, reach: number, seed: number, lit: number): Frond {
  const chance = random(seed)
  const droop = reach * (0.34 + 0.3 * Math.abs(Math.cos(angle))) * chance.between(0.75, 1.2)
  const bend: Point = [
    crown[0] + Math.cos(angle) * reach * 0.55,
    crown[1] + Math.sin(angle) * reach * 0.62 - reach * 0.1,
  ]
  const tip: Point = [crown[0] + Math.cos(angle) * reach, crown[1] + Math.sin(angle) * reach * 0.72 + droop]
  let blades = ''
  let rims = ''
  const count = Math.round(22 + reach / 11)
  for (let index = 1; index <= count; index++) {
    const share = 0.06 + 0.94 * (index / count)
    const at = bezier(crown, bend, tip, share)
    const ahead = bezier(crown, bend, tip, Math.min(1, share + 0.02))
    const behind = bezier(crown, bend, tip, share - 0.02)
    const along = Math.atan2(ahead[1] - behind[1], ahead[0] - behind[0])
    const length = reach * 0.36 * Math.sin(Math.PI * (0.12 + 0.8 * share)) ** 0.8 * chance.between(0.78, 1.1)
    for (const side of [-1, 1]) {
      const spread = (0.5 + 0.35 * (1 - share)) * chance.between(0.85, 1.15)
      const out = along + side * spread
      const fall = length * 0.3
      const end: Point = [at[0] + Math.cos(out) * length, at[1] + Math.sin(out) * length * 0.85 + fall]
      const mid: Point = [at[0] + Math.cos(out) * length * 0.55, at[1] + Math.sin(out) * length * 0.55]
      const width = Math.max(1.2, reach * 0.0125)
      const nx = -Math.sin(out) * width
      const ny = Math.cos(out) * width
      blades += `M${n(at[0])} ${n(at[1])}Q${n(mid[0] + nx)} ${n(mid[1] + ny)} ${n(end[0])} ${n(end[1])}Q${n(mid[0] - nx)} ${n(mid[1] - ny)} ${n(at[0])} ${n(at[1])}Z`
      if (chance.chance(lit))
        rims += `M${n(at[0])} ${n(at[1])}Q${n(mid[0] - nx * 0.6)} ${n(mid[1] - ny * 0.6)} ${n(end[0])} ${n(end[1])}`
    }
  }
  return { blades, rims, spine: `M${n(crown[0])} ${n(crown[1])}Q${n(bend[0])} ${n(bend[1])} ${n(tip[0])} ${n(tip[1])}` }
}

/** A palm as a dark shape with light along its edges. */
export function palm(tree: Palm): string {
  const chance = random(tree.seed)
  const { foot, crown, thickness } = tree
  const bend: Point = [(foot[0] + crown[0]) / 2 + tree.bend, (foot[1] + crown[1]) / 2]
  const left: Point[] = []
  const right: Point[] = []
  let rings = ''
  const steps = 26
  for (let index = 0; index <= steps; index++) {
    const share = index / steps
    const [x, y] = bezier(foot, bend, crown, share)
    const half =
      (thickness / 2) * (1 - 0.45 * share + (share < 0.1 ? (0.1 - share) * 4 : 0)) * (index % 2 ? 1.06 : 0.97)
    left.push([x - half, y])
    right.unshift([x + half, y])
    const lightLeft = Math.cos(tree.lightAngle) < 0
    rings += lightLeft
      ? `M${n(x - half)} ${n(y)}q${n(half * 0.5)} ${n(half * 0.35)} ${n(half * 0.95)} ${n(half * 0.3)}`
      : `M${n(x + half)} ${n(y)}q${n(-half * 0.5)} ${n(half * 0.35)} ${n(-half * 0.95)} ${n(half * 0.3)}`
  }
  const count = tree.fronds ?? 15
  const leaves = Array.from({ length: count }, (_, index) => {
    const angle = -Math.PI * 1.14 + (index / (count - 1)) * Math.PI * 1.28 + chance.between(-0.08, 0.08)
    const facing = Math.max(0, Math.cos(angle - tree.lightAngle))
    return frond(crown, angle, tree.reach * chance.between(0.8, 1.12), tree.seed * 31 + index, 0.02 + 0.3 * facing ** 2)
  })
  const stroke = (width: number, opacity: number): string =>
    `fill="none" stroke="${tree.rim}" stroke-width="${n(width)}" stroke-opacity="${opacity}" stroke-linecap="round"`
  return (
    path(polygon([...left, ...right]), `fill="${tree.body}"`) +
    path(rings, stroke(Math.max(1, thickness * 0.05), 0.5)) +
    leaves
      .map(
        ({ blades, spine }) =>
          path(blades, `fill="${tree.body}"`) +
          path(spine, `fill="none" stroke="${tree.body}" stroke-width="${n(tree.reach * 0.018)}"`),
      )
      .join('') +
    leaves
      .map(
        ({ rims, spine }) =>
          path(rims || 'M0 0', stroke(Math.max(0.9, tree.reach * 0.004), 0.62)) +
          path(spine, stroke(Math.max(0.8, tree.reach * 0.0035), 0.28)),
      )
      .join('')
  )
}

/** Sea grass along the bottom edge. */
export function seaGrass(
  from: number,
  to: number,
  base: number,
  height: (share: number) => number,
  seed: number,
  body: string,
  rim: string = ink.foil,
): string {
  const chance = random(seed)
  let blades = ''
  let rims = ''
  for (let x = from; x < to; x += chance.between(1.5, 5)) {
    const tall = height((x - from) / (to - from)) * chance.between(0.35, 1.1)
    if (tall < 4) continue
    const lean = chance.between(-0.35, 0.5) * tall
    const d = `Q${n(x + lean * 0.2)} ${n(base - tall * 0.6)} ${n(x + lean)} ${n(base - tall)}`
    blades += `M${n(x - 3)} ${n(base)}${d}Q${n(x + lean * 0.2 + 5)} ${n(base - tall * 0.55)} ${n(x + 4)} ${n(base)}Z`
    if (chance.chance(0.16)) rims += `M${n(x)} ${n(base - tall * 0.3)}${d}`
  }
  return (
    path(blades, `fill="${body}"`) + path(rims, `fill="none" stroke="${rim}" stroke-opacity=".45" stroke-width="1.3"`)
  )
}
