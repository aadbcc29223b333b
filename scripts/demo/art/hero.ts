import { halo, starTrails, sunDisc } from './disc.ts'
import { grain, vignette } from './grain.ts'
import { ink, mix } from './palette.ts'
import { bridge } from './scenery/bridge.ts'
import { palm, seaGrass } from './scenery/palms.ts'
import { minaret, skyline } from './scenery/skyline.ts'
import { water } from './scenery/water.ts'
import { blur, ellipse, linear, path, rect, sheet, using } from './svg.ts'

/** The sky from night above to embers at the horizon. */
export function duskSky(width: number, horizon: number, lightX: number): string {
  const sky = linear(
    [0, 0],
    [0, horizon],
    [
      [0, ink.ground],
      [0.45, mix(ink.ground, ink.wine, 0.4)],
      [0.8, mix(ink.wine, ink.ember, 0.35)],
      [1, mix(ink.ember, ink.red, 0.3)],
    ],
  )
  const fade = linear(
    [0, 0],
    [lightX, 0],
    [
      [0, ink.ground, 0.96],
      [0.4, ink.ground, 0.72],
      [1, ink.ground, 0],
    ],
  )
  return (
    using(sky, (url) => rect(0, 0, width, horizon + 4, `fill="${url}"`)) +
    using(fade, (url) => rect(0, 0, width, horizon + 4, `fill="${url}"`))
  )
}

/** Long bars of cloud that catch the light from below. */
export function cloudBars(
  bars: readonly { x: number; y: number; half: number; thick: number; tone: string; opacity: number }[],
): string {
  return using(blur(5, 0.8), (url) =>
    bars
      .map(({ x, y, half, thick, tone, opacity }) =>
        path(
          `M${x - half} ${y}C${x - half * 0.5} ${y - thick} ${x - half * 0.1} ${y - thick * 0.4} ${x + half * 0.15} ${y - thick * 1.1}S${x + half * 0.7} ${y - thick * 0.3} ${x + half} ${y}C${x + half * 0.5} ${y + thick * 0.45} ${x - half * 0.5} ${y + thick * 0.35} ${x - half} ${y}Z`,
          `fill="${tone}" fill-opacity="${opacity}" filter="${url}"`,
        ),
      )
      .join(''),
  )
}

/** The gold record of Tampa goes down behind the causeway; the left and the lower left stay dark for the name. */
export function hero(): string {
  const [width, height, horizon] = [2400, 1350, 872]
  const disc = { cx: 1560, cy: 600, r: 462 }
  const dark = '#0d0906'
  return sheet(
    width,
    height,
    rect(0, 0, width, height, `fill="${ink.ground}"`),
    duskSky(width, horizon, disc.cx),
    starTrails(disc, 1.08, 3.2, 41),
    halo(disc, 2.1, 0.62),
    sunDisc(disc, { seed: 12, horizon: horizon + 40, hole: ink.wine }),
    cloudBars([
      { x: 1240, y: 742, half: 420, thick: 15, tone: ink.ember, opacity: 0.75 },
      { x: 1900, y: 700, half: 380, thick: 13, tone: ink.ember, opacity: 0.7 },
      { x: 1120, y: 812, half: 520, thick: 14, tone: ink.wine, opacity: 0.85 },
      { x: 2020, y: 792, half: 460, thick: 16, tone: ink.wine, opacity: 0.85 },
    ]),
    skyline({
      from: 760,
      to: 1500,
      base: horizon,
      profile: (s) => 14 + 44 * s * (0.6 + 0.4 * Math.sin(s * 19)),
      body: '#2a120c',
      haze: '#5a2412',
      lightX: disc.cx,
      lit: 0.2,
      seed: 5,
      grid: 6,
    }),
    skyline({
      from: 1690,
      to: 2420,
      base: horizon,
      profile: (s) => 40 + 300 * Math.sin(Math.PI * (0.08 + 0.8 * s)) ** 2.2,
      body: '#2b130b',
      haze: '#6a2d14',
      lightX: disc.cx,
      lit: 0.2,
      seed: 29,
      grid: 7,
    }),
    skyline({
      from: 1780,
      to: 2420,
      base: horizon,
      profile: (s) => 30 + 235 * Math.sin(Math.PI * (0.05 + 0.62 * s)) ** 1.6,
      body: '#150a06',
      haze: '#3c1a0d',
      lightX: disc.cx,
      lit: 0.36,
      seed: 17,
      grid: 8,
    }),
    [0, 1, 2, 3, 4]
      .map((index) => minaret(1128 + index * 32, horizon, 84 - Math.abs(2 - index) * 12, '#1c0c08', ink.foil))
      .join(''),
    water({
      x: 0,
      y: horizon,
      width,
      height: height - horizon,
      seed: 3,
      far: '#3b1d10',
      lights: [
        { x: disc.cx, reach: 430, power: 1 },
        { x: 2080, reach: 260, power: 0.42 },
        { x: 1100, reach: 300, power: 0.2 },
      ],
    }),
    using(blur(14, 4), (url) =>
      ellipse(disc.cx, horizon, 620, 9, `fill="${ink.foilLight}" fill-opacity=".8" filter="${url}"`),
    ),
    bridge({
      from: [-700, horizon - 6],
      crest: [1500, 712],
      to: [3300, horizon + 10],
      water: horizon + 34,
      pylons: [0.484, 0.634],
      rise: 350,
      body: dark,
      cable: ink.foilLight,
      deck: 21,
    }),
    palm({
      foot: [2350, 1400],
      crown: [2262, 330],
      bend: 70,
      reach: 300,
      thickness: 46,
      seed: 21,
      body: '#0a0705',
      rim: ink.foil,
      lightAngle: Math.PI * 0.86,
    }),
    palm({
      foot: [2240, 1400],
      crown: [2118, 760],
      bend: 80,
      reach: 215,
      thickness: 32,
      seed: 8,
      body: '#080604',
      rim: ink.foil,
      lightAngle: Math.PI * 1.05,
    }),
    palm({
      foot: [2440, 1400],
      crown: [2400, 820],
      bend: 20,
      reach: 240,
      thickness: 36,
      seed: 33,
      body: '#080604',
      rim: ink.foil,
      lightAngle: Math.PI,
    }),
    seaGrass(1700, 2400, 1356, (s) => 20 + 150 * s * s, 15, '#070504'),
    vignette(width, height, 0.55),
    grain(width, height, 0.34),
  )
}
