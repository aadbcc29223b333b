import { halo, sunDisc } from '../disc.ts'
import { grain, vignette } from '../grain.ts'
import { ink } from '../palette.ts'
import { beam } from '../scenery/lights.ts'
import { crowd, player } from '../scenery/people.ts'
import { blur, ellipse, linear, path, rect, sheet, using } from '../svg.ts'

/** A fan's picture from the third row: two musicians close by, heads in the way, the gold disc behind the drapes. */
export function frontRow(): string {
  const [width, height] = [1080, 1350]
  const disc = { cx: 700, cy: 520, r: 260 }
  const dark = linear(
    [0, 0],
    [0, height],
    [
      [0, ink.tealNight],
      [0.45, ink.tealDeep],
      [0.72, ink.wine],
      [1, ink.ground],
    ],
  )
  const folds = Array.from({ length: 14 }, (_, fold) =>
    path(`M${fold * 82} 0C${fold * 82 + 26} 300 ${fold * 82 - 18} 640 ${fold * 82 + 6} 960`, ''),
  ).join('')
  return sheet(
    width,
    height,
    using(dark, (url) => rect(0, 0, width, height, `fill="${url}"`)),
    `<g fill="none" stroke="#061718" stroke-opacity=".55" stroke-width="26">${folds}</g>`,
    halo(disc, 1.9, 0.7),
    sunDisc(disc, { seed: 21, horizon: 860, turn: -0.4 }),
    beam([120, 0], [520, 1000], 120, ink.foilLight, 0.6),
    beam([980, 0], [640, 1000], 120, ink.teal, 0.5),
    using(blur(26, 2), (url) => ellipse(540, 985, 560, 50, `fill="${ink.amber}" fill-opacity=".5" filter="${url}"`)),
    player(360, 990, 520, 'singer', '#0b0504', ink.foilLight),
    player(770, 990, 470, 'guitar', '#0b0504'),
    rect(0, 990, width, 360, 'fill="#0d0504"'),
    path('M0 990H1080', `stroke="${ink.foilLight}" stroke-width="4"`),
    crowd({ from: -30, to: 1110, base: 1180, head: 70, seed: 12, body: '#170a07', rim: ink.amber, raised: 0.25 }),
    crowd({ from: -60, to: 1140, base: 1370, head: 120, seed: 31, body: '#070302', rim: ink.foil, raised: 0.2 }),
    vignette(width, height, 0.7),
    grain(width, height, 0.5),
  )
}
