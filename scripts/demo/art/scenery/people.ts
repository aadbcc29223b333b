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
  const solid = (d: string): string => path(d, `fill="${body}"`)
  const common =
    solid('M-10 -50Q-13 -24 -15 -2L-17 0H-5L-4 -22L0 -40L5 -22L6 0H18L16 -3Q13 -24 10 -50Z') +
    solid('M-11 -82Q0 -87 11 -82Q14 -72 12 -60L11 -43Q0 -40 -11 -43L-12 -60Q-14 -72 -11 -82Z') +
    solid(
      'M0 -102.6C4.4 -102.6 6.4 -99 6 -94.6C5.6 -90.6 3.4 -88.6 3 -87.4L3.4 -82H-3.4L-3 -87.4C-3.4 -88.6 -5.6 -90.6 -6 -94.6C-6.4 -99 -4.4 -102.6 0 -102.6Z',
    )
  const kinds = {
    singer:
      solid('M-12 -98.6Q0 -95.6 12 -99L6.8 -101Q7 -108.4 0 -108.4T-6.8 -101Z') +
      limb('M-10 -78L-18 -64L-5 -76', 5.6) +
      limb('M10 -79L21 -92L27 -109', 5.2) +
      limb('M27 -109l1 -4M-6 -86L3 0M-8 0H13', 2.2) +
      solid('M-9.4 -90a3.6 3.6 0 1 1 5 5l-2 1z'),
    guitar:
      solid('M-7 -99Q0 -107 7 -99Q10 -90 9.4 -77L6 -81L5 -92H-5L-6 -80L-9.4 -76Q-10 -90 -7 -99Z') +
      limb('M-10 -78L-19 -58L-4 -51', 5.4) +
      limb('M10 -78L22 -66L31 -67', 5.2) +
      solid('M-15 -46Q-21 -61 -6 -58Q2 -60 8 -54Q12 -44 0 -42Q-10 -36 -15 -46Z') +
      limb('M4 -54L40 -71l4 -1', 3.2),
    listener: limb('M-10 -77L-14 -60L-12 -45M10 -77L14 -60L12 -45', 5.4),
    keys:
      solid('M0 -109a11 10.6 0 1 1 -.1 0z') +
      limb('M-10 -77L-19 -60L-8 -50M10 -77L19 -60L9 -50', 5.4) +
      solid('M-36 -51H36V-45H-36Z') +
      limb('M-26 -46L20 0M26 -46L-20 0', 3.2),
  }
  const crown = {
    singer: 'M-6 -101.6Q-6 -107.8 0 -107.8M-11.4 -98.8L-7 -100.8',
    guitar: 'M-6.4 -99.4Q-3 -103.4 1 -103M-9 -78Q-9.6 -88 -7.6 -95',
    listener: 'M-5.4 -98Q-4 -102 1 -102',
    keys: 'M-10 -101Q-7 -108.4 1 -108.6',
  }[kind]
  const light = path(
    `${crown}M-11 -80.6Q-6 -83.6 -3.6 -83.8M-12.4 -70Q-12.6 -62 -11.6 -54M12 -76Q12.8 -68 11.6 -56`,
    `fill="none" stroke="${rim}" stroke-width="1.1" stroke-linecap="round"`,
  )
  return group(`transform="translate(${n(x)} ${n(y)}) scale(${height / 100})"`, common, kinds[kind], light)
}
