import { ink } from '../palette.ts'
import { bezier, circle, linear, n, type Point, path, polygon, using } from '../svg.ts'

/** A beam of stage light from a lamp, wider and fainter as it goes. */
export function beam(from: Point, to: Point, width: number, tone: string, strength: number): string {
  const angle = Math.atan2(to[1] - from[1], to[0] - from[0]) + Math.PI / 2
  const [dx, dy] = [Math.cos(angle), Math.sin(angle)]
  const cone = (wide: number): string =>
    polygon([
      [from[0] - dx * 3, from[1] - dy * 3],
      [from[0] + dx * 3, from[1] + dy * 3],
      [to[0] + dx * wide, to[1] + dy * wide],
      [to[0] - dx * wide, to[1] - dy * wide],
    ])
  const fade = linear(from, to, [
    [0, tone, strength],
    [0.4, tone, strength * 0.4],
    [1, tone, 0],
  ])
  return (
    using(fade, (url) => path(cone(width), `fill="${url}"`) + path(cone(width * 0.4), `fill="${url}"`)) +
    circle(from[0], from[1], 4, `fill="${ink.cream}"`) +
    circle(from[0], from[1], 11, `fill="${tone}" fill-opacity=".5"`)
  )
}

/** Bulbs on a slack wire. */
export function bulbs(from: Point, to: Point, sag: number, count: number, size: number): string {
  const bend: Point = [(from[0] + to[0]) / 2, (from[1] + to[1]) / 2 + sag * 2]
  const lamps = Array.from({ length: count }, (_, index) => {
    const [x, y] = bezier(from, bend, to, (index + 0.5) / count)
    return (
      circle(x, y + size, size * 3.2, `fill="${ink.amber}" fill-opacity=".2"`) +
      circle(x, y + size, size * 1.7, `fill="${ink.foilLight}" fill-opacity=".35"`) +
      circle(x, y + size, size, `fill="${ink.cream}"`)
    )
  }).join('')
  return (
    path(
      `M${n(from[0])} ${n(from[1])}Q${n(bend[0])} ${n(bend[1])} ${n(to[0])} ${n(to[1])}`,
      'fill="none" stroke="#050302" stroke-width="2"',
    ) + lamps
  )
}

/** Courses of brick over a box, as mortar lines. */
export function brickwork(x: number, y: number, width: number, height: number, course: number): string {
  let d = ''
  for (let row = 0; row * course < height; row++) {
    const top = y + row * course
    d += `M${n(x)} ${n(top)}h${n(width)}`
    for (let at = row % 2 ? course * 1.3 : 0; at < width; at += course * 2.6)
      d += `M${n(x + at)} ${n(top)}v${n(course)}`
  }
  return d
}

/** Bulbs along a line, each with its glow. */
export function bulbRow(from: Point, to: Point, count: number, size: number): string {
  return Array.from({ length: count }, (_, index) => {
    const share = index / (count - 1)
    const [x, y] = [from[0] + (to[0] - from[0]) * share, from[1] + (to[1] - from[1]) * share]
    return (
      circle(x, y, size * 2.6, `fill="${ink.amber}" fill-opacity=".3"`) +
      circle(x, y, size, `fill="${index % 3 ? ink.cream : ink.foilLight}"`)
    )
  }).join('')
}
