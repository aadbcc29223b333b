import { sunDisc } from '../disc.ts'
import { grain, vignette } from '../grain.ts'
import { ink, mix } from '../palette.ts'
import { random } from '../random.ts'
import { circle, group, linear, n, path, radial, rect, sheet, using } from '../svg.ts'

/** A fan's evening: the single on a turntable by the window, seen from above in lamplight. */
export function turntable(): string {
  const [width, height] = [1200, 900]
  const disc = { cx: 520, cy: 452, r: 330 }
  const chance = random(44)
  const boards = Array.from({ length: 9 }, (_, board) => {
    const tone = mix('#2a1a0e', '#3d2713', chance.next())
    const seams = Array.from({ length: 7 }, () => {
      const y = board * 100 + chance.between(12, 90)
      return path(`M0 ${n(y)}C300 ${n(y + chance.between(-9, 9))} 800 ${n(y + chance.between(-9, 9))} 1200 ${n(y)}`, '')
    })
    return (
      rect(0, board * 100, width, 99, `fill="${tone}"`) +
      group('fill="none" stroke="#1a0e06" stroke-opacity=".4" stroke-width="2"', ...seams)
    )
  })
  const plinth = linear(
    [90, 60],
    [1110, 840],
    [
      [0, '#241d16'],
      [0.5, '#17120d'],
      [1, '#0d0a07'],
    ],
  )
  const arm = (stroke: string, across: number, rest = '') =>
    path(
      'M972 210L968 470L790 640L748 662',
      `fill="none" stroke="${stroke}" stroke-width="${across}" stroke-linejoin="round" ${rest}`,
    )
  return sheet(
    width,
    height,
    ...boards,
    rect(118, 78, 1010, 790, 'rx="26" fill="#000" fill-opacity=".5"'),
    using(plinth, (url) => rect(95, 50, 1010, 790, `rx="26" fill="${url}" stroke="${ink.foilDark}" stroke-width="3"`)),
    circle(disc.cx, disc.cy, 362, 'fill="#050403"'),
    circle(disc.cx, disc.cy, 350, `fill="#15110d" stroke="${ink.foilDeep}" stroke-width="4" stroke-dasharray="5 9"`),
    sunDisc(disc, { seed: 8, turn: -0.6, ember: 0.45 }),
    circle(972, 210, 74, `fill="#0d0a08" stroke="${ink.foilDeep}" stroke-width="4"`),
    circle(972, 210, 34, `fill="${ink.foil}" stroke="${ink.foilDark}" stroke-width="5"`),
    arm('#000', 22, 'stroke-opacity=".45" transform="translate(14 18)"'),
    arm(ink.foilDeep, 18),
    arm(ink.foilLight, 6),
    group(
      'transform="rotate(42 754 658)"',
      rect(720, 636, 66, 40, `rx="6" fill="#0a0806" stroke="${ink.foil}" stroke-width="3"`),
    ),
    circle(950, 730, 40, `fill="#0d0a08" stroke="${ink.foilDeep}" stroke-width="3"`),
    path('M950 730V696', `stroke="${ink.foilLight}" stroke-width="6"`),
    circle(1046, 762, 10, `fill="${ink.red}"`),
    using(
      radial([250, 40], 980, [
        [0, ink.foilLight, 0.5],
        [0.45, ink.amber, 0.14],
        [1, ink.amber, 0],
      ]),
      (url) => rect(0, 0, width, height, `fill="${url}"`),
    ),
    vignette(width, height, 0.75),
    grain(width, height, 0.4),
  )
}
