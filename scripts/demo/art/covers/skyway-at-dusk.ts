import { halo, sunDisc } from '../disc.ts'
import { cloudBars } from '../hero.ts'
import { ink, mix } from '../palette.ts'
import { random } from '../random.ts'
import { water } from '../scenery/water.ts'
import { blur, circle, group, linear, n, type Point, path, polygon, rect, using } from '../svg.ts'
import { SLEEVE, sleeve } from './sleeve.ts'

const VANISH: Point = [600, 742]

/** A point of the road: `side` is -1 at the left kerb and 1 at the right, `near` is 0 at the horizon and 1 at the lower edge. */
const road = (side: number, near: number, lift = 0): Point => [
  VANISH[0] + side * (10 + 690 * near),
  VANISH[1] + 470 * near - lift * near,
]

/** Two harps of gold stays from the mast down to both kerbs, towards us and away. */
function stays(): string {
  let bright = ''
  let deep = ''
  for (let index = 0; index < 21; index++) {
    const share = index / 20
    const anchor: Point = [600, 112 + 250 * share]
    for (const side of [-1, 1]) {
      const [x, y] = road(side * 1.04, 0.2 + 1.75 * (1 - share) ** 1.5, 60)
      bright += `M${n(anchor[0] + side * 7)} ${n(anchor[1])}L${n(x)} ${n(y)}`
      const [bx, by] = road(side * 1.04, 0.03 + 0.13 * share, 60)
      deep += `M${n(anchor[0])} ${n(anchor[1])}L${n(bx)} ${n(by)}`
    }
  }
  const gold = linear(
    [0, 110],
    [0, 1200],
    [
      [0, ink.cream],
      [0.3, ink.foilLight],
      [0.7, ink.foil],
      [1, ink.foilDeep],
    ],
  )
  return (
    path(deep, `stroke="${ink.wine}" stroke-width="1.6" stroke-opacity=".8"`) +
    using(
      gold,
      (url) => path(bright, `stroke="#1a0c07" stroke-width="5.4"`) + path(bright, `stroke="${url}" stroke-width="2.8"`),
    )
  )
}

/** The mast stands astride the road like a tuning fork. */
function mast(): string {
  const legs = polygon([
    [588, 96],
    [612, 96],
    [622, 372],
    [772, 838],
    [748, 838],
    [614, 452],
    [600, 408],
    [586, 452],
    [452, 838],
    [428, 838],
    [578, 372],
  ])
  return (
    path(legs, `fill="#120906"`) +
    path(
      'M612 98L622 372L772 836M588 98L578 372L428 836',
      `fill="none" stroke="${ink.foilLight}" stroke-width="2.6" stroke-opacity=".85"`,
    ) +
    path('M548 560H652', `stroke="#120906" stroke-width="16"`) +
    path('M552 552H648', `stroke="${ink.foilLight}" stroke-width="2" stroke-opacity=".7"`) +
    circle(600, 90, 5, `fill="${ink.red}"`) +
    circle(600, 90, 16, `fill="${ink.red}" fill-opacity=".25"`)
  )
}

/** The tail and head lights of one long exposure. */
function trails(): string {
  const chance = random(62)
  const bundle = (
    from: number,
    to: number,
    count: number,
    tones: readonly [string, ...string[]],
    soft: boolean,
  ): string =>
    Array.from({ length: count }, () => {
      const lane = chance.between(from, to)
      const near = chance.between(1.02, 1.12)
      const [x1, y1] = road(lane, 0.012, 10)
      const [x2, y2] = road(lane, near, 46)
      const half = soft ? 14 * near : chance.between(1.2, 4.6)
      return path(
        polygon([
          [x1, y1],
          [x2 - half, y2],
          [x2 + half, y2],
        ]),
        `fill="${chance.pick(tones)}" fill-opacity="${soft ? 0.2 : chance.between(0.5, 0.95).toFixed(2)}"`,
      )
    }).join('')
  return (
    using(blur(9), (url) =>
      group(
        `filter="${url}"`,
        bundle(0.3, 0.62, 9, [ink.red, ink.amber], true),
        bundle(-0.62, -0.3, 9, [ink.foilLight], true),
      ),
    ) +
    bundle(0.28, 0.64, 16, [ink.red, ink.red, '#ff7a4d', ink.amber], false) +
    bundle(-0.66, -0.28, 16, [ink.foilLight, ink.cream, ink.foil], false)
  )
}

export function skywayAtDusk(): string {
  const disc = { cx: 600, cy: 596, r: 300 }
  const sky = linear(
    [0, 0],
    [0, 745],
    [
      [0, mix(ink.tealNight, ink.ground, 0.3)],
      [0.3, ink.tealDeep],
      [0.52, mix(ink.tealDeep, ink.amber, 0.45)],
      [0.74, ink.amber],
      [1, ink.red],
    ],
  )
  const asphalt = linear(
    [0, 742],
    [0, 1200],
    [
      [0, mix(ink.ember, ink.umber, 0.6)],
      [0.2, '#24150e'],
      [1, '#0a0807'],
    ],
  )
  const dashes = Array.from({ length: 13 }, (_, index) => {
    const near = 0.012 + 0.95 * (index / 12) ** 2.3
    const [ax, ay] = road(-0.012, near)
    const [bx] = road(0.012, near)
    const [cx, cy] = road(0.012, near * 1.16)
    const [dx] = road(-0.012, near * 1.16)
    return polygon([
      [ax, ay],
      [bx, ay],
      [cx, cy],
      [dx, cy],
    ])
  }).join('')
  const kerb = (side: number): string =>
    path(
      polygon([
        road(side, 0),
        road(side * 1.06, 0),
        road(side * 1.06, 1.2, 60),
        road(side, 1.2, 34),
        road(side, 1.2, 0),
      ]),
      `fill="#1a100b"`,
    ) +
    path(
      `M${VANISH[0]} ${VANISH[1]}L${road(side * 1.05, 1.2, 60)
        .map(n)
        .join(' ')}`,
      `stroke="${ink.foilLight}" stroke-width="2.4" stroke-opacity=".8"`,
    )
  return sleeve(
    2,
    using(sky, (url) => rect(0, 0, SLEEVE, 750, `fill="${url}"`)),
    halo(disc, 1.7, 0.5),
    sunDisc(disc, { seed: 19, horizon: 800, turn: -1.3, ember: 0.8 }),
    cloudBars([
      { x: 330, y: 610, half: 320, thick: 20, tone: ink.ember, opacity: 0.8 },
      { x: 900, y: 560, half: 300, thick: 18, tone: mix(ink.ember, ink.tealDeep, 0.5), opacity: 0.75 },
      { x: 700, y: 690, half: 420, thick: 18, tone: ink.ember, opacity: 0.85 },
      { x: 180, y: 440, half: 260, thick: 15, tone: mix(ink.tealDeep, ink.ember, 0.4), opacity: 0.7 },
    ]),
    water({
      x: 0,
      y: 740,
      width: SLEEVE,
      height: 460,
      seed: 8,
      far: ink.ember,
      near: ink.tealNight,
      lights: [{ x: 600, reach: 520, power: 0.8 }],
    }),
    using(asphalt, (url) => path(polygon([road(-1, 0), road(1, 0), road(1, 1.05), road(-1, 1.05)]), `fill="${url}"`)),
    kerb(-1),
    kerb(1),
    path(dashes, `fill="${ink.foilLight}" fill-opacity=".85"`),
    stays(),
    trails(),
    mast(),
  )
}
