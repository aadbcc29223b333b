import { ink } from '../palette.ts'
import { random } from '../random.ts'
import { group, n, path } from '../svg.ts'

export type Crowd = {
  from: number
  to: number
  /** The lower edge that the crowd stands behind. */
  base: number
  /** Height of a head in pixels. */
  head: number
  seed: number
  body: string
  /** Colour of the stage light on hair, shoulders and arms. */
  rim: string
  /** Share of people with raised arms. */
  raised: number
}

/** A row of people seen from behind, some with their arms in the light. */
export function crowd({ from, to, base, head, seed, body, rim, raised }: Crowd): string {
  const chance = random(seed)
  let bodies = ''
  let arms = ''
  let rims = ''
  for (let x = from; x < to; x += head * chance.between(1.25, 2.1)) {
    const size = head * chance.between(0.86, 1.12)
    const top = base - size * chance.between(2.1, 2.9)
    const [w, shoulder, lean] = [size * 0.37, top + size * 1.3, size * chance.between(-0.12, 0.12)]
    const at = (dx: number, dy: number): string =>
      `${n(x + lean * (1 - Math.min(1, dy / 1.3)) + dx * w)} ${n(top + dy * size)}`
    bodies += `M${at(0, 0)}C${at(0.8, 0)} ${at(1.12, 0.26)} ${at(1.04, 0.52)}C${at(0.98, 0.76)} ${at(0.72, 0.9)} ${at(0.52, 1)}L${at(0.56, 1.16)}C${at(1.3, 1.26)} ${at(2.2, 1.3)} ${at(2.4, 1.75)}L${n(x + w * 2.5)} ${n(base + 4)}H${n(x - w * 2.5)}L${at(-2.4, 1.75)}C${at(-2.2, 1.3)} ${at(-1.3, 1.26)} ${at(-0.56, 1.16)}L${at(-0.52, 1)}C${at(-0.72, 0.9)} ${at(-0.98, 0.76)} ${at(-1.04, 0.52)}C${at(-1.12, 0.26)} ${at(-0.8, 0)} ${at(0, 0)}Z`
    rims += `M${at(-0.98, 0.36)}C${at(-0.9, 0.12)} ${at(-0.5, 0)} ${at(0, 0)}S${at(0.9, 0.12)} ${at(0.98, 0.36)}M${at(-2.2, 1.5)}Q${at(-1.9, 1.34)} ${at(-1.1, 1.25)}M${at(2.2, 1.5)}Q${at(1.9, 1.34)} ${at(1.1, 1.25)}`
    for (const side of [-1, 1]) {
      if (!chance.chance(raised)) continue
      const hand = [x + side * size * chance.between(0.6, 1.3), top - size * chance.between(0.7, 1.7)] as const
      const d = `M${n(x + side * w * 2)} ${n(shoulder + size * 0.4)}Q${n(x + side * size * 1.35)} ${n(top + size * 0.5)} ${n(hand[0])} ${n(hand[1])}`
      arms += `${d}l${n(side * size * 0.02)} ${n(-size * 0.1)}`
      rims += `M${n(hand[0] - size * 0.13)} ${n(hand[1])}q${n(size * 0.1)} ${n(-size * 0.24)} ${n(size * 0.26)} 0`
    }
  }
  return group(
    '',
    path(
      arms,
      `fill="none" stroke="${body}" stroke-width="${n(head * 0.29)}" stroke-linecap="round" stroke-linejoin="round"`,
    ),
    path(bodies, `fill="${body}"`),
    path(
      rims,
      `fill="none" stroke="${rim}" stroke-width="${n(Math.max(1, head * 0.05))}" stroke-opacity=".5" stroke-linecap="round"`,
    ),
  )
}

/** A player on a stage in a few strokes; the feet stand on (x, y). `kind` says what is played. */
export function player(
  x: number,
  y: number,
  height: number,
  kind: 'singer' | 'guitar' | 'keys' | 'listener',
  body: string = '#0a0504',
  rim: string = ink.foilLight,
): string {
  const limb = (d: string, width: number): string =>
    path(d, `fill="none" stroke="${body}" stroke-width="${width}" stroke-linecap="round" stroke-linejoin="round"`)
  const common =
    limb('M-4 -48L-10 -22L-9 0M4 -48L9 -24L13 0', 8.5) +
    path('M-10 -80Q0 -86 10 -80L8 -44H-8Z', `fill="${body}"`) +
    path('M0 -101a7.4 8.4 0 1 1 -.1 0zM-3 -88h6v8h-6z', `fill="${body}"`)
  const kinds = {
    singer: limb('M-9 -77L-17 -62L-4 -74', 5.4) + limb('M9 -77L22 -90L30 -108', 5.4) + limb('M-7 -84L2 0M-8 0H12', 2),
    guitar:
      limb('M-9 -77L-17 -58L-4 -52', 5.4) +
      limb('M9 -77L20 -64L30 -66', 5.4) +
      path('M-14 -46Q-20 -60 -6 -58Q2 -60 8 -54Q12 -44 0 -42Q-10 -36 -14 -46Z', `fill="${body}"`) +
      limb('M4 -54L38 -70', 3.6),
    listener: limb('M-9 -77L-13 -60L-12 -44M9 -77L13 -60L11 -44', 5.4),
    keys: limb('M-9 -77L-18 -60L-6 -50M9 -77L18 -60L8 -50', 5.4) + limb('M-34 -47H34M-26 -46L20 0M26 -46L-20 0', 4.6),
  }
  const light = path(
    'M-6.4 -97Q-4 -101.6 1 -101M-10 -79Q-4 -84 0 -83.6M9.6 -79L8.6 -60',
    `fill="none" stroke="${rim}" stroke-width="1.6" stroke-linecap="round"`,
  )
  return group(`transform="translate(${n(x)} ${n(y)}) scale(${height / 100})"`, common, kinds[kind], light)
}
