import { artist } from '../../artist.ts'
import { halo, starTrails, sunDisc } from '../disc.ts'
import { vignette } from '../grain.ts'
import { duskSky } from '../hero.ts'
import { ink } from '../palette.ts'
import { bridge } from '../scenery/bridge.ts'
import { palm } from '../scenery/palms.ts'
import { skyline } from '../scenery/skyline.ts'
import { water } from '../scenery/water.ts'
import { blur, ellipse, group, linear, path, rect, sheet, using } from '../svg.ts'
import { lettering } from './letters.ts'

/** The card that a shared link shows: the evening of the hero and the artist's name in drawn capitals. */
export function openGraph(): string {
  const [width, height, horizon] = [1200, 630, 372]
  const disc = { cx: 838, cy: 262, r: 212 }
  const calm = linear(
    [0, 330],
    [0, height],
    [
      [0, ink.ground, 0],
      [0.45, ink.ground, 0.72],
      [1, ink.ground, 0.96],
    ],
  )
  const foil = linear(
    [0, 0],
    [0, 100],
    [
      [0, ink.cream],
      [0.5, ink.foilLight],
      [0.54, ink.foilDeep],
      [1, ink.foilLight],
    ],
  )

  const tall = Math.min(104, (104 * 1080) / lettering(artist.name, 104, '').width)
  return sheet(
    width,
    height,
    rect(0, 0, width, height, `fill="${ink.ground}"`),
    duskSky(width, horizon, disc.cx),
    starTrails(disc, 1.08, 3.4, 41, 0.8),
    halo(disc, 2, 0.6),
    sunDisc(disc, { seed: 12, horizon: horizon + 20, hole: ink.wine }),
    skyline({
      from: 960,
      to: 1230,
      base: horizon,
      profile: (s) => 20 + 110 * Math.sin(Math.PI * (0.1 + 0.7 * s)) ** 2,
      body: '#1a0c07',
      haze: '#4a2010',
      lightX: disc.cx,
      lit: 0.3,
      seed: 17,
      grid: 6,
    }),
    skyline({
      from: 420,
      to: 780,
      base: horizon,
      profile: (s) => 8 + 22 * s,
      body: '#2a120c',
      haze: '#5a2412',
      lightX: disc.cx,
      lit: 0.2,
      seed: 5,
      grid: 5,
    }),
    water({
      x: 0,
      y: horizon,
      width,
      height: height - horizon,
      seed: 3,
      far: '#3b1d10',
      lights: [
        { x: disc.cx, reach: 210, power: 1 },
        { x: 1080, reach: 120, power: 0.4 },
      ],
    }),
    using(blur(8, 4), (url) =>
      ellipse(disc.cx, horizon, 290, 5, `fill="${ink.foilLight}" fill-opacity=".8" filter="${url}"`),
    ),
    bridge({
      from: [-380, horizon - 4],
      crest: [800, 302],
      to: [1750, horizon + 4],
      water: horizon + 18,
      pylons: [0.49, 0.63],
      rise: 160,
      body: '#0d0906',
      cable: ink.foilLight,
      deck: 11,
    }),
    palm({
      foot: [1150, 660],
      crown: [1124, 150],
      bend: 34,
      reach: 146,
      thickness: 22,
      seed: 21,
      body: '#0a0705',
      rim: ink.foil,
      lightAngle: Math.PI * 0.86,
    }),
    using(calm, (url) => rect(0, 330, width, height - 330, `fill="${url}"`)),
    vignette(width, height, 0.45),
    foil.defs,
    group(`transform="translate(60 ${height - 62 - tall})"`, lettering(artist.name, tall, foil.url).shapes),
    path(`M60 ${height - 92 - tall}h64`, `stroke="${ink.red}" stroke-width="6"`),
  )
}
