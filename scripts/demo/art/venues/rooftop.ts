import { halo, starTrails, sunDisc } from '../disc.ts'
import { grain, vignette } from '../grain.ts'
import { ink, mix } from '../palette.ts'
import { bulbs } from '../scenery/lights.ts'
import { palm } from '../scenery/palms.ts'
import { crowd, player } from '../scenery/people.ts'
import { skyline } from '../scenery/skyline.ts'
import { linear, n, path, radial, rect, sheet, using } from '../svg.ts'

/** A roof terrace above the towers, under strings of bulbs and a low gold moon. */
export function rooftop(): string {
  const [width, height, edge] = [960, 640, 438]
  const moon = { cx: 690, cy: 196, r: 104 }
  const sky = linear(
    [0, 0],
    [0, edge],
    [
      [0, '#05090b'],
      [0.55, ink.tealNight],
      [0.85, mix(ink.tealDeep, ink.ember, 0.45)],
      [1, mix(ink.ember, ink.amber, 0.3)],
    ],
  )
  const deck = linear(
    [0, edge],
    [0, height],
    [
      [0, '#4a2412'],
      [0.4, '#27120b'],
      [1, '#0b0504'],
    ],
  )
  const pool = radial(
    [470, 500],
    360,
    [
      [0, ink.foilLight, 0.5],
      [0.5, ink.amber, 0.18],
      [1, ink.amber, 0],
    ],
    0.3,
  )
  const boards = Array.from(
    { length: 23 },
    (_, index) => `M${n(480 + (index - 11) * 52)} ${edge}L${n(480 + (index - 11) * 150)} ${height}`,
  ).join('')
  const rails = `M0 396H${width}M0 ${edge - 2}H${width}${Array.from({ length: 97 }, (_, index) => `M${index * 10} 396V${edge}`).join('')}`
  const planter = (x: number): string =>
    path(`M${x - 46} 556L${x - 38} 622H${x + 38}L${x + 46} 556Z`, 'fill="#0c0605"') +
    path(`M${x - 46} 556H${x + 46}`, `stroke="${ink.foil}" stroke-width="2.4"`)
  return sheet(
    width,
    height,
    using(sky, (url) => rect(0, 0, width, edge + 2, `fill="${url}"`)),
    starTrails(moon, 1.15, 5, 9, 0.9),
    halo(moon, 2.3, 0.42),
    sunDisc(moon, { seed: 8, turn: -0.8, ember: 0.5 }),
    skyline({
      from: -20,
      to: 980,
      base: edge + 10,
      profile: (s) => 110 + 70 * Math.sin(s * 7),
      body: '#11292b',
      haze: '#5a2b18',
      lightX: moon.cx,
      lit: 0.26,
      seed: 3,
      grid: 7,
    }),
    skyline({
      from: -20,
      to: 470,
      base: edge + 10,
      profile: (s) => 300 - 250 * s,
      body: '#0a1618',
      haze: '#2a1710',
      lightX: moon.cx,
      lit: 0.36,
      seed: 12,
      grid: 10,
    }),
    skyline({
      from: 800,
      to: 990,
      base: edge + 10,
      profile: (s) => 60 + 250 * s,
      body: '#0a1416',
      haze: '#2a1710',
      lightX: moon.cx,
      lit: 0.34,
      seed: 4,
      grid: 10,
    }),
    using(deck, (url) => rect(0, edge, width, height - edge, `fill="${url}"`)),
    path(boards, 'stroke="#0a0403" stroke-width="1.8" stroke-opacity=".7"'),
    using(pool, (url) => rect(60, edge, 840, 202, `fill="${url}"`)),
    path(rails, 'stroke="#060303" stroke-width="2"'),
    path(`M0 395H${width}`, `stroke="${ink.foil}" stroke-width="1.6"`),
    path('M330 508H620L640 540H310Z', 'fill="#0c0605"'),
    path('M330 508H620', `stroke="${ink.foilLight}" stroke-width="2"`),
    path('M342 452h40v56h-40zM568 452h40v56h-40z', 'fill="#0a0504" stroke="#5b3a12" stroke-width="1.4"'),
    path(
      'M362 468a8 8 0 1 1 -.1 0M362 488a12 12 0 1 1 -.1 0M588 468a8 8 0 1 1 -.1 0M588 488a12 12 0 1 1 -.1 0',
      `fill="none" stroke="${ink.foil}" stroke-width="1.8"`,
    ),
    player(436, 508, 104, 'singer', '#0a0504'),
    player(512, 508, 100, 'keys', '#0a0504'),
    bulbs([-20, 110], [360, 60], 62, 15, 4),
    bulbs([360, 60], [980, 130], 84, 22, 4),
    bulbs([-20, 250], [500, 120], 70, 17, 3.4),
    bulbs([500, 120], [980, 300], 70, 17, 3.4),
    path('M360 56V440M500 116V440', 'stroke="#060303" stroke-width="4"'),
    crowd({ from: 110, to: 300, base: 598, head: 25, seed: 6, body: '#0c0605', rim: ink.foil, raised: 0.14 }),
    crowd({ from: 650, to: 850, base: 598, head: 25, seed: 7, body: '#0c0605', rim: ink.foil, raised: 0.14 }),
    crowd({ from: 180, to: 800, base: 662, head: 34, seed: 16, body: '#070303', rim: ink.foil, raised: 0.22 }),
    palm({
      foot: [62, 570],
      crown: [78, 330],
      bend: -14,
      reach: 112,
      thickness: 16,
      seed: 6,
      body: '#060404',
      rim: ink.foil,
      lightAngle: -0.2,
    }),
    planter(62),
    palm({
      foot: [900, 570],
      crown: [884, 350],
      bend: 14,
      reach: 108,
      thickness: 16,
      seed: 26,
      body: '#060404',
      rim: ink.foil,
      lightAngle: Math.PI * 1.1,
    }),
    planter(900),
    vignette(width, height, 0.6),
    grain(width, height, 0.34),
  )
}
