/** The few words of SVG that the pictures are written in. All lengths are pixels of the master raster. */

/** A coordinate as short text: one decimal is finer than a printed dot. */
export const n = (value: number): string => String(Math.round(value * 10) / 10)

/** A definition to be written once near its use, and the reference that paints with it. */
export type Paint = { defs: string; url: string }
export type Stop = readonly [offset: number, colour: string, opacity?: number]
export type Point = readonly [x: number, y: number]

/** Names a definition by its own content, so that equal definitions share a name and no counter is kept. */
function named(markup: (id: string) => string): Paint {
  let hash = 0x811c9dc5
  for (const character of markup('')) hash = Math.imul(hash ^ character.charCodeAt(0), 0x01000193) >>> 0
  const id = `d${hash.toString(36)}`
  return { defs: `<defs>${markup(id)}</defs>`, url: `url(#${id})` }
}

const stopList = (stops: readonly Stop[]): string =>
  stops
    .map(
      ([offset, colour, opacity = 1]) =>
        `<stop offset="${offset}" stop-color="${colour}"${opacity === 1 ? '' : ` stop-opacity="${opacity}"`}/>`,
    )
    .join('')

/** A gradient from one point to another of the sheet. */
export const linear = ([x1, y1]: Point, [x2, y2]: Point, stops: readonly Stop[]): Paint =>
  named(
    (id) =>
      `<linearGradient id="${id}" gradientUnits="userSpaceOnUse" x1="${n(x1)}" y1="${n(y1)}" x2="${n(x2)}" y2="${n(y2)}">${stopList(stops)}</linearGradient>`,
  )

/** A gradient around a point of the sheet; `squash` below 1 makes it wider than high. */
export const radial = ([cx, cy]: Point, r: number, stops: readonly Stop[], squash = 1): Paint =>
  named(
    (id) =>
      `<radialGradient id="${id}" gradientUnits="userSpaceOnUse" cx="0" cy="0" r="${n(r)}" gradientTransform="translate(${n(cx)} ${n(cy)}) scale(1 ${squash})">${stopList(stops)}</radialGradient>`,
  )

/**
 * Gaussian blur. `margin` is the share of the shape's own box that the blur may spread into. In sRGB, because eight
 * linear bits leave dark colours a handful of steps.
 */
export const blur = (deviation: number, margin = 0.5): Paint =>
  named(
    (id) =>
      `<filter id="${id}" x="${-margin}" y="${-margin}" width="${1 + 2 * margin}" height="${1 + 2 * margin}" color-interpolation-filters="sRGB"><feGaussianBlur stdDeviation="${deviation}"/></filter>`,
  )

/** Keeps what is drawn inside the given shapes. */
export const clip = (shapes: string): Paint => named((id) => `<clipPath id="${id}">${shapes}</clipPath>`)

/** Shows what is drawn where the given shapes are light. */
export const mask = (shapes: string): Paint =>
  named((id) => `<mask id="${id}" maskUnits="userSpaceOnUse" x="0" y="0" width="100%" height="100%">${shapes}</mask>`)

export const pattern = (width: number, height: number, shapes: string): Paint =>
  named(
    (id) => `<pattern id="${id}" width="${width}" height="${height}" patternUnits="userSpaceOnUse">${shapes}</pattern>`,
  )

/** A paint's definition followed by the shapes that use its reference. */
export const using = (paint: Paint, shapes: (url: string) => string): string => paint.defs + shapes(paint.url)

export const rect = (x: number, y: number, width: number, height: number, rest: string): string =>
  `<rect x="${n(x)}" y="${n(y)}" width="${n(width)}" height="${n(height)}" ${rest}/>`
export const circle = (cx: number, cy: number, r: number, rest: string): string =>
  `<circle cx="${n(cx)}" cy="${n(cy)}" r="${n(r)}" ${rest}/>`
export const ellipse = (cx: number, cy: number, rx: number, ry: number, rest: string): string =>
  `<ellipse cx="${n(cx)}" cy="${n(cy)}" rx="${n(rx)}" ry="${n(ry)}" ${rest}/>`
export const path = (d: string, rest: string): string => `<path d="${d}" ${rest}/>`
export const group = (rest: string, ...shapes: string[]): string => `<g ${rest}>${shapes.join('')}</g>`

export const polygon = (points: readonly Point[]): string => `M${points.map(([x, y]) => `${n(x)} ${n(y)}`).join('L')}Z`
export const polyline = (points: readonly Point[]): string => `M${points.map(([x, y]) => `${n(x)} ${n(y)}`).join('L')}`

/** A smooth line through every point (Catmull-Rom as Bezier curves). */
export function curve(points: readonly Point[], closed = false): string {
  const count = points.length
  const at = (index: number): Point =>
    points[closed ? (index + count) % count : Math.min(count - 1, Math.max(0, index))] ?? [0, 0]
  let d = `M${n(at(0)[0])} ${n(at(0)[1])}`
  for (let index = 0; index < (closed ? count : count - 1); index++) {
    const [before, from, to, after] = [at(index - 1), at(index), at(index + 1), at(index + 2)]
    d += `C${n(from[0] + (to[0] - before[0]) / 6)} ${n(from[1] + (to[1] - before[1]) / 6)} ${n(to[0] - (after[0] - from[0]) / 6)} ${n(to[1] - (after[1] - from[1]) / 6)} ${n(to[0])} ${n(to[1])}`
  }
  return closed ? `${d}Z` : d
}

/** The point at `share` (0 to 1) of a quadratic Bezier curve. */
export function bezier(from: Point, bend: Point, to: Point, share: number): Point {
  const rest = 1 - share
  return [
    rest * rest * from[0] + 2 * rest * share * bend[0] + share * share * to[0],
    rest * rest * from[1] + 2 * rest * share * bend[1] + share * share * to[1],
  ]
}

/** A whole picture. */
export const sheet = (width: number, height: number, ...layers: string[]): string =>
  `<svg xmlns="http://www.w3.org/2000/svg" width="${width}" height="${height}" viewBox="0 0 ${width} ${height}">${layers.join('')}</svg>`
