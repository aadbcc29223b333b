import { sunDisc } from '../disc.ts'
import { ink } from '../palette.ts'
import { circle, clip, group, n, path, rect, using } from '../svg.ts'
import { shaded } from './cloth.ts'
import { lit, type Ridge, SIZE } from './garment.ts'

/** The print in gold foil: the disc half under the tide. The cloth's folds run through it. */
export function foilPrint(bodyRidges: readonly Ridge[]): string {
  const disc = { cx: 600, cy: 590, r: 142 }
  const waves = Array.from({ length: 7 }, (_, row) => {
    const y = 652 + row * 15
    const half = 190 - row * 21
    return path(
      `M${600 - half} ${y}Q${600 - half * 0.5} ${y - 13} 600 ${y}T${600 + half} ${y}`,
      `fill="none" stroke="${row % 2 ? ink.foil : ink.foilLight}" stroke-width="${n(6.4 - row * 0.5)}" stroke-linecap="round"`,
    )
  }).join('')
  const above = clip(rect(400, 400, 400, 240, ''))
  const foil =
    using(above, (url) =>
      group(`clip-path="${url}"`, sunDisc(disc, { seed: 2, turn: -0.8, horizon: 690, ember: 0.55, hole: '#141311' })),
    ) + waves
  const folds = shaded({
    width: SIZE,
    height: SIZE,
    cell: 6,
    ramp: ['#000000', '#404040', '#808080', '#c0c0c0', '#ffffff'],
    tone: lit(bodyRidges, 0.5),
  })
  return (
    foil +
    using(clip(circle(600, 610, 210, '')), (url) =>
      group(`clip-path="${url}" style="mix-blend-mode:overlay" opacity=".75"`, folds),
    )
  )
}
