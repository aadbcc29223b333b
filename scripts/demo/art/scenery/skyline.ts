import { ink, mix } from '../palette.ts'
import { type Random, random } from '../random.ts'
import { group, linear, n, type Point, path, polygon, rect } from '../svg.ts'

export type Skyline = {
  from: number
  to: number
  /** The waterline. */
  base: number
  /** The height of the roofs at a place along the shore (0 to 1), in pixels. */
  profile: (share: number) => number
  body: string
  /** Colour of the haze at the foot of the buildings. */
  haze: string
  /** Where the light stands; the walls that face it get a gold edge. */
  lightX: number
  /** Share of windows that are lit. */
  lit: number
  seed: number
  /** Size of a window and its grid. */
  grid?: number
}

type Tower = { outline: Point[]; windows: string; edge: string; extras: string }

/** An onion dome with its finial on a slender shaft, as on the old hotel by the river. */
export function minaret(x: number, base: number, height: number, fill: string, edge: string): string {
  const w = height * 0.11
  const neck = base - height * 0.62
  const top = base - height
  const dome = `M${n(x - w * 0.8)} ${n(neck)}C${n(x - w * 2.1)} ${n(neck - height * 0.13)} ${n(x - w * 0.5)} ${n(neck - height * 0.2)} ${n(x)} ${n(top + height * 0.08)}C${n(x + w * 0.5)} ${n(neck - height * 0.2)} ${n(x + w * 2.1)} ${n(neck - height * 0.13)} ${n(x + w * 0.8)} ${n(neck)}Z`
  return (
    rect(x - w * 0.62, neck, w * 1.24, base - neck, `fill="${fill}"`) +
    rect(x - w * 1.05, neck - 1.5, w * 2.1, 3, `fill="${fill}"`) +
    path(dome, `fill="${fill}" stroke="${edge}" stroke-width="1" stroke-opacity=".7"`) +
    path(`M${n(x)} ${n(top + height * 0.1)}V${n(top)}`, `stroke="${edge}" stroke-width="1.4"`)
  )
}

function tower(x: number, width: number, height: number, line: Skyline, chance: Random): Tower {
  const { base } = line
  const roof = base - height
  const kind = chance.pick(['flat', 'step', 'spire', 'slant', 'crown', 'flat'])
  const inset = width * chance.between(0.14, 0.26)
  const outline: Point[] = [[x, base]]
  let extras = ''
  if (kind === 'step')
    outline.push(
      [x, roof + height * 0.2],
      [x + inset, roof + height * 0.2],
      [x + inset, roof],
      [x + width - inset, roof],
      [x + width - inset, roof + height * 0.14],
      [x + width, roof + height * 0.14],
    )
  else if (kind === 'slant') outline.push([x, roof + width * 0.5], [x + width, roof])
  else if (kind === 'spire') {
    outline.push([x, roof + width * 0.35], [x + width / 2, roof], [x + width, roof + width * 0.35])
    extras = path(`M${n(x + width / 2)} ${n(roof)}v${n(-height * 0.16)}`, `stroke="${line.body}" stroke-width="2"`)
  } else if (kind === 'crown') {
    outline.push([x, roof], [x + inset, roof - 7], [x + width - inset, roof - 7], [x + width, roof])
    extras = path(
      `M${n(x + inset * 1.4)} ${n(roof - 7)}v${n(-height * 0.11)}`,
      `stroke="${line.body}" stroke-width="1.6"`,
    )
  } else outline.push([x, roof], [x + width, roof])
  outline.push([x + width, base])
  const grid = line.grid ?? 9
  let windows = ''
  for (let wy = roof + height * 0.24; wy < base - grid; wy += grid * 1.25) {
    const floorLit = chance.chance(0.12) ? 2.4 : 1
    for (let wx = x + grid * 0.55; wx < x + width - grid * 0.7; wx += grid)
      if (chance.chance(line.lit * floorLit))
        windows += `M${n(wx)} ${n(wy)}h${n(grid * 0.46)}v${n(grid * 0.58)}h${n(-grid * 0.46)}z`
  }
  const lightFromLeft = line.lightX < x + width / 2
  const wall = lightFromLeft ? x + 0.8 : x + width - 0.8
  return {
    outline,
    windows,
    edge: `M${n(wall)} ${n(base)}V${n((lightFromLeft ? outline[1]?.[1] : outline.at(-2)?.[1]) ?? roof)}`,
    extras,
  }
}

/** A shore of towers with lit windows, its feet in haze. */
export function skyline(line: Skyline): string {
  const chance = random(line.seed)
  const towers: Tower[] = []
  for (let x = line.from; x < line.to; ) {
    const share = (x - line.from) / (line.to - line.from)
    const height = Math.max(8, line.profile(share) * chance.between(0.55, 1.08))
    const width = Math.min(line.to - x, Math.max(18, height * chance.between(0.22, 0.5)))
    towers.push(tower(x, width, height, line, chance))
    x += width + (chance.chance(0.35) ? chance.between(1, 9) : -chance.between(0, 4))
  }
  const highest = Math.max(...towers.flatMap(({ outline }) => outline.map(([, y]) => line.base - y)))
  const wall = linear(
    [0, line.base - highest],
    [0, line.base],
    [
      [0, line.body],
      [0.55, line.body],
      [1, line.haze],
    ],
  )
  const tones = [ink.foilLight, ink.foil, ink.cream, mix(ink.teal, ink.ivory, 0.3)]
  return (
    wall.defs +
    towers
      .map(
        ({ outline, extras }) =>
          path(polygon(outline), `fill="${wall.url}" stroke="${line.body}" stroke-width="1.2"`) + extras,
      )
      .join('') +
    group(
      '',
      ...towers.map(({ windows }, index) =>
        path(
          windows || 'M0 0',
          `fill="${tones[index % 7 === 3 ? 3 : index % 3] ?? ink.foil}" fill-opacity="${n(0.55 + (index % 4) * 0.12)}"`,
        ),
      ),
    ) +
    path(
      towers.map(({ edge }) => edge).join(''),
      `stroke="${ink.foilLight}" stroke-width="1.3" stroke-opacity=".55" fill="none"`,
    )
  )
}
