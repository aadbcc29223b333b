import { bezier, curve, type Point, path } from '../svg.ts'

type Finger = { points: readonly [Point, Point, Point]; width: number }

export const fingers: readonly Finger[] = [
  {
    points: [
      [484, 690],
      [446, 500],
      [421, 346],
    ],
    width: 84,
  },
  {
    points: [
      [562, 670],
      [551, 440],
      [546, 258],
    ],
    width: 88,
  },
  {
    points: [
      [646, 672],
      [660, 450],
      [675, 286],
    ],
    width: 85,
  },
  {
    points: [
      [718, 700],
      [758, 545],
      [789, 420],
    ],
    width: 72,
  },
  {
    points: [
      [500, 880],
      [402, 776],
      [326, 640],
    ],
    width: 96,
  },
]

/** A finger that narrows at its joints and ends in a round tip. */
function fingerShape({ points: [root, middle, tip], width }: Finger): string {
  const left: Point[] = []
  const right: Point[] = []
  for (let index = 0; index <= 8; index++) {
    const share = index / 8
    const [x, y] = bezier(
      root,
      [2 * middle[0] - (root[0] + tip[0]) / 2, 2 * middle[1] - (root[1] + tip[1]) / 2],
      tip,
      share,
    )
    const tilt = Math.atan2(tip[1] - root[1], tip[0] - root[0]) + Math.PI / 2
    const half =
      (width / 2) * (1.04 - 0.26 * share + 0.05 * Math.cos(share * Math.PI * 5.4)) * (share > 0.99 ? 0.72 : 1)
    left.push([x - Math.cos(tilt) * half, y - Math.sin(tilt) * half])
    right.unshift([x + Math.cos(tilt) * half, y + Math.sin(tilt) * half])
  }
  const aim = Math.atan2(tip[1] - middle[1], tip[0] - middle[0])
  const end: Point = [tip[0] + Math.cos(aim) * width * 0.24, tip[1] + Math.sin(aim) * width * 0.24]
  return curve([...left, end, ...right], true)
}

/** The outline of the open hand, `grow` pixels wider than its shape; overlapping parts join into one. */
export function hand(grow: number, paint: string): string {
  const palm = curve(
    [
      [446, 640],
      [520, 618],
      [600, 610],
      [690, 626],
      [752, 676],
      [764, 780],
      [736, 890],
      [696, 970],
      [686, 1060],
      [704, 1240],
      [484, 1240],
      [500, 1060],
      [484, 970],
      [446, 890],
      [430, 760],
    ],
    true,
  )
  const edge = grow > 0 ? ` stroke="${paint}" stroke-width="${grow * 2}" stroke-linejoin="round"` : ''
  return (
    path(palm, `fill="${paint}"${edge}`) +
    fingers.map((finger) => path(fingerShape(finger), `fill="${paint}"${edge}`)).join('')
  )
}
