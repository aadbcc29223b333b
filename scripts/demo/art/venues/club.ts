import { halo, sunDisc } from '../disc.ts'
import { grain, vignette } from '../grain.ts'
import { ink } from '../palette.ts'
import { beam } from '../scenery/lights.ts'
import { crowd, player } from '../scenery/people.ts'
import { blur, circle, ellipse, group, linear, path, radial, rect, sheet, using } from '../svg.ts'

/** A drum kit as a dark shape with lit rims. */
function drums(x: number, y: number): string {
  const rim = `fill="none" stroke="${ink.foilLight}" stroke-width="2"`
  return group(
    `transform="translate(${x} ${y})"`,
    circle(0, -40, 40, 'fill="#0b0504"'),
    circle(0, -40, 40, rim),
    circle(0, -40, 30, 'fill="none" stroke="#5b3a12" stroke-width="1.4"'),
    ellipse(-30, -92, 24, 17, 'fill="#0b0504"'),
    ellipse(30, -92, 24, 17, 'fill="#0b0504"'),
    path('M-54 -96a24 8 0 0 0 48 0M6 -96a24 8 0 0 0 48 0', rim),
    rect(-92, -62, 40, 36, 'rx="4" fill="#0b0504"'),
    rect(52, -66, 46, 56, 'rx="4" fill="#0b0504"'),
    path('M-92 -61h40M52 -65h46', rim),
    path('M-78 -26L-86 0M-66 -26L-58 0M-96 -118L-84 0M100 -126L88 0', 'stroke="#0b0504" stroke-width="4"'),
    path(
      'M-138 -112Q-96 -130 -54 -116Q-96 -118 -138 -112ZM58 -122Q100 -140 144 -118Q100 -126 58 -122Z',
      `fill="${ink.foil}"`,
    ),
  )
}

/** A low club: the disc as backdrop, beams through the haze, a band in outline. */
export function club(): string {
  const [width, height] = [960, 640]
  const disc = { cx: 480, cy: 270, r: 196 }
  const back = radial([480, 290], 620, [
    [0, '#5a1d12'],
    [0.45, '#220c0a'],
    [1, '#080505'],
  ])
  const haze = linear(
    [0, 300],
    [0, 500],
    [
      [0, ink.amber, 0],
      [0.7, ink.amber, 0.22],
      [1, ink.red, 0.3],
    ],
  )
  const truss = (y: number): string => {
    let d = `M0 ${y}H${width}M0 ${y + 22}H${width}`
    for (let x = 0; x < width; x += 22) d += `M${x} ${y + 22}l11 -22l11 22`
    return path(d, 'fill="none" stroke="#0a0605" stroke-width="3.4"')
  }
  const lamps = [110, 230, 350, 610, 730, 850] as const
  return sheet(
    width,
    height,
    using(back, (url) => rect(0, 0, width, height, `fill="${url}"`)),
    halo(disc, 1.9, 0.55),
    sunDisc(disc, { seed: 14, turn: -1.2 }),
    using(haze, (url) => rect(0, 300, width, 220, `fill="${url}"`)),
    truss(34),
    lamps
      .map((x, index) =>
        beam(
          [x, 62],
          [480 + (x - 480) * 0.25 + (index % 2 ? 70 : -70), 560],
          62,
          [ink.foilLight, ink.red, ink.teal][index % 3] ?? ink.foil,
          0.8,
        ),
      )
      .join(''),
    [40, 920].map((x) => beam([x, 62], [x < 480 ? 260 : 700, 600], 70, ink.teal, 0.6)).join(''),
    player(610, 470, 138, 'listener', '#0b0504'),
    drums(610, 482),
    player(330, 486, 176, 'guitar'),
    player(470, 488, 190, 'singer', '#0a0504', ink.cream),
    path('M196 486h66v-92h-66zM700 486h66v-92h-66z', 'fill="#0a0504" stroke="#5b3a12" stroke-width="1.6"'),
    [229, 733]
      .map(
        (x) =>
          circle(x, 440, 25, 'fill="#050302" stroke="#9a6a22" stroke-width="2"') + circle(x, 440, 8, 'fill="#9a6a22"'),
      )
      .join(''),
    path('M0 486H960V640H0Z', 'fill="#0a0504"'),
    path('M0 486H960', `stroke="${ink.foilLight}" stroke-width="2.6" stroke-opacity=".9"`),
    using(blur(18, 3), (url) => ellipse(480, 492, 420, 16, `fill="${ink.amber}" fill-opacity=".5" filter="${url}"`)),
    crowd({ from: -20, to: 980, base: 600, head: 27, seed: 24, body: '#120706', rim: ink.foil, raised: 0.4 }),
    crowd({ from: -20, to: 980, base: 662, head: 40, seed: 13, body: '#070303', rim: ink.foilLight, raised: 0.46 }),
    vignette(width, height, 0.65),
    grain(width, height, 0.36),
  )
}
