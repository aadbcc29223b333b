import { ink } from '../palette.ts'
import { bulbRow } from '../scenery/lights.ts'
import { linear, path, rect, using } from '../svg.ts'

/** The red face of the upright sign, with waves where letters would stand and bulbs along both edges. */
export function bladeSign(): string {
  const blade = linear(
    [430, 0],
    [530, 0],
    [
      [0, ink.ember],
      [0.5, ink.red],
      [1, ink.ember],
    ],
  )
  return (
    using(blade, (url) => rect(440, 124, 80, 206, `fill="${url}"`)) +
    [0, 1, 2, 3, 4]
      .map(
        (index) =>
          path(`M452 ${154 + index * 36}q28 -22 56 0t0 0`, `fill="none" stroke="${ink.foilLight}" stroke-width="3.4"`) +
          path(`M452 ${166 + index * 36}q28 -22 56 0`, `fill="none" stroke="${ink.foil}" stroke-width="2.4"`),
      )
      .join('') +
    bulbRow([434, 118], [434, 326], 19, 3) +
    bulbRow([526, 118], [526, 326], 19, 3)
  )
}
