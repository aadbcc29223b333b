import { ink } from '../palette.ts'
import { circle, clip, group, linear, n, path, rect, sheet, using } from '../svg.ts'

/** The mark: the grooved sun half under the tide. Few and thick grooves, so that it holds at 32 pixels. */
export function mark(cx: number, cy: number, r: number): string {
  const foil = linear(
    [cx - r * 0.7, cy - r],
    [cx + r * 0.6, cy + r],
    [
      [0, ink.cream],
      [0.28, ink.foilLight],
      [0.55, ink.foil],
      [0.72, ink.foilLight],
      [1, ink.foilDeep],
    ],
  )
  const horizon = cy + r * 0.42
  const waves = [1.06, 0.72].map((reach, row) => {
    const y = horizon + r * (0.19 + row * 0.26)
    const half = r * reach
    return path(
      `M${n(cx - half)} ${n(y)}Q${n(cx - half / 2)} ${n(y - r * 0.13)} ${n(cx)} ${n(y)}T${n(cx + half)} ${n(y)}`,
      `stroke-width="${n(r * (0.12 - row * 0.016))}"`,
    )
  })
  return (
    foil.defs +
    using(clip(rect(cx - r, cy - r, r * 2, horizon - cy + r, '')), (url) =>
      group(
        `clip-path="${url}"`,
        circle(cx, cy, r, `fill="${foil.url}"`),
        [0.8, 0.58]
          .map((share) =>
            circle(cx, cy, r * share, `fill="none" stroke="${ink.ground}" stroke-width="${n(r * 0.062)}"`),
          )
          .join(''),
        circle(cx, cy, r * 0.36, `fill="${ink.red}" stroke="${ink.ground}" stroke-width="${n(r * 0.05)}"`),
        circle(cx, cy, r * 0.075, `fill="${ink.ground}"`),
      ),
    ) +
    group(`fill="none" stroke="${foil.url}" stroke-linecap="round"`, ...waves)
  )
}

const ground = linear(
  [0, 0],
  [0, 512],
  [
    [0, '#1d140c'],
    [1, ink.ground],
  ],
)
const onGround = (r: number, cy: number): string =>
  sheet(
    512,
    512,
    using(ground, (url) => rect(0, 0, 512, 512, `fill="${url}"`)),
    mark(256, cy, r),
  )

/** The icon on a home screen and in a tab. */
export const icon = (): string => onGround(212, 256)

/** The same mark inside the middle four fifths, which every launcher's mask leaves whole. */
export const maskableIcon = (): string => onGround(152, 256)
