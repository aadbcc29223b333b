import { grooves, halo, starTrails, sunDisc } from '../disc.ts'
import { ink, mix } from '../palette.ts'
import { random } from '../random.ts'
import { circle, clip, group, linear, n, path, radial, rect, using } from '../svg.ts'
import { fingers, hand } from './hand.ts'
import { SLEEVE, sleeve } from './sleeve.ts'

/** A frond that stands straight, drawn upward from the origin and turned into place; every blade stands free. */
function ray(angle: number, reach: number, seed: number, tone: string, vein: string): string {
  const chance = random(seed)
  let blades = ''
  for (let at = 0.3; at < 1; at += 0.03) {
    const length = reach * 0.21 * Math.sin(Math.PI * (0.14 + 0.76 * at)) ** 0.8 * chance.between(0.88, 1.08)
    for (const side of [-1, 1])
      blades += `M0 ${n(-reach * at)}Q${n(side * length * 0.5)} ${n(-reach * at - length * 0.5)} ${n(side * length)} ${n(-reach * at - length * 0.85)}Q${n(side * length * 0.58)} ${n(-reach * at - length * 0.36)} 0 ${n(-reach * at + 7)}Z`
  }
  return group(
    `transform="translate(600 690) rotate(${n(angle)})"`,
    path(blades, `fill="${tone}" stroke="#0a1211" stroke-width="1.6"`),
    path(`M0 0V${n(-reach * 1.04)}`, `stroke="${vein}" stroke-width="2.4"`),
  )
}

/** Engraver's lines over the hand, closer at its left where the shade lies. */
function engraving(): string {
  let d = ''
  for (let index = 0; index < 130; index++) {
    const y = 236 + index * 7.7
    d += `M300 ${n(y + 26)}Q600 ${n(y - 34)} 900 ${n(y + 26)}`
  }
  const shade = linear(
    [330, 0],
    [820, 0],
    [
      [0, ink.foilLight, 0.9],
      [0.22, ink.foil, 0.5],
      [0.6, ink.foil, 0.1],
      [0.85, ink.foil, 0.3],
      [1, ink.foilLight, 0.75],
    ],
  )
  return using(shade, (url) => path(d, `fill="none" stroke="${url}" stroke-width="1.7"`))
}

/** The creases of the fingers and the lines that are read. */
function creases(): string {
  const across = fingers
    .flatMap(({ points, width }) =>
      [0.36, 0.68].map((share) => {
        const [from, , to] = points
        const x = from[0] + (to[0] - from[0]) * share
        const y = from[1] + (to[1] - from[1]) * share
        const tilt = Math.atan2(to[1] - from[1], to[0] - from[0]) + Math.PI / 2
        const half = width * 0.34
        return `M${n(x - Math.cos(tilt) * half)} ${n(y - Math.sin(tilt) * half)}Q${n(x)} ${n(y + 9)} ${n(x + Math.cos(tilt) * half)} ${n(y + Math.sin(tilt) * half)}`
      }),
    )
    .join('')
  return path(
    `${across}M452 700C500 640 640 640 744 716M448 800C470 905 520 930 560 1010M746 800C720 890 690 900 650 1000M512 1050H676M508 1066H680`,
    `fill="none" stroke="${ink.foilLight}" stroke-width="3.4" stroke-linecap="round"`,
  )
}

/** The moon from new to full and back, as seven small records. */
function phases(): string {
  return Array.from({ length: 7 }, (_, index) => {
    const angle = Math.PI * (1.14 + (index / 6) * 0.72)
    const [x, y] = [600 + 470 * Math.cos(angle), 660 + 520 * Math.sin(angle)]
    const r = 25 - Math.abs(3 - index) * 2
    const shift = (index - 3) * r * 0.62
    const moon =
      circle(x, y, r, `fill="${ink.foilLight}"`) +
      grooves({ cx: x, cy: y, r }, 0.3, index + 3) +
      (index === 3
        ? circle(x, y, 5, `fill="${ink.red}"`)
        : circle(x - shift, y, r * 1.02, `fill="${mix(ink.ground, ink.wine, 0.5)}"`))
    return (
      using(clip(circle(x, y, r, '')), (url) => group(`clip-path="${url}"`, moon)) +
      circle(x, y, r, `fill="none" stroke="${ink.foilLight}" stroke-width="1.4" stroke-opacity=".8"`)
    )
  }).join('')
}

export function palmReader(): string {
  const eye = { cx: 600, cy: 786, r: 112 }
  const back = radial([600, 690], 800, [
    [0, mix(ink.ember, ink.red, 0.25)],
    [0.42, ink.wine],
    [1, ink.ground],
  ])
  const skin = linear(
    [420, 300],
    [800, 1100],
    [
      [0, '#1d120b'],
      [0.6, '#0e0a07'],
      [1, '#150d08'],
    ],
  )
  const handClip = mix(ink.foil, ink.foilLight, 0.4)
  return sleeve(
    4,
    using(back, (url) => rect(0, 0, SLEEVE, SLEEVE, `fill="${url}"`)),
    starTrails({ cx: 600, cy: 690, r: 300 }, 1.5, 3, 14, 1.2),
    Array.from({ length: 13 }, (_, index) =>
      ray(-150 + index * 25, index % 2 ? 470 : 540, index + 5, '#0d2826', ink.foilDark),
    ).join(''),
    Array.from({ length: 12 }, (_, index) =>
      ray(-137.5 + index * 25, 420, index + 50, mix(ink.tealDeep, ink.tealNight, index % 2 ? 0.1 : 0.35), ink.foilDeep),
    ).join(''),
    halo({ cx: 600, cy: 690, r: 150 }, 2.2, 0.35),
    phases(),
    hand(7, handClip),
    hand(2.5, '#0b0705'),
    skin.defs,
    hand(0, skin.url),
    handLines(),
    creases(),
    halo(eye, 1.9, 0.55),
    sunDisc(eye, { seed: 3, turn: -1.1, ember: 0.7 }),
  )
}

/** Engraving is cut by the hand's own shape: strokes cannot clip, so a mask does it. */
function handLines(): string {
  return `<mask id="hand" maskUnits="userSpaceOnUse" x="0" y="0" width="${SLEEVE}" height="${SLEEVE}">${hand(0, '#ffffff')}</mask>${group('mask="url(#hand)"', engraving())}`
}
