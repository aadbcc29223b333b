import { along } from '../palette.ts'
import { n, path } from '../svg.ts'

/** A direction or place: x to the right, y up, z towards the camera. */
export type Vector = readonly [x: number, y: number, z: number]

export const dot = (a: Vector, b: Vector): number => a[0] * b[0] + a[1] * b[1] + a[2] * b[2]
export const scale = (a: Vector, by: number): Vector => [a[0] * by, a[1] * by, a[2] * by]
export const add = (a: Vector, b: Vector): Vector => [a[0] + b[0], a[1] + b[1], a[2] + b[2]]
const unit = (a: Vector): Vector => scale(a, 1 / Math.hypot(...a))

/** Turns a place around z, then x, then y (radians). */
export function turned([x, y, z]: Vector, spin: number, tilt: number, yaw: number): Vector {
  const [x1, y1] = [x * Math.cos(spin) - y * Math.sin(spin), x * Math.sin(spin) + y * Math.cos(spin)]
  const [y2, z2] = [y1 * Math.cos(tilt) - z * Math.sin(tilt), y1 * Math.sin(tilt) + z * Math.cos(tilt)]
  return [x1 * Math.cos(yaw) + z2 * Math.sin(yaw), y2, z2 * Math.cos(yaw) - x1 * Math.sin(yaw)]
}

const between = (low: number, high: number, value: number): number => {
  const share = Math.min(1, Math.max(0, (value - low) / (high - low)))
  return share * share * (3 - 2 * share)
}

/** The photographer's studio as polished metal sees it: light arriving from a direction. */
function studio(from: Vector): number {
  const [x, y, z] = from
  const overhead = 1.5 * between(0.42, 0.62, y) * between(0.78, 0.5, Math.abs(x + 0.18)) * between(-0.75, -0.2, z)
  const strip = 1.9 * between(-0.58, -0.74, x) * between(0.6, 0.3, Math.abs(y - 0.05))
  const fill = 0.75 * between(0.55, 0.82, x) * between(0.75, 0.2, Math.abs(y + 0.1))
  const spark = 9 * between(0.972, 0.992, dot(from, unit([0.5, 0.62, 0.6])))
  const wall = 0.2 * between(-0.1, 0.5, y)
  const floor = 0.26 * between(-0.05, -0.28, y) * between(-1.05, -0.55, y)
  return 0.035 + overhead + strip + fill + spark + wall + floor
}

/** Polished gold from unlit to burnt out: its shadows are brown and only its lights are yellow. */
const gold = ['#0a0402', '#3a1c07', '#7a4712', '#b97a24', '#e3ae4c', '#f8d98c', '#fff3cd', '#ffffff'] as const

/** What the camera sees of gold whose surface faces `normal`: the studio in its mirror, brighter at grazing angles. */
function goldColour(normal: Vector, view: Vector, shade: number): string {
  const facing = Math.max(0, dot(normal, view))
  const mirror = add(scale(normal, 2 * dot(normal, view)), scale(view, -1))
  const light = (studio(unit(mirror)) * (1 + 0.6 * (1 - facing) ** 4) + 0.08 * Math.max(0, normal[1])) * shade
  return along(gold, (1 - Math.exp(-light * 0.95)) ** 0.8)
}

/** A patch of a surface: its four corners in order and the direction that it faces. */
export type Facet = { corners: readonly [Vector, Vector, Vector, Vector]; normal: Vector; shade: number }
export type Camera = { centre: readonly [x: number, y: number]; zoom: number; distance: number }

/** Where a place falls on the sheet. */
export function project([x, y, z]: Vector, camera: Camera): [number, number] {
  const near = camera.distance / (camera.distance - z)
  return [camera.centre[0] + x * camera.zoom * near, camera.centre[1] - y * camera.zoom * near]
}

/** Facets that face the camera, far ones first, each a hair larger than it is so that no seam shows. */
export function metal(facets: readonly Facet[], camera: Camera): string {
  return facets
    .map(({ corners, normal, shade }) => {
      const middle = scale(corners.reduce(add), 0.25)
      return { corners, normal, shade, middle, view: unit(add([0, 0, camera.distance], scale(middle, -1))) }
    })
    .filter(({ normal, view }) => dot(normal, view) > -0.06)
    .sort((a, b) => a.middle[2] - b.middle[2])
    .map(({ corners, normal, shade, middle, view }) => {
      const [cx, cy] = project(middle, camera)
      const outline = corners.map((corner) => {
        const [x, y] = project(corner, camera)
        const away = Math.hypot(x - cx, y - cy) || 1
        return `${n(x + ((x - cx) / away) * 0.9)} ${n(y + ((y - cy) / away) * 0.9)}`
      })
      return path(`M${outline.join('L')}Z`, `fill="${goldColour(normal, view, shade)}"`)
    })
    .join('')
}

/** Facets of a surface given by a place and a direction for each (u, v) from 0 to 1. */
export function surface(
  across: number,
  around: number,
  at: (u: number, v: number) => { place: Vector; normal: Vector; shade?: number },
): Facet[] {
  const facets: Facet[] = []
  for (let i = 0; i < across; i++) {
    for (let j = 0; j < around; j++) {
      const [u, v, s, t] = [i / across, j / around, (i + 1) / across, (j + 1) / around]
      const centre = at((u + s) / 2, (v + t) / 2)
      facets.push({
        corners: [at(u, v).place, at(s, v).place, at(s, t).place, at(u, t).place],
        normal: centre.normal,
        shade: centre.shade ?? 1,
      })
    }
  }
  return facets
}
