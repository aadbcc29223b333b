import { along } from '../palette.ts'
import { random } from '../random.ts'
import { blur, group, n, path, using } from '../svg.ts'

/** Smooth noise over the plane from -1 to 1, with features about one unit wide. */
export function noise2(seed: number): (x: number, y: number) => number {
  const value = (x: number, y: number): number => random(seed * 7919 + x * 374761 + y * 668265).next() * 2 - 1
  return (x, y) => {
    const [ix, iy] = [Math.floor(x), Math.floor(y)]
    const ease = (share: number): number => share * share * (3 - 2 * share)
    const [sx, sy] = [ease(x - ix), ease(y - iy)]
    const top = value(ix, iy) * (1 - sx) + value(ix + 1, iy) * sx
    const low = value(ix, iy + 1) * (1 - sx) + value(ix + 1, iy + 1) * sx
    return top * (1 - sy) + low * sy
  }
}

export type Field = {
  width: number
  height: number
  cell: number
  ramp: readonly string[]
  levels?: number
  /** The field reaches the sheet's edges. */
  bleeds?: boolean
  tone: (x: number, y: number) => number
}

/**
 * A softly shaded field: `tone` (0 to 1) picks from the ramp at every cell, cells of one tone share a path, and a blur
 * of a cell's width joins them. Cloth needs shading that no gradient of SVG describes.
 */
export function shaded({ width, height, cell, ramp, levels = 64, bleeds = false, tone }: Field): string {
  const rows = new Map<number, string>()
  for (let y = -cell * 5; y < height + cell * 5; y += cell) {
    let run = { level: -1, from: 0 }
    const close = (x: number): void => {
      if (run.level >= 0)
        rows.set(run.level, `${rows.get(run.level) ?? ''}M${n(run.from)} ${n(y)}H${n(x)}v${cell}H${n(run.from)}z`)
    }
    for (let x = -cell * 5; x < width + cell * 5; x += cell) {
      const level = Math.round(Math.min(1, Math.max(0, tone(x + cell / 2, y + cell / 2))) * (levels - 1))
      if (level !== run.level) {
        close(x)
        run = { level, from: x }
      }
    }
    close(width + cell * 5)
  }
  const shapes = [...rows].map(([level, d]) => path(d, `fill="${along(ramp, level / (levels - 1))}"`)).join('')
  // The renderer blurs only what lies on the sheet, which would fade the edges: the sharp field lies below.
  return (bleeds ? shapes : '') + using(blur(cell * 0.9, 0.02), (url) => group(`filter="${url}"`, shapes))
}

/** Velvet from above: it is dark where it faces the eye and bright along the sides of its folds. */
export function velvet(
  width: number,
  height: number,
  seed: number,
  ramp: readonly string[],
  light: readonly [x: number, y: number],
  folds = 1,
): string {
  const wide = noise2(seed)
  const fine = noise2(seed + 1)
  // Drapes run from upper right to lower left: broad swells with a few sharper crests among them.
  const lie = (x: number, y: number): number => {
    const across = (x * 0.82 + y * 0.57) / 165 + wide(x / 520, y / 520) * 1.5
    const crest = 1 - Math.abs(Math.sin(across * 0.62 + 0.5))
    return (Math.sin(across) * 40 + crest ** 2.2 * 62 + wide(x / 130, y / 190) * 9) * folds
  }
  return shaded({
    width,
    height,
    cell: 8,
    ramp,
    bleeds: true,
    tone: (x, y) => {
      const slopeX = (lie(x + 4, y) - lie(x - 4, y)) / 8
      const slopeY = (lie(x, y + 4) - lie(x, y - 4)) / 8
      const steep = Math.hypot(slopeX, slopeY)
      const sheen = (1 - 1 / Math.sqrt(1 + steep * steep * 24)) * (slopeX * 0.7 + slopeY > 0 ? 1 : 0.35)
      const fall = Math.exp(-(((x - light[0]) / (width * 0.55)) ** 2 + ((y - light[1]) / (height * 0.55)) ** 2))
      return (0.15 + sheen * 1.75) * (0.22 + 0.95 * fall) + fall * 0.06 + fine(x / 30, y / 30) * 0.012
    },
  })
}
