import { halo, sunDisc } from '../disc.ts'
import { ink, mix } from '../palette.ts'
import { random } from '../random.ts'
import { blur, circle, ellipse, group, linear, n, type Point, path, polygon, radial, rect, using } from '../svg.ts'
import { at, GROUND, type House, house, VANISH } from './avenue.ts'
import { SLEEVE, sleeve } from './sleeve.ts'

/** The lamp's light on wet bricks: strokes that widen, waver and fade towards us. */
function wetLight(x: number, y: number, unit: number): string {
  const chance = random(Math.round(x * 3 + y))
  return Array.from({ length: 26 }, (_, index) => {
    const half = unit * chance.between(8, 46) * (1 - index * 0.02)
    const top = y + unit * (10 + index * 15)
    return path(
      `M${n(x - half + unit * chance.between(-9, 9))} ${n(top)}h${n(half * 2)}`,
      `stroke="${index % 3 ? ink.foilLight : ink.amber}" stroke-width="${n(unit * chance.between(3, 8))}" stroke-opacity="${(0.75 - index * 0.026).toFixed(2)}" stroke-linecap="round"`,
    )
  }).join('')
}

/** A lamp post with five globes, its light and its light on the wet bricks. */
function lamp(x: number, z: number): string {
  const [fx, fy] = at(x, GROUND, z)
  const [, ty] = at(x, -150, z)
  const unit = 1 / z
  const globes: Point[] = [
    [0, -34],
    [-38, -6],
    [38, -6],
    [-22, -20],
    [22, -20],
  ]
  const post = `M${n(fx)} ${n(fy)}V${n(ty - 24 * unit)}M${n(fx - 38 * unit)} ${n(ty + 4 * unit)}Q${n(fx)} ${n(ty + 34 * unit)} ${n(fx + 38 * unit)} ${n(ty + 4 * unit)}`
  const light = radial([fx, ty - 10 * unit], 210 * unit, [
    [0, ink.cream, 0.75],
    [0.2, ink.foilLight, 0.4],
    [0.55, ink.amber, 0.12],
    [1, ink.amber, 0],
  ])
  const pool = radial(
    [fx, fy + 150 * unit],
    150 * unit,
    [
      [0, ink.foilLight, 0.62],
      [0.4, ink.amber, 0.26],
      [1, ink.amber, 0],
    ],
    2.2,
  )
  return (
    using(pool, (url) => ellipse(fx, fy + 190 * unit, 90 * unit, 260 * unit, `fill="${url}" fill-opacity=".45"`)) +
    wetLight(fx, fy, unit) +
    path(post, `fill="none" stroke="#090504" stroke-width="${n(9 * unit)}"`) +
    path(
      polygon([
        [fx - 15 * unit, fy],
        [fx - 7 * unit, fy - 60 * unit],
        [fx + 7 * unit, fy - 60 * unit],
        [fx + 15 * unit, fy],
      ]),
      `fill="#090504"`,
    ) +
    using(light, (url) => circle(fx, ty - 10 * unit, 210 * unit, `fill="${url}"`)) +
    globes.map(([gx, gy]) => circle(fx + gx * unit, ty + gy * unit, 15 * unit, `fill="#fff8df"`)).join('')
  )
}

/** The streetcar comes towards us along its rails, every window lit. */
function streetcar(): string {
  const z = 4.6
  const [left, top] = at(-150, -90, z)
  const [right, low] = at(150, GROUND - 30, z)
  const wide = right - left
  const cell = (cx: number, w: number): string =>
    rect(left + wide * cx, top + 18, wide * w, 28, `rx="2" fill="${ink.foilLight}"`)
  const [lx, ly] = [600, low - 22]
  return (
    rect(left, top, wide, low - top, `rx="7" fill="#2c0d09" stroke="${ink.foil}" stroke-width="1.4"`) +
    rect(left - 3, top - 5, wide + 6, 9, `rx="4" fill="#120705" stroke="${ink.foil}" stroke-width="1"`) +
    cell(0.1, 0.2) +
    cell(0.36, 0.28) +
    cell(0.7, 0.2) +
    rect(left, top + 52, wide, 4, `fill="${ink.foil}"`) +
    using(blur(7, 2), (url) => circle(lx, ly, 15, `fill="${ink.foilLight}" filter="${url}"`)) +
    circle(lx, ly, 6.5, `fill="#fffdf2"`)
  )
}

