import { grain, vignette } from '../grain.ts'
import { ink } from '../palette.ts'
import { random } from '../random.ts'
import { blur, circle, ellipse, group, linear, n, path, radial, rect, sheet, using } from '../svg.ts'
import { lid, tray } from './box.ts'
import { clipShadow, noseClip, type Pose } from './clip.ts'
import { velvet } from './cloth.ts'

const SIZE = 1200
const wine = ['#060404', '#120809', '#240e10', '#3d1617', '#5d2320', '#84382b'] as const

/** The light that polished gold throws back on the cloth beside it. */
const caustic = (pose: Pose, drop: readonly [number, number], strength: number): string =>
  using(blur(26, 1), (url) => group(`filter="${url}"`, clipShadow(pose, drop, ink.amber, strength, 0.4)))

/** Lying on velvet, seen from the side at table height. */
export function noseClipOnVelvet(): string {
  const pose: Pose = { spin: -0.62, tilt: -0.98, yaw: 0.06, camera: { centre: [590, 610], zoom: 345, distance: 6 } }
  return sheet(
    SIZE,
    SIZE,
    velvet(SIZE, SIZE, 5, wine, [520, 480]),
    using(blur(44, 1), (url) => group(`filter="${url}"`, clipShadow(pose, [34, 74], '#000000', 0.95, 1.7))),
    using(blur(12, 1), (url) => group(`filter="${url}"`, clipShadow(pose, [10, 34], '#000000', 0.95, 1.1))),
    caustic(pose, [-26, 62], 0.3),
    noseClip(pose, { turnOfLight: 0.9 }),
    vignette(SIZE, SIZE, 0.8),
    grain(SIZE, SIZE, 0.36),
  )
}

/** So near that the grooves of the small record can be counted; the back of the hoop is out of focus. */
export function noseClipMacro(): string {
  const chance = random(9)
  const pose: Pose = {
    spin: -0.34,
    tilt: -0.6,
    yaw: -0.42,
    camera: { centre: [190, 420], zoom: 690, distance: 6 },
    across: 460,
    around: 100,
  }
  const bokeh = Array.from({ length: 26 }, () => {
    const [x, y, r] = [chance.between(0, SIZE), chance.between(0, 620), chance.between(24, 92)]
    const tone = chance.pick([ink.foil, ink.amber, ink.red, ink.foilLight, ink.teal])
    const strength = chance.between(0.06, 0.26)
    return (
      circle(x, y, r, `fill="${tone}" fill-opacity="${strength.toFixed(2)}"`) +
      circle(
        x,
        y,
        r - 2,
        `fill="none" stroke="${tone}" stroke-width="4" stroke-opacity="${(strength * 0.8).toFixed(2)}"`,
      )
    )
  }).join('')
  const back = linear(
    [0, 0],
    [0, SIZE],
    [
      [0, '#140b08'],
      [0.55, '#2a1410'],
      [1, '#090505'],
    ],
  )
  const bands: readonly [number, number, number][] = [
    [-9, -0.55, 17],
    [-0.55, -0.2, 9],
    [-0.2, 0.08, 3.4],
  ]
  return sheet(
    SIZE,
    SIZE,
    using(back, (url) => rect(0, 0, SIZE, SIZE, `fill="${url}"`)),
    using(blur(5, 0.2), (url) => group(`filter="${url}"`, bokeh)),
    using(blur(60, 1), (url) => ellipse(640, 1130, 620, 130, `fill="#000000" fill-opacity=".85" filter="${url}"`)),
    ...bands.map(([far, near, soft]) =>
      using(blur(soft, 0.3), (url) =>
        group(
          `filter="${url}"`,
          noseClip(pose, { withRecord: false, part: (depth) => depth >= far - 0.06 && depth < near }),
        ),
      ),
    ),
    noseClip(pose, { turnOfLight: 0.5, part: (depth) => depth >= 0.06 }),
    vignette(SIZE, SIZE, 0.75),
    grain(SIZE, SIZE, 0.36),
  )
}

/** In its open box, a record sleeve in small. */
export function noseClipInBox(): string {
  const pose: Pose = { spin: -0.95, tilt: -0.16, yaw: 0.1, camera: { centre: [676, 724], zoom: 168, distance: 7 } }
  const shadow = (
    x: number,
    y: number,
    size: number,
    turn: number,
    drop: number,
    soft: number,
    opacity: number,
  ): string =>
    using(blur(soft, 0.5), (url) =>
      group(
        `filter="${url}"`,
        group(
          `transform="translate(${x + drop} ${y + drop * 1.3}) rotate(${turn})"`,
          rect(0, 0, size, size, `fill="#000000" fill-opacity="${opacity}"`),
        ),
      ),
    )
  const light = radial([430, 330], 1050, [
    [0, '#4a3018', 0.9],
    [0.5, '#24170d', 0.9],
    [1, '#0a0705', 0.95],
  ])
  const sheen = linear(
    [60, 120],
    [640, 640],
    [
      [0, '#fff3d0', 0.2],
      [0.4, '#fff3d0', 0.02],
      [1, '#000000', 0.25],
    ],
  )
  const slats = Array.from(
    { length: 40 },
    (_, index) =>
      `M-20 ${n(index * 31 + 4 * Math.sin(index * 3.1))}Q600 ${n(index * 31 + 14 * Math.sin(index * 1.7))} 1220 ${n(index * 31 + 6 * Math.cos(index * 2.3))}`,
  ).join('')
  return sheet(
    SIZE,
    SIZE,
    rect(0, 0, SIZE, SIZE, 'fill="#120c08"'),
    using(light, (url) => rect(0, 0, SIZE, SIZE, `fill="${url}"`)),
    path(slats, 'fill="none" stroke="#000000" stroke-opacity=".2" stroke-width="2.5"'),
    shadow(60, 150, 560, -9, 30, 26, 0.85),
    group(
      'transform="translate(60 150) rotate(-9)"',
      lid(),
      using(sheen, (url) => rect(0, 0, 560, 560, `fill="${url}"`)),
    ),
    shadow(386, 400, 640, 6, 40, 34, 0.95),
    shadow(386, 400, 640, 6, 10, 8, 0.8),
    group('transform="translate(386 400) rotate(6)"', tray()),
    using(blur(16, 1), (url) => group(`filter="${url}"`, clipShadow(pose, [16, 30], '#000000', 0.95, 1.3))),
    using(blur(4, 1), (url) => group(`filter="${url}"`, clipShadow(pose, [5, 10], '#000000', 0.8, 1))),
    caustic(pose, [-14, -12], 0.25),
    noseClip(pose, { turnOfLight: 1 }),
    vignette(SIZE, SIZE, 0.7),
    grain(SIZE, SIZE, 0.36),
  )
}
