import { grain, sleeveWear, vignette } from '../grain.ts'
import { ink } from '../palette.ts'
import { circle, path, rect, sheet } from '../svg.ts'

export const SLEEVE = 1200

/** The print that the six sleeves share: ground, picture, a thin rule, the maker's disc, one tick per track number, wear and grain. */
export function sleeve(trackNumber: number, ...picture: string[]): string {
  const inset = 42
  const far = SLEEVE - inset
  const mark = { x: inset + 34, y: inset + 34 }
  const ticks = Array.from({ length: trackNumber }, (_, index) => `M${far - 26 - index * 11} ${far - 22}v-24`).join('')
  return sheet(
    SLEEVE,
    SLEEVE,
    rect(0, 0, SLEEVE, SLEEVE, `fill="${ink.ground}"`),
    ...picture,
    vignette(SLEEVE, SLEEVE, 0.6),
    rect(
      inset,
      inset,
      SLEEVE - inset * 2,
      SLEEVE - inset * 2,
      `fill="none" stroke="${ink.foilLight}" stroke-width="1.8" stroke-opacity=".6"`,
    ),
    [15, 11.5, 8]
      .map((r) =>
        circle(mark.x, mark.y, r, `fill="none" stroke="${ink.foilLight}" stroke-width="1.5" stroke-opacity=".85"`),
      )
      .join(''),
    circle(mark.x, mark.y, 4, `fill="${ink.red}"`),
    path(ticks, `stroke="${ink.foilLight}" stroke-width="3" stroke-opacity=".9"`),
    sleeveWear(SLEEVE),
    grain(SLEEVE, SLEEVE, 0.36),
  )
}
