import { blur, clip, group, n, type Point, path, using } from '../svg.ts'
import { noise2, shaded } from './cloth.ts'

export const SIZE = 1200
const fabric = ['#030303', '#0a0908', '#141311', '#211f1b', '#322f29', '#4a453c', '#6a6355'] as const

/** A ridge in the cloth from one point to another: its half width and height in pixels; negative heights are creases. */
export type Ridge = readonly [x1: number, y1: number, x2: number, y2: number, width: number, height: number]

/** The height of the cloth over the table, from its ridges and the weave. */
function relief(ridges: readonly Ridge[]): (x: number, y: number) => number {
  const uneven = noise2(12)
  return (x, y) => {
    let height = uneven(x / 90, y / 130) * 5 + uneven(x / 34, y / 46) * 1.1
    for (const [x1, y1, x2, y2, width, rise] of ridges) {
      const [dx, dy] = [x2 - x1, y2 - y1]
      const share = Math.min(1, Math.max(0, ((x - x1) * dx + (y - y1) * dy) / (dx * dx + dy * dy)))
      const away = Math.hypot(x - x1 - dx * share, y - y1 - dy * share) / width
      if (away < 3) height += rise * Math.exp(-away * away) * Math.sin(Math.PI * (0.12 + 0.76 * share))
    }
    return height
  }
}

/** Light from the upper left over the relief. */
export const lit = (ridges: readonly Ridge[], base: number): ((x: number, y: number) => number) => {
  const height = relief(ridges)
  return (x, y) =>
    base + ((height(x + 3, y) - height(x - 3, y)) * 0.62 + (height(x, y + 3) - height(x, y - 3)) * 0.78) * 0.075
}

/** A piece of the garment: its shadow on what lies below, its shaded cloth, a dark turn at its edge and a lit one. */
export function piece(outline: string, ridges: readonly Ridge[], base = 0.3, drop = 10): string {
  const cloth = shaded({ width: SIZE, height: SIZE, cell: 6, ramp: fabric, tone: lit(ridges, base) })
  return (
    using(blur(13, 0.2), (url) =>
      group(
        `filter="${url}" transform="translate(${drop * 0.6} ${drop})"`,
        path(outline, 'fill="#000000" fill-opacity=".8"'),
      ),
    ) +
    using(clip(path(outline, '')), (inside) =>
      group(
        `clip-path="${inside}"`,
        cloth,
        using(blur(9, 0.2), (url) =>
          group(
            `filter="${url}"`,
            path(outline, 'fill="none" stroke="#000000" stroke-width="26" stroke-opacity=".75"'),
          ),
        ),
      ),
    ) +
    path(outline, 'fill="none" stroke="#5a5346" stroke-width="1.4" stroke-opacity=".45"')
  )
}

/** Knitted ribs across a band between two lines. */
export function ribs(from: readonly [Point, Point], to: readonly [Point, Point], count: number): string {
  let d = ''
  for (let index = 0; index <= count; index++) {
    const share = index / count
    d += `M${n(from[0][0] + (from[1][0] - from[0][0]) * share)} ${n(from[0][1] + (from[1][1] - from[0][1]) * share)}L${n(to[0][0] + (to[1][0] - to[0][0]) * share)} ${n(to[0][1] + (to[1][1] - to[0][1]) * share)}`
  }
  return (
    path(d, 'stroke="#000000" stroke-width="3" stroke-opacity=".6"') +
    path(d, 'stroke="#6d6555" stroke-width="1" stroke-opacity=".4" transform="translate(2.4 0)"')
  )
}

export const flip = (ridges: readonly Ridge[]): Ridge[] =>
  ridges.map(([x1, y1, x2, y2, width, height]) => [SIZE - x1, y1, SIZE - x2, y2, width, height])
export const mirrored = (shapes: string): string => group(`transform="translate(${SIZE} 0) scale(-1 1)"`, shapes)

/** A path of absolute M, C, L and Z commands turned left to right. */
export const mirrorPath = (d: string): string =>
  d.replaceAll(/([MCL ])(\d+) (\d+)/g, (_, before: string, x: string, y: string) => `${before}${SIZE - Number(x)} ${y}`)
