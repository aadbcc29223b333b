import { hand } from '../covers/hand.ts'
import { halo, starTrails, sunDisc } from '../disc.ts'
import { grain, vignette } from '../grain.ts'
import { ink, mix } from '../palette.ts'
import { random } from '../random.ts'
import { beam } from '../scenery/lights.ts'
import { crowd, player } from '../scenery/people.ts'
import { blur, ellipse, group, linear, n, path, rect, sheet, using } from '../svg.ts'

/** Raised hands, near ones larger and darker, edged by the disc's light. */
function hands(row: number): string {
  const chance = random(60 + row)
  const size = [0.17, 0.235, 0.33][row] ?? 0.3
  const step = [82, 128, 205][row] ?? 160
  let shapes = ''
  for (let x = -20; x < 1120; x += step * chance.between(0.75, 1.25)) {
    const y = ([985, 1090, 1215][row] ?? 1100) + chance.between(-46, 60)
    const lean = chance.between(-15, 15) + (540 - x) * 0.012
    const side = chance.chance(0.5) ? 1 : -1
    shapes += group(
      `transform="translate(${n(x)} ${n(y)}) rotate(${n(lean)}) scale(${n(side * size * 1000)}e-3 ${size}) translate(-600 -640)"`,
      path(
        'M500 1040C480 1300 470 1700 470 2300H720C716 1700 710 1300 690 1040Z',
        `fill="${row === 2 ? '#070303' : '#100605'}" stroke="${ink.foil}" stroke-width="${n(2.2 / size)}" stroke-opacity=".55"`,
      ),
      hand(2.4 / size, row === 2 ? ink.foil : mix(ink.foil, ink.ember, 0.45)),
      hand(0.2 / size, row === 2 ? '#070303' : (['#1c0a08', '#120706'][row] ?? '#0a0403')),
    )
  }
  return shapes
}

/** The last song: every hand is up, and the disc stands behind the band. */
export function encore(): string {
  const [width, height] = [1080, 1350]
  const disc = { cx: 540, cy: 500, r: 370 }
  const sky = linear(
    [0, 0],
    [0, height],
    [
      [0, ink.ground],
      [0.4, ink.wine],
      [0.68, mix(ink.ember, ink.red, 0.4)],
      [1, ink.wine],
    ],
  )
  return sheet(
    width,
    height,
    using(sky, (url) => rect(0, 0, width, height, `fill="${url}"`)),
    starTrails(disc, 1.07, 2.4, 15, 1.1),
    halo(disc, 1.8, 0.6),
    sunDisc(disc, { seed: 15, horizon: 900 }),
    [60, 220, 860, 1020]
      .map((x, index) =>
        beam([x, 40], [x < 540 ? x + 330 : x - 330, 1050], 90, index % 2 ? ink.teal : ink.foilLight, 0.55),
      )
      .join(''),
    using(blur(30, 2), (url) =>
      ellipse(540, 900, 520, 60, `fill="${ink.foilLight}" fill-opacity=".55" filter="${url}"`),
    ),
    player(330, 900, 250, 'guitar', '#120605'),
    player(752, 900, 246, 'keys', '#120605'),
    player(540, 906, 290, 'singer', '#0d0504', ink.cream),
    rect(0, 900, width, 460, 'fill="#140706"'),
    path('M0 900H1080', `stroke="${ink.foilLight}" stroke-width="3"`),
    crowd({ from: -20, to: 1100, base: 1010, head: 34, seed: 5, body: '#240c09', rim: ink.amber, raised: 0.1 }),
    hands(0),
    crowd({ from: -20, to: 1100, base: 1130, head: 52, seed: 8, body: '#180807', rim: ink.amber, raised: 0 }),
    hands(1),
    crowd({ from: -40, to: 1120, base: 1300, head: 84, seed: 22, body: '#0c0504', rim: ink.foil, raised: 0 }),
    hands(2),
    using(
      linear(
        [0, 1080],
        [0, height],
        [
          [0, '#060302', 0],
          [1, '#060302', 0.95],
        ],
      ),
      (url) => rect(0, 1080, width, 270, `fill="${url}"`),
    ),
    vignette(width, height, 0.6),
    grain(width, height, 0.36),
  )
}
