import { along, foilRamp, ink, mix } from './palette.ts'
import { random } from './random.ts'
import { circle, clip, group, linear, n, path, radial, rect, using } from './svg.ts'

export type Disc = { cx: number; cy: number; r: number }

/** Light around the disc, falling off into the night. */
export function halo({ cx, cy, r }: Disc, reach = 2.6, strength = 1, squash = 1): string {
  return using(
    radial(
      [cx, cy],
      r * reach,
      [
        [0, ink.foilLight, 0.95 * strength],
        [0.38, ink.amber, 0.5 * strength],
        [0.55, ink.red, 0.24 * strength],
        [0.76, ink.ember, 0.1 * strength],
        [1, ink.ember, 0],
      ],
      squash,
    ),
    (url) => rect(cx - r * reach, cy - r * reach, r * reach * 2, r * reach * 2, `fill="${url}"`),
  )
}

/** Brightness (0 to 1) of spun metal at an angle: two opposite fans of light and fainter ones between, as grooves reflect a lamp. */
function spunLight(angle: number, turn: number): number {
  const lobe = (at: number, sharpness: number): number => Math.abs(Math.cos(angle - at)) ** sharpness
  return Math.min(
    1,
    0.34 +
      0.62 * lobe(turn, 14) +
      0.3 * lobe(turn + 0.42, 60) +
      0.22 * lobe(turn + 1.35, 22) +
      0.12 * lobe(turn - 0.7, 40),
  )
}

/** The record's metal: opaque wedges of foil, each overlapping the next so that no seam shows. */
function spunFoil({ cx, cy, r }: Disc, turn: number): string {
  const wedges = 300
  let shapes = ''
  for (let index = 0; index < wedges; index++) {
    const from = (index / wedges) * Math.PI * 2
    const to = from + (Math.PI * 2 * 2.2) / wedges
    const tone = along(foilRamp, 0.14 + 0.72 * spunLight(from, turn))
    shapes += path(
      `M${n(cx)} ${n(cy)}L${n(cx + r * Math.cos(from))} ${n(cy + r * Math.sin(from))}L${n(cx + r * Math.cos(to))} ${n(cy + r * Math.sin(to))}Z`,
      `fill="${tone}"`,
    )
  }
  return using(clip(circle(cx, cy, r, '')), (url) => group(`clip-path="${url}"`, shapes))
}

/** Grooves in six bands, one for each track, with the smooth gaps between that a needle is set down on. */
export function grooves(
  { cx, cy, r }: Disc,
  inner: number,
  seed: number,
  tone: string = ink.foilDark,
  strength = 1,
): string {
  const chance = random(seed)
  const count = Math.max(14, Math.round((r * (1 - inner)) / 5.2))
  let shapes = ''
  for (let index = 0; index < count; index++) {
    const share = index / (count - 1)
    const radius = r * (inner + (0.985 - inner) * share)
    const gap = Math.abs(((share * 6) % 1) - 0.5) > 0.46 && share > 0.05 && share < 0.95
    if (gap)
      shapes += circle(cx, cy, radius, `stroke="${ink.cream}" stroke-opacity="${n(0.5 * strength)}" stroke-width="2.4"`)
    else
      shapes += circle(
        cx,
        cy,
        radius,
        `stroke="${tone}" stroke-opacity="${(chance.between(0.18, 0.62) * strength).toFixed(2)}" stroke-width="${n(chance.between(0.8, 2.2))}"`,
      )
  }
  return group('fill="none"', shapes)
}

/** The paper label: sunset red with a gold rim and the spindle hole. */
function label({ cx, cy, r }: Disc, hole: string): string {
  const paper = linear(
    [cx, cy - r * 0.31],
    [cx, cy + r * 0.31],
    [
      [0, mix(ink.red, ink.amber, 0.35)],
      [0.55, ink.red],
      [1, ink.ember],
    ],
  )
  return (
    circle(cx, cy, r * 0.335, `fill="${ink.foilDark}" fill-opacity=".55"`) +
    using(paper, (url) => circle(cx, cy, r * 0.305, `fill="${url}"`)) +
    circle(cx, cy, r * 0.305, `fill="none" stroke="${ink.foilLight}" stroke-width="${n(r * 0.008)}"`) +
    circle(
      cx,
      cy,
      r * 0.272,
      `fill="none" stroke="${ink.foilLight}" stroke-opacity=".55" stroke-width="${n(r * 0.004)}"`,
    ) +
    circle(cx, cy, r * 0.13, `fill="none" stroke="${ink.wine}" stroke-opacity=".5" stroke-width="${n(r * 0.004)}"`) +
    circle(cx, cy, r * 0.026, `fill="${hole}" stroke="${ink.foilLight}" stroke-width="${n(r * 0.007)}"`)
  )
}

/** The grooved sun: a gold record lit like a setting sun, cream above and ember towards `horizon` (a y of the sheet). */
export function sunDisc(
  disc: Disc,
  options: { seed: number; turn?: number; horizon?: number; hole?: string; ember?: number },
): string {
  const { cx, cy, r } = disc
  const low = options.horizon ?? cy + r
  const dusk = linear(
    [cx, cy - r],
    [cx, low],
    [
      [0, ink.cream, 0.3],
      [0.3, ink.foil, 0],
      [0.62, ink.amber, 0.42 * (options.ember ?? 1)],
      [0.86, ink.red, 0.66 * (options.ember ?? 1)],
      [1, ink.ember, 0.8 * (options.ember ?? 1)],
    ],
  )
  return (
    spunFoil(disc, options.turn ?? -0.95) +
    grooves(disc, 0.35, options.seed) +
    using(dusk, (url) => circle(cx, cy, r, `fill="${url}"`)) +
    label(disc, options.hole ?? ink.ground) +
    circle(cx, cy, r - 2, `fill="none" stroke="${ink.foilLight}" stroke-opacity=".85" stroke-width="3.5"`)
  )
}

/** A night sky as a long exposure: stars draw arcs around the disc, which makes the whole sky one record. */
export function starTrails({ cx, cy, r }: Disc, from: number, to: number, seed: number, density = 1): string {
  const chance = random(seed)
  let shapes = ''
  for (let radius = r * from; radius < r * to; radius += chance.between(4, 11) / density) {
    const fade = 1 - (radius / r - from) / (to - from)
    const arcs = 1 + Math.floor(chance.next() * 3)
    for (let index = 0; index < arcs; index++) {
      const start = chance.between(0, Math.PI * 2)
      const sweep = chance.between(0.12, 0.75)
      const end = start + sweep
      const tone = chance.pick([ink.foilLight, ink.foil, ink.ivory, ink.amber, ink.teal])
      shapes += path(
        `M${n(cx + radius * Math.cos(start))} ${n(cy + radius * Math.sin(start))}A${n(radius)} ${n(radius)} 0 0 1 ${n(cx + radius * Math.cos(end))} ${n(cy + radius * Math.sin(end))}`,
        `stroke="${tone}" stroke-width="${n(chance.between(0.7, 2.3))}" stroke-opacity="${(chance.between(0.12, 0.6) * (0.15 + 0.85 * fade)).toFixed(2)}"`,
      )
    }
  }
  return group('fill="none" stroke-linecap="round"', shapes)
}
