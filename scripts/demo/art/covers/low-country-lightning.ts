import { sunDisc } from '../disc.ts'
import { ink, mix } from '../palette.ts'
import { random } from '../random.ts'
import { seaGrass } from '../scenery/palms.ts'
import { blur, clip, ellipse, group, linear, n, type Point, path, polyline, radial, rect, using } from '../svg.ts'
import { SLEEVE, sleeve } from './sleeve.ts'

const HORIZON = 742
const STRIKE: Point = [560, 900]

type Branch = { points: Point[]; width: number }

/** A bolt by repeated splitting: every half step is pushed aside, and some corners send out a thinner branch. */
function bolt(from: Point, to: Point, width: number, seed: number, depth = 0): Branch[] {
  const chance = random(seed)
  let points: Point[] = [from, to]
  for (let round = 0, push = 0.16; round < 6; round++, push *= 0.94) {
    const next: Point[] = []
    for (let index = 0; index < points.length - 1; index++) {
      const [a, b] = [points[index] ?? from, points[index + 1] ?? to]
      const length = Math.hypot(b[0] - a[0], b[1] - a[1])
      const aside = chance.between(-push, push) * length
      next.push(a, [
        (a[0] + b[0]) / 2 + (aside * (b[1] - a[1])) / length,
        (a[1] + b[1]) / 2 - (aside * (b[0] - a[0])) / length,
      ])
    }
    points = [...next, to]
  }
  const branches: Branch[] = [{ points, width }]
  if (depth > 2) return branches
  const reach = Math.hypot(to[0] - from[0], to[1] - from[1])
  const count = depth === 0 ? 11 : 3
  for (let index = 0; index < count; index++) {
    const at = points[Math.floor(points.length * chance.between(0.04, 0.82))] ?? from
    const side = chance.chance(0.5) ? 1 : -1
    const angle = Math.atan2(to[1] - from[1], to[0] - from[0]) + side * chance.between(0.35, 1.05)
    const length = reach * chance.between(0.18, 0.46)
    branches.push(
      ...bolt(
        at,
        [at[0] + Math.cos(angle) * length, Math.min(HORIZON - 12, at[1] + Math.sin(angle) * length)],
        width * chance.between(0.3, 0.5),
        seed * 17 + index * 7 + 3,
        depth + 1,
      ),
    )
  }
  return branches
}

/** Storm clouds from the renderer's own noise, lit from within around the bolt. */
function storm(): string {
  const cloud = (id: string, frequency: string, seed: number, matrix: string, opacity: number): string =>
    `<filter id="${id}" x="0" y="0" width="1" height="1"><feTurbulence type="fractalNoise" baseFrequency="${frequency}" numOctaves="5" seed="${seed}"/><feColorMatrix values="${matrix}"/></filter>${rect(0, 0, SLEEVE, HORIZON, `filter="url(#${id})" opacity="${opacity}"`)}`
  const fade = linear(
    [0, 0],
    [0, HORIZON],
    [
      [0, ink.ground, 0.75],
      [0.35, ink.ground, 0.1],
      [0.8, ink.ground, 0.15],
      [1, ink.ground, 0.7],
    ],
  )
  return (
    cloud('storm', '.0036 .0085', 21, '0 0 0 0 .16  0 0 0 0 .36  0 0 0 0 .36  2.6 1.2 0 0 -1.5', 0.75) +
    cloud('storm-lit', '.0044 .011', 5, '0 0 0 0 .93  0 0 0 0 .62  0 0 0 0 .25  3.2 1 0 0 -2.05', 0.45) +
    using(fade, (url) => rect(0, 0, SLEEVE, HORIZON, `fill="${url}"`))
  )
}

export function lowCountryLightning(): string {
  const branches = bolt([668, -20], STRIKE, 11, 15)
  const lines = (grow: number, tone: string, opacity: number): string =>
    branches
      .map(({ points, width }) =>
        path(
          polyline(points),
          `fill="none" stroke="${tone}" stroke-width="${n(width * grow)}" stroke-opacity="${opacity}" stroke-linejoin="round" stroke-linecap="round"`,
        ),
      )
      .join('')
  const glow = radial(
    [610, 430],
    620,
    [
      [0, ink.foilLight, 0.5],
      [0.3, ink.amber, 0.26],
      [0.65, ink.tealDeep, 0.16],
      [1, ink.tealDeep, 0],
    ],
    1.15,
  )
  const marsh = linear(
    [0, HORIZON],
    [0, SLEEVE],
    [
      [0, mix(ink.tealDeep, ink.umber, 0.4)],
      [0.3, ink.tealNight],
      [1, '#060606'],
    ],
  )
  const rings = Array.from({ length: 17 }, (_, index) => {
    const r = 455 + index * 34 + index * index * 1.6
    return ellipse(
      STRIKE[0],
      STRIKE[1],
      r,
      r * 0.27,
      `fill="none" stroke="${index % 3 ? ink.foil : ink.foilLight}" stroke-width="${n(4 - index * 0.19)}" stroke-opacity="${n(0.75 - index * 0.042)}" stroke-dasharray="${n(r * 0.9)} ${n(r * 0.05)} ${n(r * 0.43)} ${n(r * 0.11)}" stroke-dashoffset="${n(r * index * 0.71)}"`,
    )
  }).join('')
  return sleeve(
    5,
    rect(0, 0, SLEEVE, HORIZON, `fill="${mix(ink.tealNight, ink.ground, 0.35)}"`),
    storm(),
    using(glow, (url) => rect(0, 0, SLEEVE, SLEEVE, `fill="${url}"`)),
    seaGrass(
      -10,
      1210,
      HORIZON + 3,
      (s) => 12 + 34 * Math.abs(Math.sin(s * 9)) + (s > 0.72 ? 40 : 0),
      5,
      '#0a1211',
      ink.teal,
    ),
    using(marsh, (url) => rect(0, HORIZON, SLEEVE, SLEEVE - HORIZON, `fill="${url}"`)),
    using(clip(rect(0, HORIZON + 3, SLEEVE, SLEEVE, '')), (url) => group(`clip-path="${url}"`, rings)),
    group(
      `transform="translate(${STRIKE[0]} ${STRIKE[1]}) scale(1 .27)"`,
      sunDisc({ cx: 0, cy: 0, r: 430 }, { seed: 9, turn: -1.25, ember: 0.5 }),
    ),
    using(blur(34), (url) =>
      group(`filter="${url}"`, ellipse(STRIKE[0], STRIKE[1] - 8, 190, 54, `fill="${ink.cream}" fill-opacity=".9"`)),
    ),
    using(blur(22), (url) => group(`filter="${url}"`, lines(3.2, ink.amber, 0.8))),
    using(blur(6), (url) => group(`filter="${url}"`, lines(1.8, ink.foilLight, 0.95))),
    lines(0.8, '#fffaf0', 1),
    seaGrass(-10, 1210, 1216, (s) => 40 + 250 * Math.abs(s - 0.45) ** 1.4 * 2.6, 77, '#050706', ink.foil),
  )
}
