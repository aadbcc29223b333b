import { halo, sunDisc } from '../disc.ts'
import { ink } from '../palette.ts'
import { blur, circle, group, n, path, radial, rect, using } from '../svg.ts'

/** The printed lid: a sleeve as small as a matchbook. */
export function lid(): string {
  const size = 560
  const disc = { cx: size / 2, cy: 236, r: 165 }
  const waves = Array.from({ length: 13 }, (_, row) => {
    const y = 330 + row * 13.5 + row * row * 0.35
    return `M26 ${n(y)}Q${n(150)} ${n(y - 16 - row)} 280 ${n(y)}T534 ${n(y)}`
  }).join('')
  return (
    rect(0, 0, size, size, 'fill="#100b08" rx="3"') +
    halo(disc, 1.6, 0.3) +
    sunDisc(disc, { seed: 5, turn: -1 }) +
    rect(16, 318, size - 32, 226, 'fill="#0d0907"') +
    path(waves, `fill="none" stroke="${ink.foil}" stroke-width="3"`) +
    rect(16, 16, size - 32, size - 32, `fill="none" stroke="${ink.foil}" stroke-width="2" stroke-opacity=".8"`) +
    rect(0.5, 0.5, size - 1, size - 1, `fill="none" stroke="#fff0c2" stroke-opacity=".22" stroke-width="2" rx="3"`)
  )
}

/** The open tray with its cloth, seen straight from above. */
export function tray(): string {
  const size = 640
  const inside = radial([300, 280], 420, [
    [0, '#5a211d'],
    [0.55, '#32100f'],
    [1, '#160706'],
  ])
  const recess = radial([320, 320], 250, [
    [0.6, '#1b0808', 0.95],
    [0.93, '#1b0808', 0.75],
    [1, '#6b2a22', 0.7],
  ])
  const inner = 34
  const well = size - inner * 2
  return (
    rect(0, 0, size, size, 'fill="#171009" rx="5"') +
    rect(2, 2, size - 4, size - 4, `fill="none" rx="4" stroke="#e2b65e" stroke-width="2.4" stroke-opacity=".7"`) +
    rect(inner, inner, well, well, 'fill="#050303"') +
    using(inside, (url) => rect(inner + 5, inner + 9, well - 7, well - 11, `fill="${url}"`)) +
    using(recess, (url) => circle(320, 320, 236, `fill="${url}"`)) +
    [244, 252]
      .map((r) => circle(320, 320, r, `fill="none" stroke="#8a3a2c" stroke-opacity=".3" stroke-width="2"`))
      .join('') +
    using(blur(9, 0.2), (url) =>
      group(
        `filter="${url}"`,
        path(
          `M${inner} ${size - inner}V${inner}H${size - inner}`,
          'fill="none" stroke="#000000" stroke-width="26" stroke-opacity=".85"',
        ),
      ),
    )
  )
}
