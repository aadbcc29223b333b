import { grooves } from '../disc.ts'
import { along, foilRamp, ink } from '../palette.ts'
import { circle, group, n, path } from '../svg.ts'
import { type Camera, type Facet, metal, project, surface, turned, type Vector } from './metal.ts'

export type Pose = { spin: number; tilt: number; yaw: number; camera: Camera; across?: number; around?: number }

/** The clip: an open hoop of radius 1 that ends in a bead and in a small gold record. */
const TUBE = 0.115
const OPEN = { from: 0.5, to: Math.PI * 2 - 0.42 }
const BEAD = 0.185
const RECORD = 0.29

const onHoop = (angle: number, out = 1): Vector => [Math.cos(angle) * out, Math.sin(angle) * out, 0]

/** The hoop and its bead as facets turned into the pose. `keep` picks a part of the hoop by its share (0 to 1) of the way round. */
function facets({ spin, tilt, yaw, across = 300, around = 52 }: Pose): Facet[] {
  const turn = (v: Vector): Vector => turned(v, spin, tilt, yaw)
  const hoop = surface(across, around, (u, v) => {
    const angle = OPEN.from + (OPEN.to - OPEN.from) * u
    const roll = v * Math.PI * 2
    // The tube narrows towards its ends and carries a soft edge along its outer side, as a forged wire does.
    const thick = TUBE * (0.72 + 0.28 * Math.sin(Math.PI * Math.min(1, Math.max(0, u))) ** 0.5)
    const normal: Vector = [Math.cos(roll) * Math.cos(angle), Math.cos(roll) * Math.sin(angle), Math.sin(roll)]
    const [cx, cy] = onHoop(angle)
    return { place: turn([cx + normal[0] * thick, cy + normal[1] * thick, normal[2] * thick]), normal: turn(normal) }
  })
  const [bx, by] = onHoop(OPEN.from - 0.05)
  const bead = surface(Math.round(across / 5), Math.round(across / 3.4), (u, v) => {
    const [polar, round] = [u * Math.PI, v * Math.PI * 2]
    const normal: Vector = [Math.sin(polar) * Math.cos(round), Math.sin(polar) * Math.sin(round), Math.cos(polar)]
    return { place: turn([bx + normal[0] * BEAD, by + normal[1] * BEAD, normal[2] * BEAD]), normal: turn(normal) }
  })
  return [...hoop, ...bead]
}

/** The small record at the other end: its rim as facets of metal, its face spun and grooved. */
function record(pose: Pose, turnOfLight: number): string {
  const { spin, tilt, yaw, camera } = pose
  const turn = (v: Vector): Vector => turned(v, spin, tilt, yaw)
  const [cx, cy] = onHoop(OPEN.to + 0.12, 1.02)
  const deep = 0.05
  const rim = surface(150, 5, (u, v) => {
    const round = u * Math.PI * 2
    const normal: Vector = [Math.cos(round), Math.sin(round), 0.25]
    return {
      place: turn([cx + Math.cos(round) * RECORD, cy + Math.sin(round) * RECORD, -deep + deep * 2 * v]),
      normal: turn(normal),
    }
  })
  const edge = (x: number, y: number): [number, number] =>
    project(turn([cx + x * RECORD, cy + y * RECORD, deep]), camera)
  const [right, left, up, down] = [edge(1, 0), edge(-1, 0), edge(0, 1), edge(0, -1)]
  const centre = [(right[0] + left[0] + up[0] + down[0]) / 4, (right[1] + left[1] + up[1] + down[1]) / 4] as const
  const matrix = [right[0] - left[0], right[1] - left[1], up[0] - down[0], up[1] - down[1]].map((value) =>
    (value / 200).toFixed(4),
  )
  return (
    metal(rim, camera) +
    group(`transform="matrix(${matrix.join(' ')} ${n(centre[0])} ${n(centre[1])})"`, face(turnOfLight))
  )
}

/** The face of the small record, drawn with a radius of 100. */
function face(turnOfLight: number): string {
  let wedges = ''
  for (let index = 0; index < 180; index++) {
    const [from, to] = [(index / 180) * Math.PI * 2, ((index + 2.2) / 180) * Math.PI * 2]
    const light =
      0.2 +
      0.72 * Math.abs(Math.cos(from - turnOfLight)) ** 9 +
      0.3 * Math.abs(Math.cos(from - turnOfLight - 1.2)) ** 30
    wedges += path(
      `M0 0L${n(99 * Math.cos(from))} ${n(99 * Math.sin(from))}L${n(99 * Math.cos(to))} ${n(99 * Math.sin(to))}Z`,
      `fill="${along(foilRamp, light)}"`,
    )
  }
  return (
    wedges +
    grooves({ cx: 0, cy: 0, r: 100 }, 0.4, 11, '#2a1604') +
    circle(0, 0, 98.5, `fill="none" stroke="#fff3c9" stroke-width="2.6" stroke-opacity=".85"`) +
    circle(0, 0, 34, `fill="${ink.foilDeep}" stroke="#fff0bd" stroke-width="1.6"`) +
    circle(0, 0, 27, `fill="none" stroke="#fff0bd" stroke-width="1" stroke-opacity=".6"`) +
    circle(0, 0, 6, 'fill="#140903" stroke="#fff0bd" stroke-width="1.4"')
  )
}

/** The clip in its pose, as a camera sees it. `part` keeps facets by their depth, for what lies out of focus. */
export function noseClip(
  pose: Pose,
  options: { turnOfLight?: number; part?: (depth: number) => boolean; withRecord?: boolean } = {},
): string {
  const part = options.part
  const kept = facets(pose).filter(({ corners }) => !part || part(corners[0][2]))
  return metal(kept, pose.camera) + (options.withRecord === false ? '' : record(pose, options.turnOfLight ?? 0.7))
}

/** The clip's outline in one flat tone, for its shadow: laid down at `drop` pixels from the clip. */
export function clipShadow(
  pose: Pose,
  drop: readonly [number, number],
  tone: string,
  opacity: number,
  wider = 1,
): string {
  const { spin, tilt, yaw, camera } = pose
  const [cx, cy] = onHoop(OPEN.to + 0.12, 1.02)
  const spot = (v: Vector): string =>
    project(turned(v, spin, tilt, yaw), camera)
      .map(n)
      .join(' ')
  const line = Array.from({ length: 90 }, (_, index) =>
    spot(onHoop(OPEN.from - 0.08 + ((OPEN.to - OPEN.from + 0.1) * index) / 89)),
  ).join('L')
  const disc = Array.from({ length: 40 }, (_, index) =>
    spot([cx + RECORD * Math.cos((index / 40) * Math.PI * 2), cy + RECORD * Math.sin((index / 40) * Math.PI * 2), 0]),
  ).join('L')
  return group(
    `transform="translate(${drop[0]} ${drop[1]})" opacity="${opacity}"`,
    path(
      `M${line}`,
      `fill="none" stroke="${tone}" stroke-width="${n(TUBE * 2 * camera.zoom * wider)}" stroke-linecap="round"`,
    ),
    path(`M${disc}Z`, `fill="${tone}"`),
  )
}
