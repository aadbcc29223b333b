import { halo, starTrails, sunDisc } from '../disc.ts'
import { along, foilRamp, ink, mix } from '../palette.ts'
import { waver } from '../random.ts'
import { group, linear, n, type Point, path, polyline, radial, rect, using } from '../svg.ts'
import { SLEEVE, sleeve } from './sleeve.ts'

/** Someone in a long coat who walks away over the water, seen from behind at mid-stride; the feet stand on (x, y). */
export function walker(x: number, y: number, height: number, fill: string, rim: string): string {
  return group(
    `transform="translate(${n(x)} ${n(y)}) scale(${height / 100})"`,
    path(
      'M-5 -40Q-7 -22 -10 -9L-13 -3L-8.5 -2L-5.5 -8Q-1 -22 0 -38ZM0 -40Q4 -24 4.4 -10L4 -0.5L9.4 0L8.8 -10Q9.6 -24 7 -40Z',
      `fill="${fill}"`,
    ),
    path(
      'M-3 -84Q-10 -82.5 -11.2 -78Q-14 -64 -14.6 -50L-13 -45L-10.8 -46L-10.4 -52L-8.6 -64Q-8.8 -48 -12 -31Q-3 -28 1 -32Q5 -28.5 11 -31.5Q8.4 -48 8.2 -64L11.6 -54L14.2 -46.5L16.6 -46.6L16.4 -51Q14 -66 10.8 -78Q9.4 -82.5 3 -84Z',
      `fill="${fill}"`,
    ),
    path('M-2.4 -89h4.8v6h-4.8z', `fill="${fill}"`),
    path(
      'M0 -100C3.6 -100 5.2 -97.4 5 -94C4.8 -90.4 2.6 -87.4 0 -87.4C-2.6 -87.4 -4.8 -90.4 -5 -94C-5.2 -97.4 -3.6 -100 0 -100Z',
      `fill="${fill}"`,
    ),
    path(
      'M-4.8 -95Q-4 -100 1 -99.6M-11 -78Q-13.6 -64 -14.2 -51M-8.6 -62Q-9 -46 -11.6 -32M10.6 -78Q13.8 -66 16.2 -51M8.2 -62Q8.6 -46 10.6 -32.4',
      `fill="none" stroke="${rim}" stroke-width="1" stroke-linecap="round" stroke-opacity=".95"`,
    ),
  )
}

/** Swells as engraved lines: the grooves of the disc run on as a tide. Each line hides what lies behind it. */
function tide(): { behind: string; before: string; crest: Point } {
  const rows = 44
  const slow = waver(4)
  const quick = waver(9)
  const shine = linear(
    [0, 0],
    [SLEEVE, 0],
    [
      [0, mix(ink.tealDeep, ink.ground, 0.45)],
      [0.2, ink.foilDark],
      [0.36, ink.foil],
      [0.5, ink.cream],
      [0.64, ink.foil],
      [0.8, ink.foilDark],
      [1, mix(ink.tealDeep, ink.ground, 0.45)],
    ],
  )
  const parts = ['', '']
  const standing = 19
  let crest: Point = [600, 800]
  for (let row = 0; row < rows; row++) {
    const depth = row / (rows - 1)
    const base = 612 + 640 * depth ** 1.45
    const swell = 2 + 46 * depth ** 1.1
    const points: Point[] = []
    for (let x = -20; x <= SLEEVE + 20; x += 12) {
      const stretch = 0.5 + depth
      const height =
        Math.sin(x / (92 * stretch) + row * 0.2) * 0.5 +
        slow(x / (150 * stretch) + row * 0.3) * 0.8 +
        quick(x / (46 * stretch) - row * 0.35) * 0.18
      points.push([x, base - swell * height])
    }
    if (row === standing) crest = points[52] ?? crest
    const d = polyline(points)
    const body = mix(mix(ink.tealNight, ink.umber, 0.55 * (1 - depth)), ink.ground, 0.35 + 0.3 * depth)
    parts[row <= standing ? 0 : 1] +=
      path(`${d}V${SLEEVE + 10}H-20Z`, `fill="${body}"`) +
      path(
        d,
        `fill="none" stroke="${shine.url}" stroke-width="${n(1.2 + 4.6 * depth)}" stroke-opacity="${n(0.95 - 0.25 * depth)}"`,
      )
  }
  return { behind: shine.defs + (parts[0] ?? ''), before: parts[1] ?? '', crest }
}

/** The walker's shadow lies towards us, broken by the swell. */
const shadow = ([x, y]: Point): string =>
  Array.from({ length: 9 }, (_, index) =>
    path(
      `M${n(x - 12 - index * 1.5)} ${n(y + 8 + index * 9)}q${n(13 + index * 1.5)} ${index % 2 ? 5 : -4} ${n(26 + index * 3)} 0`,
      `fill="none" stroke="#0d0805" stroke-width="${n(5 - index * 0.35)}" stroke-opacity="${n(0.9 - index * 0.09)}" stroke-linecap="round"`,
    ),
  ).join('')

export function giltTide(): string {
  const disc = { cx: 600, cy: 470, r: 338 }
  const sea = tide()
  const sky = linear(
    [0, 0],
    [0, 640],
    [
      [0, ink.ground],
      [0.6, ink.wine],
      [1, mix(ink.ember, ink.red, 0.35)],
    ],
  )
  const path_ = radial(
    [600, 830],
    430,
    [
      [0, along(foilRamp, 0.85), 0.5],
      [0.5, ink.amber, 0.16],
      [1, ink.amber, 0],
    ],
    0.9,
  )
  return sleeve(
    1,
    using(sky, (url) => rect(0, 0, SLEEVE, 660, `fill="${url}"`)),
    starTrails(disc, 1.07, 2.4, 7, 1.1),
    halo(disc, 1.9, 0.62),
    sunDisc(disc, { seed: 4, horizon: 660 }),
    sea.behind,
    using(path_, (url) => rect(100, 600, 1000, 560, `fill="${url}"`)),
    shadow(sea.crest),
    walker(sea.crest[0], sea.crest[1] + 5, 132, '#120a05', ink.cream),
    sea.before,
  )
}
