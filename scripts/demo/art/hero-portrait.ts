import { halo, starTrails, sunDisc } from './disc.ts'
import { grain, vignette } from './grain.ts'
import { cloudBars, duskSky } from './hero.ts'
import { ink } from './palette.ts'
import { bridge } from './scenery/bridge.ts'
import { palm } from './scenery/palms.ts'
import { minaret, skyline } from './scenery/skyline.ts'
import { water } from './scenery/water.ts'
import { blur, ellipse, linear, rect, sheet, using } from './svg.ts'

/** The same evening held upright for a phone; the lowest third is left calm for the name. */
export function heroPortrait(): string {
  const [width, height, horizon] = [1080, 1500, 816]
  const disc = { cx: 560, cy: 540, r: 385 }
  const calm = linear(
    [0, 940],
    [0, height],
    [
      [0, ink.ground, 0],
      [0.6, ink.ground, 0.82],
      [1, ink.ground, 1],
    ],
  )
  return sheet(
    width,
    height,
    rect(0, 0, width, height, `fill="${ink.ground}"`),
    duskSky(width, horizon, 300),
    starTrails(disc, 1.07, 2.6, 23, 1.1),
    halo(disc, 1.9, 0.6),
    sunDisc(disc, { seed: 12, horizon: horizon + 40, hole: ink.wine }),
    cloudBars([
      { x: 240, y: 690, half: 330, thick: 15, tone: ink.ember, opacity: 0.75 },
      { x: 900, y: 662, half: 330, thick: 13, tone: ink.ember, opacity: 0.7 },
      { x: 620, y: 764, half: 480, thick: 16, tone: ink.wine, opacity: 0.85 },
    ]),
    skyline({
      from: -10,
      to: 430,
      base: horizon,
      profile: (s) => 22 + 50 * Math.sin(s * 3),
      body: '#2a120c',
      haze: '#5a2412',
      lightX: disc.cx,
      lit: 0.22,
      seed: 5,
      grid: 6,
    }),
    skyline({
      from: 640,
      to: 1100,
      base: horizon,
      profile: (s) => 30 + 190 * Math.sin(Math.PI * (0.05 + 0.72 * s)) ** 2,
      body: '#180b07',
      haze: '#4a2010',
      lightX: disc.cx,
      lit: 0.34,
      seed: 17,
      grid: 8,
    }),
    [0, 1, 2, 3, 4]
      .map((index) => minaret(232 + index * 28, horizon, 76 - Math.abs(2 - index) * 11, '#1c0c08', ink.foil))
      .join(''),
    water({
      x: 0,
      y: horizon,
      width,
      height: height - horizon,
      seed: 3,
      far: '#3b1d10',
      lights: [
        { x: disc.cx, reach: 330, power: 1 },
        { x: 900, reach: 180, power: 0.4 },
      ],
    }),
    using(blur(12, 4), (url) =>
      ellipse(disc.cx, horizon, 480, 8, `fill="${ink.foilLight}" fill-opacity=".8" filter="${url}"`),
    ),
    bridge({
      from: [-700, horizon - 20],
      crest: [560, 672],
      to: [1900, horizon - 20],
      water: horizon + 30,
      pylons: [0.405, 0.585],
      rise: 330,
      body: '#0d0906',
      cable: ink.foilLight,
      deck: 19,
    }),
    palm({
      foot: [1040, 1560],
      crown: [986, 330],
      bend: 70,
      reach: 290,
      thickness: 42,
      seed: 21,
      body: '#0a0705',
      rim: ink.foil,
      lightAngle: Math.PI * 0.86,
    }),
    palm({
      foot: [-30, 1500],
      crown: [40, 760],
      bend: -60,
      reach: 210,
      thickness: 30,
      seed: 33,
      body: '#080604',
      rim: ink.foil,
      lightAngle: 0,
    }),
    using(calm, (url) => rect(0, 900, width, height - 900, `fill="${url}"`)),
    vignette(width, height, 0.5),
    grain(width, height, 0.34),
  )
}
