import { ink } from '../palette.ts'
import { bezier, circle, group, n, type Point, path, polygon } from '../svg.ts'

export type Bridge = {
  from: Point
  crest: Point
  to: Point
  /** The waterline that the piers stand in. */
  water: number
  /** Places of the two pylons along the deck (0 to 1) and their height above it. */
  pylons: readonly [number, number]
  rise: number
  body: string
  cable: string
  /** Thickness of the deck at its thickest. */
  deck: number
}

/** A long causeway that climbs to a cable-stayed span: gold stays in two fans, lamps along the road. */
export function bridge(span: Bridge): string {
  // The crest is a point of the road; the Bezier curve needs the point that pulls the road up to it.
  const pull: Point = [
    2 * span.crest[0] - (span.from[0] + span.to[0]) / 2,
    2 * span.crest[1] - (span.from[1] + span.to[1]) / 2,
  ]
  const road = (share: number): Point => bezier(span.from, pull, span.to, share)
  const steps = 90
  const shares = Array.from({ length: steps + 1 }, (_, index) => index / steps)
  const reach = (span.pylons[1] - span.pylons[0]) * 0.485
  let stays = ''
  let faint = ''
  let masts = ''
  let edges = ''
  for (const place of span.pylons) {
    const [x, y] = road(place)
    const top = y - span.rise
    for (let index = 1; index <= 21; index++) {
      const anchor = top + span.rise * (0.04 + 0.021 * (21 - index))
      for (const side of [-1, 1]) {
        const [dx, dy] = road(place + side * reach * (index / 21))
        const stay = `M${n(x)} ${n(anchor)}L${n(dx)} ${n(dy)}`
        stays += stay
        if (index % 2) faint += stay
      }
    }
    const half = span.deck * 0.36
    masts += polygon([
      [x - half * 1.25, span.water],
      [x - half * 0.55, top],
      [x + half * 0.55, top],
      [x + half * 1.25, span.water],
    ])
    edges += `M${n(x + half * 0.5)} ${n(top + 2)}L${n(x + half * 1.2)} ${n(span.water)}`
  }
  let piers = ''
  let lamps = ''
  let lampPosts = ''
  for (const share of shares) {
    const [x, y] = road(share)
    const size = 0.35 + 0.65 * Math.sin(Math.PI * Math.min(1, Math.max(0, share)))
    const clear = Math.abs(share - (span.pylons[0] + span.pylons[1]) / 2) < (span.pylons[1] - span.pylons[0]) / 2
    if (!clear && Math.round(share * steps) % 2 === 0 && span.water - y > 6) {
      const half = Math.max(1.4, span.deck * 0.16 * size)
      piers += polygon([
        [x - half, y],
        [x + half, y],
        [x + half, span.water],
        [x - half, span.water],
      ])
    }
    if (Math.round(share * steps) % 3 === 0) {
      lampPosts += `M${n(x)} ${n(y)}v${n(-span.deck * 0.9 * size)}`
      lamps +=
        circle(x, y - span.deck * 0.9 * size, 1.3 + 1.5 * size, `fill="${ink.cream}"`) +
        circle(x, y - span.deck * 0.9 * size, 6 + 5 * size, `fill="${ink.foilLight}" fill-opacity=".22"`)
    }
  }
  const upper = shares.map((share) => road(share))
  const lower = shares.map((share): Point => {
    const [x, y] = road(share)
    return [x, y + span.deck * (0.3 + 0.7 * Math.sin(Math.PI * share))]
  })
  return group(
    '',
    path(stays, `fill="none" stroke="${span.body}" stroke-width="3.4" stroke-opacity=".8"`),
    path(faint, `fill="none" stroke="${span.cable}" stroke-width="1.7" stroke-opacity=".95"`),
    path(piers, `fill="${span.body}"`),
    path(masts, `fill="${span.body}"`),
    path(edges, `fill="none" stroke="${span.cable}" stroke-width="1.8" stroke-opacity=".75"`),
    path(polygon([...upper, ...lower.reverse()]), `fill="${span.body}"`),
    path(
      `M${upper.map(([x, y]) => `${n(x)} ${n(y)}`).join('L')}`,
      `fill="none" stroke="${span.cable}" stroke-width="2.2" stroke-opacity=".8"`,
    ),
    path(lampPosts, `stroke="${span.body}" stroke-width="1.6"`),
    lamps,
  )
}
