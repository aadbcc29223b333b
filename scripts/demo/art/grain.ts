import { circle, linear, pattern, radial, rect, using } from './svg.ts'

/**
 * Printed grain over the whole sheet. It also hides the steps of dark gradients, for which WebP has few shades.
 * A tile is computed once and repeated, which costs a third of noise over the full picture.
 */
export function grain(width: number, height: number, strength = 0.3, seed = 7): string {
  const noise =
    `<filter id="grain${seed}" x="0" y="0" width="1" height="1"><feTurbulence type="fractalNoise" stitchTiles="stitch" baseFrequency=".72" numOctaves="2" seed="${seed}"/>` +
    '<feColorMatrix values=".7 .7 0 0 -.2  .7 .7 0 0 -.2  .7 .7 0 0 -.2  0 0 0 0 1"/></filter>'
  const tile = pattern(480, 480, `${noise}<rect width="480" height="480" filter="url(#grain${seed})"/>`)
  return using(tile, (url) =>
    rect(0, 0, width, height, `fill="${url}" opacity="${strength}" style="mix-blend-mode:soft-light"`),
  )
}

/** Darkens the corners towards the ground, as a printed plate does. */
export function vignette(width: number, height: number, strength = 0.6): string {
  const reach = Math.hypot(width, height) / 2
  return using(
    radial([width / 2, height / 2], reach, [
      [0.45, '#050403', 0],
      [1, '#050403', strength],
    ]),
    (url) => rect(0, 0, width, height, `fill="${url}"`),
  )
}

/**
 * What time leaves on a record sleeve: the ring that the record pressed into the board, a worn spine and a soft sheen.
 * Drawn over all six covers, so that they read as one shelf.
 */
export function sleeveWear(size: number): string {
  const centre = size / 2
  const ring = (r: number, width: number, opacity: number): string =>
    circle(
      centre,
      centre,
      r,
      `fill="none" stroke="#fff1cf" stroke-width="${width}" stroke-opacity="${opacity}" stroke-dasharray="${r * 0.9} ${r * 0.35} ${r * 1.6} ${r * 0.2}"`,
    )
  const sheen = linear(
    [0, 0],
    [size, size],
    [
      [0, '#fff6dc', 0.07],
      [0.3, '#fff6dc', 0],
      [0.72, '#000000', 0],
      [1, '#000000', 0.28],
    ],
  )
  const spine = linear(
    [0, 0],
    [26, 0],
    [
      [0, '#000000', 0.6],
      [0.35, '#fff1cf', 0.16],
      [0.5, '#000000', 0.3],
      [1, '#000000', 0],
    ],
  )
  return (
    ring(size * 0.474, 5, 0.035) +
    ring(size * 0.466, 1.6, 0.06) +
    ring(size * 0.166, 3, 0.025) +
    using(sheen, (url) => rect(0, 0, size, size, `fill="${url}"`)) +
    using(spine, (url) => rect(0, 0, 26, size, `fill="${url}"`))
  )
}
