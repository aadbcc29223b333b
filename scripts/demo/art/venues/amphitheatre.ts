import { halo, sunDisc } from '../disc.ts'
import { grain, vignette } from '../grain.ts'
import { cloudBars } from '../hero.ts'
import { ink, mix } from '../palette.ts'
import { beam } from '../scenery/lights.ts'
import { palm } from '../scenery/palms.ts'
import { crowd, player } from '../scenery/people.ts'
import { skyline } from '../scenery/skyline.ts'
import { water } from '../scenery/water.ts'
import { blur, ellipse, linear, n, path, radial, rect, sheet, using } from '../svg.ts'

/** A stage under sails at the edge of the bay; the last light stands behind it. */
export function amphitheatre(): string {
  const [width, height, shore] = [960, 640, 372]
  const disc = { cx: 236, cy: 318, r: 106 }
  const sky = linear(
    [0, 0],
    [0, shore],
    [
      [0, '#08090c'],
      [0.5, mix(ink.tealNight, ink.wine, 0.45)],
      [1, mix(ink.ember, ink.amber, 0.25)],
    ],
  )
  const sail = linear(
    [0, 120],
    [0, 410],
    [
      [0, ink.ivory],
      [0.35, ink.foilLight],
      [0.75, ink.amber],
      [1, ink.ember],
    ],
  )
  const glow = radial(
    [560, 410],
    250,
    [
      [0, '#fff1c4', 0.95],
      [0.35, ink.foil, 0.75],
      [0.75, ink.ember, 0.4],
      [1, ink.ember, 0],
    ],
    0.6,
  )
  const peaks = [400, 560, 720] as const
  const canopy =
    'M270 398C330 350 372 262 400 168C440 262 500 236 560 112C620 236 680 262 720 168C748 262 790 350 850 398C800 372 760 362 720 372C668 346 612 342 560 352C508 342 452 346 400 372C360 362 320 372 270 398Z'
  const ribs = peaks
    .map((x, index) =>
      [-1, -0.5, 0.5, 1]
        .map(
          (side) =>
            `M${x} ${index === 1 ? 112 : 168}Q${n(x + side * 34)} ${index === 1 ? 262 : 290} ${n(x + side * 86)} ${index === 1 ? 350 : 376}`,
        )
        .join(''),
    )
    .join('')
  const masts = peaks.map((x, index) => `M${x} ${index === 1 ? 92 : 150}V470`).join('')
  return sheet(
    width,
    height,
    using(sky, (url) => rect(0, 0, width, height, `fill="${url}"`)),
    halo(disc, 2.4, 0.6),
    sunDisc(disc, { seed: 3, horizon: shore + 20 }),
    cloudBars([
      { x: 330, y: 318, half: 260, thick: 9, tone: ink.wine, opacity: 0.8 },
      { x: 700, y: 250, half: 240, thick: 8, tone: ink.wine, opacity: 0.6 },
    ]),
    skyline({
      from: 560,
      to: 980,
      base: shore,
      profile: (s) => 20 + 100 * Math.sin(s * 2.6) ** 2,
      body: '#150b0a',
      haze: '#3a1a10',
      lightX: disc.cx,
      lit: 0.34,
      seed: 6,
      grid: 6,
    }),
    water({
      x: 0,
      y: shore,
      width,
      height: 130,
      seed: 5,
      far: '#3b1d10',
      lights: [
        { x: disc.cx, reach: 110, power: 1 },
        { x: 560, reach: 150, power: 0.5 },
      ],
    }),
    using(glow, (url) => rect(300, 230, 520, 300, `fill="${url}"`)),
    path(masts, 'stroke="#0a0504" stroke-width="5"'),
    [430, 480, 530, 590, 640, 690]
      .map((x, index) =>
        beam([x, 366], [x + (index - 2.5) * 46, 560], 34, index % 3 === 1 ? ink.red : ink.foilLight, 0.75),
      )
      .join(''),
    player(560, 466, 62, 'singer'),
    player(486, 464, 56, 'guitar'),
    player(640, 464, 55, 'keys'),
    player(694, 466, 52, 'guitar'),
    path('M330 462H790L830 520H290Z', 'fill="#0d0605"'),
    path('M330 462H790', `stroke="${ink.foilLight}" stroke-width="2.5"`),
    using(sail, (url) => path(canopy, `fill="${url}"`)),
    path(ribs, `fill="none" stroke="${ink.ember}" stroke-width="1.6" stroke-opacity=".6"`),
    path(canopy, `fill="none" stroke="${ink.cream}" stroke-width="1.6" stroke-opacity=".8"`),
    path('M270 398L210 480M850 398L908 480', `stroke="${ink.foil}" stroke-width="1.4"`),
    using(blur(20, 3), (url) => ellipse(560, 520, 300, 20, `fill="${ink.foil}" fill-opacity=".5" filter="${url}"`)),
    path('M0 520Q480 486 960 520V640H0Z', 'fill="#0e0806"'),
    crowd({ from: -10, to: 980, base: 566, head: 15, seed: 4, body: '#190c08', rim: ink.foil, raised: 0.16 }),
    crowd({ from: -10, to: 980, base: 606, head: 21, seed: 9, body: '#100806', rim: ink.foil, raised: 0.2 }),
    crowd({ from: -20, to: 980, base: 654, head: 30, seed: 2, body: '#080403', rim: ink.foil, raised: 0.24 }),
    palm({
      foot: [66, 660],
      crown: [52, 236],
      bend: -26,
      reach: 118,
      thickness: 19,
      seed: 5,
      body: '#080504',
      rim: ink.foil,
      lightAngle: 0.2,
    }),
    palm({
      foot: [914, 660],
      crown: [900, 286],
      bend: 22,
      reach: 112,
      thickness: 18,
      seed: 15,
      body: '#080504',
      rim: ink.foil,
      lightAngle: Math.PI,
    }),
    vignette(width, height, 0.6),
    grain(width, height, 0.34),
  )
}
