import { ink, mix } from '../palette.ts'
import { random } from '../random.ts'
import { linear, n, type Point, path, polygon, using } from '../svg.ts'

/** The end of the avenue; a point of the street scene is X across, Y below eye level, Z away (1 is nearest). */
export const VANISH: Point = [600, 716]
export const at = (x: number, y: number, z: number): Point => [VANISH[0] + x / z, VANISH[1] + y / z]
export const GROUND = 330

export type House = { from: number; to: number; top: number; storeys: number; bays: number; wall: string; seed: number }

/** An arch on the wall at `x`, between two depths and two heights. */
function arch(x: number, z1: number, z2: number, low: number, high: number): string {
  const spring = high + (low - high) * 0.32
  const middle = 2 / (1 / z1 + 1 / z2)
  const [a, b, c, d] = [at(x, low, z1), at(x, spring, z1), at(x, spring, z2), at(x, low, z2)]
  const crown = at(x, high - (low - high) * 0.16, middle)
  return `M${n(a[0])} ${n(a[1])}L${n(b[0])} ${n(b[1])}Q${n(crown[0])} ${n(crown[1])} ${n(c[0])} ${n(c[1])}L${n(d[0])} ${n(d[1])}Z`
}

/** A brick front with arched windows and an iron gallery on each upper storey. */
export function house(side: number, { from, to, top, storeys, bays, wall, seed }: House): string {
  const chance = random(seed)
  const x = side * 640
  const front = polygon([at(x, GROUND, from), at(x, top, from), at(x, top, to), at(x, GROUND, to)])
  const cornice = polygon([
    at(x - side * 26, top - 24, from),
    at(x - side * 26, top + 16, from),
    at(x - side * 20, top + 16, to),
    at(x - side * 20, top - 24, to),
  ])
  let dark = ''
  let lit = ''
  let iron = ''
  let floors = ''
  const tall = (GROUND - top) / storeys
  for (let storey = 0; storey < storeys; storey++) {
    const low = GROUND - storey * tall
    for (let bay = 0; bay < bays; bay++) {
      const z1 = from + ((to - from) * (bay + 0.2)) / bays
      const z2 = from + ((to - from) * (bay + 0.8)) / bays
      const shape = arch(x, z1, z2, low - tall * (storey ? 0.1 : 0), low - tall * 0.74)
      if (chance.chance(storey ? 0.5 : 0.8)) lit += shape
      else dark += shape
    }
    if (storey === 0) continue
    const out = x - side * 74
    floors += polygon([at(x, low, from), at(out, low, from), at(out, low, to), at(x, low, to)])
    const rail = at(out, low - tall * 0.3, from)
    const railEnd = at(out, low - tall * 0.3, to)
    iron += `M${n(rail[0])} ${n(rail[1])}L${n(railEnd[0])} ${n(railEnd[1])}`
    for (let z = from; z <= to; z += 0.035 * z) {
      const [px, py] = at(out, low, z)
      const [qx, qy] = at(out, low - tall * 0.3, z)
      iron += `M${n(px)} ${n(py)}L${n(qx)} ${n(qy)}`
    }
  }
  const glow = linear(at(0, top, from), at(0, GROUND, from), [
    [0, mix(ink.amber, ink.wine, 0.25)],
    [0.6, ink.amber],
    [1, ink.foilLight],
  ])
  const shade = linear(at(x, 0, from), at(x, 0, to), [
    [0, wall],
    [1, mix(wall, ink.red, 0.26)],
  ])
  return (
    using(shade, (url) => path(front, `fill="${url}"`)) +
    path(dark, `fill="#0d0706"`) +
    using(glow, (url) => path(lit, `fill="${url}"`)) +
    path(lit + dark, `fill="none" stroke="#1a0a07" stroke-width="2"`) +
    path(floors, `fill="#0e0605"`) +
    path(cornice, `fill="${mix(wall, '#000000', 0.35)}"`) +
    path(iron, `stroke="#0b0504" stroke-width="2" fill="none"`)
  )
}