export function seventhAvenueSlow(): string {
  const moon = { cx: 600, cy: 470, r: 215 }
  const sky = linear(
    [0, 0],
    [0, VANISH[1]],
    [
      [0, '#0d0a12'],
      [0.5, mix(ink.wine, '#0d0a12', 0.35)],
      [1, mix(ink.ember, ink.amber, 0.3)],
    ],
  )
  const street = linear(
    [0, VANISH[1]],
    [0, SLEEVE],
    [
      [0, mix(ink.ember, ink.amber, 0.35)],
      [0.25, '#3a170e'],
      [1, '#0f0806'],
    ],
  )
  const chance = random(7)
  let bricks = ''
  for (let z = 0.66; z < 9; z *= 1.045) {
    const [x1, y] = at(-640, GROUND, z)
    const [x2] = at(640, GROUND, z)
    for (let x = x1; x < x2; x += 46 / z) if (chance.chance(0.32)) bricks += `M${n(x)} ${n(y)}h${n(34 / z)}`
  }
  const rails = [-104, -56, 56, 104]
    .map((x) => `M${at(x, GROUND, 0.6).map(n).join(' ')}L${at(x, GROUND, 14).map(n).join(' ')}`)
    .join('')
  const wires = [1.25, 1.75, 2.5, 3.6]
    .map((z) => {
      const [a, b] = [at(-640, -560, z), at(640, -560, z)]
      const bulbs = Array.from({ length: 23 }, (_, index) => {
        const share = (index + 1) / 24
        const [x, y] = [a[0] + (b[0] - a[0]) * share, a[1] + 4 * share * (1 - share) * (150 / z)]
        return (
          circle(x, y, 13 / z, `fill="${ink.amber}" fill-opacity=".3"`) + circle(x, y, 5.4 / z, `fill="${ink.cream}"`)
        )
      }).join('')
      return (
        path(
          `M${n(a[0])} ${n(a[1])}Q600 ${n(a[1] + 300 / z)} ${n(b[0])} ${n(b[1])}`,
          'fill="none" stroke="#0a0504" stroke-width="2"',
        ) + bulbs
      )
    })
    .join('')
  const left: House[] = [
    { from: 6.4, to: 10, top: -700, storeys: 3, bays: 5, wall: '#54200f', seed: 4 },
    { from: 3.9, to: 6.4, top: -620, storeys: 2, bays: 5, wall: '#431710', seed: 3 },
    { from: 2.1, to: 3.9, top: -820, storeys: 3, bays: 5, wall: '#35130d', seed: 2 },
    { from: 0.9, to: 2.1, top: -690, storeys: 2, bays: 4, wall: '#260e0a', seed: 1 },
  ]
  const right: House[] = [
    { from: 5.6, to: 10, top: -640, storeys: 2, bays: 6, wall: '#4c1c0f', seed: 14 },
    { from: 3.2, to: 5.6, top: -860, storeys: 3, bays: 5, wall: '#401610', seed: 13 },
    { from: 1.8, to: 3.2, top: -660, storeys: 2, bays: 4, wall: '#31120c', seed: 12 },
    { from: 0.9, to: 1.8, top: -800, storeys: 3, bays: 3, wall: '#220c09', seed: 11 },
  ]
  return sleeve(
    3,
    using(sky, (url) => rect(0, 0, SLEEVE, VANISH[1] + 40, `fill="${url}"`)),
    halo(moon, 2.2, 0.55),
    sunDisc(moon, { seed: 6, turn: -0.7 }),
    using(street, (url) => rect(0, VANISH[1], SLEEVE, SLEEVE - VANISH[1], `fill="${url}"`)),
    using(blur(10), (url) =>
      group(
        `filter="${url}"`,
        path(
          polygon([
            [585, 740],
            [615, 740],
            [690, 1200],
            [510, 1200],
          ]),
          `fill="${ink.foil}" fill-opacity=".42"`,
        ),
      ),
    ),
    path(bricks, `fill="none" stroke="${ink.foilLight}" stroke-opacity=".2" stroke-width="2"`),
    path(rails, `fill="none" stroke="${ink.foilLight}" stroke-opacity=".75" stroke-width="2.6"`),
    ...left.map((one) => house(-1, one)),
    ...right.map((one) => house(1, one)),
    streetcar(),
    wires,
    ...[6, 4.2, 2.9, 2, 1.38].flatMap((z) => [lamp(-430, z), lamp(430, z)]),
  )
}
