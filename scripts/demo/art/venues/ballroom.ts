import { grooves } from '../disc.ts'
import { grain, vignette } from '../grain.ts'
import { along, foilRamp, ink, mix } from '../palette.ts'
import { random } from '../random.ts'
import { brickwork } from '../scenery/lights.ts'
import { crowd, player } from '../scenery/people.ts'
import { circle, clip, ellipse, group, linear, n, path, radial, rect, sheet, using } from '../svg.ts'

/** A ball of small mirrors: rows of tiles on a sphere, each catching its own lamp. */
function mirrorBall(cx: number, cy: number, r: number): string {
  const chance = random(8)
  let tiles = ''
  const rows = 17
  for (let row = 0; row < rows; row++) {
    const [a, b] = [(row / rows) * Math.PI - Math.PI / 2, ((row + 1) / rows) * Math.PI - Math.PI / 2]
    const count = 17
    for (let at = 0; at < count; at++) {
      const [u, v] = [(at / count) * Math.PI - Math.PI / 2, ((at + 1) / count) * Math.PI - Math.PI / 2]
      const spot = (lat: number, long: number): string =>
        `${n(cx + r * Math.cos(lat) * Math.sin(long))} ${n(cy + r * Math.sin(lat))}`
      const light = 0.5 - 0.45 * Math.sin((a + b) / 2) - 0.3 * Math.sin((u + v) / 2) + chance.between(-0.3, 0.36)
      tiles += path(
        `M${spot(a, u)}L${spot(a, v)}L${spot(b, v)}L${spot(b, u)}Z`,
        `fill="${chance.chance(0.08) ? ink.teal : along(foilRamp, light)}" stroke="#0d0603" stroke-width="1"`,
      )
    }
  }
  return tiles
}

/** A brick ballroom: three arches, a lit stage in the middle one, a mirror ball and its scattered light. */
export function ballroom(): string {
  const [width, height, floor] = [960, 640, 500]
  const chance = random(40)
  const wall = radial([480, 330], 620, [
    [0, '#7c3018'],
    [0.5, '#441a10'],
    [1, '#150907'],
  ])
  const arch = (cx: number, half: number, top: number): string =>
    `M${cx - half} ${floor}V${top + half}A${half} ${half} 0 0 1 ${cx + half} ${top + half}V${floor}Z`
  const stage = linear(
    [0, 130],
    [0, floor],
    [
      [0, mix(ink.ember, ink.wine, 0.4)],
      [0.5, ink.red],
      [1, ink.amber],
    ],
  )
  const side = linear(
    [0, 200],
    [0, floor],
    [
      [0, '#120807'],
      [1, '#4a1d12'],
    ],
  )
  const folds = Array.from({ length: 15 }, (_, index) => {
    const x = 318 + index * 23.2
    return path(
      `M${n(x)} 90C${n(x + 7)} 240 ${n(x - 5)} 380 ${n(x)} ${floor}h11C${n(x + 8)} 380 ${n(x + 20)} 240 ${n(x + 11)} 90Z`,
      `fill="#2a0a08" fill-opacity="${Math.abs(index - 7) < 4 ? 0.25 : 0.62}"`,
    )
  }).join('')
  const specks = Array.from({ length: 150 }, () => {
    const [angle, away] = [chance.between(0, Math.PI * 2), chance.between(90, 560)]
    const [x, y] = [480 + Math.cos(angle) * away, 128 + Math.sin(angle) * away * 0.8]
    return `<ellipse cx="${n(x)}" cy="${n(y)}" rx="${n(3 + away / 90)}" ry="${n(2 + away / 150)}" fill="${chance.pick([ink.foilLight, ink.cream, ink.amber])}" fill-opacity="${chance.between(0.12, 0.6).toFixed(2)}" transform="rotate(${n((angle * 180) / Math.PI)} ${n(x)} ${n(y)})"/>`
  }).join('')
  const boards = linear(
    [0, floor],
    [0, height],
    [
      [0, '#7a3a18'],
      [0.5, '#2c130b'],
      [1, '#0c0504'],
    ],
  )
  const light = radial([480, 128], 330, [
    [0, ink.cream, 0.55],
    [0.3, ink.foil, 0.2],
    [1, ink.foil, 0],
  ])
  const disc = { cx: 480, cy: 338, r: 108 }
  const rings = [300, 170, 40, -90]
    .map((x) => `M480 ${floor}L${480 - (480 - x) * 2.4} ${height}M480 ${floor}L${480 + (480 - x) * 2.4} ${height}`)
    .join('')
  return sheet(
    width,
    height,
    using(wall, (url) => rect(0, 0, width, floor, `fill="${url}"`)),
    path(brickwork(0, 0, width, floor, 12), 'fill="none" stroke="#120605" stroke-width="1.6" stroke-opacity=".55"'),
    using(side, (url) =>
      path(arch(130, 108, 190) + arch(830, 108, 190), `fill="${url}" stroke="#0d0504" stroke-width="10"`),
    ),
    using(stage, (url) => path(arch(480, 190, 72), `fill="${url}" stroke="#0d0504" stroke-width="14"`)),
    using(clip(path(arch(480, 190, 72), '')), (url) =>
      group(
        `clip-path="${url}"`,
        circle(disc.cx, disc.cy, disc.r, `fill="${ink.foilLight}"`),
        grooves(disc, 0.34, 4),
        circle(disc.cx, disc.cy, 34, `fill="${ink.red}"`),
        folds,
      ),
    ),
    path(
      `${arch(480, 202, 60)}${arch(130, 117, 181)}${arch(830, 117, 181)}`,
      `fill="none" stroke="${ink.foil}" stroke-width="2" stroke-opacity=".75"`,
    ),
    [130, 830]
      .map(
        (x) =>
          [0, 1, 2].map((k) => path(`M${x - 60 + k * 60} 300V${floor}`, 'stroke="#0d0504" stroke-width="4"')).join('') +
          path(`M${x - 108} 380H${x + 108}`, 'stroke="#0d0504" stroke-width="4"'),
      )
      .join(''),
    player(480, 486, 120, 'singer'),
    player(388, 486, 104, 'guitar'),
    player(572, 486, 104, 'keys'),
    path(`M296 484H664V${floor + 4}H296Z`, 'fill="#0d0504"'),
    path('M296 484H664', `stroke="${ink.foilLight}" stroke-width="2.4"`),
    using(boards, (url) => rect(0, floor, width, height - floor, `fill="${url}"`)),
    path(rings, 'stroke="#0c0504" stroke-width="1.6" stroke-opacity=".6"'),
    ellipse(480, 530, 260, 26, `fill="${ink.amber}" fill-opacity=".35"`),
    using(light, (url) => circle(480, 128, 330, `fill="${url}"`)),
    specks,
    path('M480 0V70', 'stroke="#0a0403" stroke-width="3"'),
    mirrorBall(480, 128, 60),
    crowd({ from: -10, to: 980, base: 590, head: 24, seed: 14, body: '#160806', rim: ink.foil, raised: 0.3 }),
    crowd({ from: -10, to: 980, base: 656, head: 36, seed: 3, body: '#0a0403', rim: ink.foil, raised: 0.34 }),
    vignette(width, height, 0.7),
    grain(width, height, 0.34),
  )
}
