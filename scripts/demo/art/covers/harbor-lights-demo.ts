import { grooves } from '../disc.ts'
import { ink, mix } from '../palette.ts'
import { type Random, random } from '../random.ts'
import { skyline } from '../scenery/skyline.ts'
import { water } from '../scenery/water.ts'
import { blur, circle, group, linear, n, path, polygon, radial, rect, using } from '../svg.ts'
import { SLEEVE, sleeve } from './sleeve.ts'

const SHORE = 640
const night = '#060f11'

/** The moon as the dial of a vault: a pale record, its ticks, and the one mark that opens. */
function dial(cx: number, cy: number, r: number): string {
  const face = radial([cx - r * 0.3, cy - r * 0.35], r * 1.5, [
    [0, '#fbf6e2'],
    [0.5, mix(ink.foilLight, ink.ivory, 0.4)],
    [1, mix(ink.foil, ink.tealDeep, 0.35)],
  ])
  const light = radial([cx, cy], r * 3.4, [
    [0, mix(ink.foilLight, ink.teal, 0.3), 0.55],
    [0.35, ink.teal, 0.26],
    [1, ink.teal, 0],
  ])
  const ticks = Array.from({ length: 100 }, (_, index) => {
    const angle = (index / 100) * Math.PI * 2
    const long = index % 10 === 0 ? 0.19 : index % 5 === 0 ? 0.13 : 0.075
    const [c, s] = [Math.cos(angle), Math.sin(angle)]
    return `M${n(cx + c * r * 1.1)} ${n(cy + s * r * 1.1)}L${n(cx + c * r * (1.1 + long))} ${n(cy + s * r * (1.1 + long))}`
  }).join('')
  return (
    using(light, (url) => rect(0, 0, SLEEVE, SHORE, `fill="${url}"`)) +
    using(face, (url) => circle(cx, cy, r, `fill="${url}"`)) +
    grooves({ cx, cy, r }, 0.4, 5, ink.tealDeep, 0.8) +
    circle(
      cx,
      cy,
      r * 0.34,
      `fill="${mix(ink.tealDeep, ink.ground, 0.35)}" stroke="${ink.foilLight}" stroke-width="2.4"`,
    ) +
    circle(cx, cy, r * 0.29, `fill="none" stroke="${ink.foilLight}" stroke-opacity=".5" stroke-width="1.2"`) +
    circle(cx, cy, r * 0.03, `fill="${ink.foilLight}"`) +
    path(ticks, `stroke="${ink.foilLight}" stroke-width="2.2" stroke-opacity=".85"`) +
    path(
      polygon([
        [cx, cy - r * 1.02],
        [cx - 9, cy - r * 1.34],
        [cx + 9, cy - r * 1.34],
      ]),
      `fill="${ink.red}"`,
    )
  )
}

/** A quay crane, as thin as a gallows. */
function crane(x: number, height: number, reach: number): string {
  const top = SHORE - height
  const out = reach < 0 ? -1 : 1
  const legs = `M${x - 26} ${SHORE}L${x - 12} ${n(top + 46)}M${x + 26} ${SHORE}L${x + 12} ${n(top + 46)}M${x - 22} ${n(SHORE - height * 0.3)}H${x + 22}M${x - 22} ${n(SHORE - height * 0.3)}L${x + 14} ${n(top + 60)}M${x + 22} ${n(SHORE - height * 0.3)}L${x - 14} ${n(top + 60)}`
  let lattice = ''
  for (let at = 0; at < Math.abs(reach); at += 22)
    lattice += `M${n(x + out * at)} ${n(top + 46)}l${n(out * 11)} -16l${n(out * 11)} 16`
  return (
    path(
      `${legs}M${x - out * 70} ${n(top + 46)}H${x + reach}M${x - out * 60} ${n(top + 30)}H${x + reach}${lattice}M${x} ${n(top)}V${n(top + 46)}M${x} ${n(top)}L${n(x + reach * 0.92)} ${n(top + 34)}M${x} ${n(top)}L${n(x - out * 62)} ${n(top + 34)}`,
      `fill="none" stroke="${night}" stroke-width="4.4"`,
    ) +
    path(`M${n(x + reach * 0.72)} ${n(top + 46)}v${n(height * 0.34)}`, `stroke="${night}" stroke-width="1.6"`) +
    circle(x, top, 3.4, `fill="${ink.red}"`) +
    circle(x, top, 11, `fill="${ink.red}" fill-opacity=".28"`) +
    circle(x + reach, top + 38, 3, `fill="${ink.foilLight}"`)
  )
}

/** A sloop at its mooring with its riding light. */
function sloop(x: number, y: number, size: number, chance: Random): string {
  const lean = chance.between(-3, 3)
  const mast = size * chance.between(1.7, 2.1)
  const hull = `M${n(x - size * 0.62)} ${n(y - size * 0.16)}Q${n(x)} ${n(y - size * 0.06)} ${n(x + size * 0.68)} ${n(y - size * 0.24)}Q${n(x + size * 0.5)} ${n(y + size * 0.07)} ${n(x + size * 0.3)} ${n(y + size * 0.07)}H${n(x - size * 0.46)}Q${n(x - size * 0.6)} ${n(y)} ${n(x - size * 0.62)} ${n(y - size * 0.16)}Z`
  const tip = `${n(x + lean)} ${n(y - mast)}`
  const reflection = linear(
    [0, y],
    [0, y + mast * 0.85],
    [
      [0, '#030809', 0.85],
      [1, '#030809', 0],
    ],
  )
  return (
    using(reflection, (url) =>
      path(
        `M${n(x - size * 0.5)} ${n(y + 3)}H${n(x + size * 0.4)}L${n(x + size * 0.2)} ${n(y + size * 0.34)}H${n(x + 4)}L${n(x + lean)} ${n(y + mast * 0.85)}L${n(x - 3)} ${n(y + size * 0.34)}H${n(x - size * 0.3)}Z`,
        `fill="${url}"`,
      ),
    ) +
    path(hull, `fill="#040a0b"`) +
    path(
      `M${n(x - size * 0.2)} ${n(y - size * 0.12)}l${n(size * 0.06)} ${n(-size * 0.12)}h${n(size * 0.34)}l${n(size * 0.1)} ${n(size * 0.09)}z`,
      `fill="#040a0b"`,
    ) +
    path(`M${n(x)} ${n(y - size * 0.1)}L${tip}`, `stroke="#040a0b" stroke-width="${n(size * 0.03)}"`) +
    path(
      `M${n(x - size * 0.6)} ${n(y - size * 0.16)}L${tip}L${n(x + size * 0.66)} ${n(y - size * 0.24)}M${n(x)} ${n(y - size * 0.34)}H${n(x - size * 0.48)}`,
      `fill="none" stroke="#081416" stroke-width="${n(Math.max(1.2, size * 0.012))}"`,
    ) +
    path(
      `M${n(x - size * 0.6)} ${n(y - size * 0.15)}Q${n(x)} ${n(y - size * 0.05)} ${n(x + size * 0.66)} ${n(y - size * 0.23)}`,
      `fill="none" stroke="${ink.foilLight}" stroke-opacity=".7" stroke-width="1.8"`,
    ) +
    rect(x - size * 0.05, y - size * 0.21, size * 0.08, size * 0.045, `fill="${ink.foilLight}"`) +
    rect(x + size * 0.08, y - size * 0.21, size * 0.08, size * 0.045, `fill="${ink.foilLight}"`) +
    circle(x + lean, y - mast, size * 0.085, `fill="${ink.foilLight}" fill-opacity=".25"`) +
    circle(x + lean, y - mast, size * 0.026, `fill="#fffbe8"`)
  )
}

export function harborLights(): string {
  const chance = random(31)
  const sky = linear(
    [0, 0],
    [0, SHORE],
    [
      [0, '#05090c'],
      [0.6, ink.tealNight],
      [1, mix(ink.tealDeep, ink.tealNight, 0.25)],
    ],
  )
  const lamps = Array.from({ length: 21 }, (_, index) => ({
    x: 24 + index * 58 + chance.between(-18, 18),
    warm: index % 4 !== 2,
    up: chance.between(6, 34),
  }))
  const moon = { x: 770, reach: 130, power: 0.9, ramp: ['#0a2427', '#14575a', '#3aa6a0', '#d9d3a4', '#fff4cf'] }
  const columns = lamps.map(({ x, warm }) => ({
    x,
    reach: 15,
    power: 0.95,
    ...(warm ? {} : { ramp: ['#0a2427', '#14575a', '#3aa6a0', '#bfe9e0'] }),
  }))
  const bokeh = Array.from({ length: 11 }, () =>
    circle(
      chance.between(20, 1180),
      chance.between(880, 1180),
      chance.between(26, 66),
      `fill="${chance.pick([ink.foil, ink.amber, ink.teal])}" fill-opacity="${chance.between(0.05, 0.13).toFixed(2)}"`,
    ),
  ).join('')
  return sleeve(
    6,
    using(sky, (url) => rect(0, 0, SLEEVE, SHORE + 4, `fill="${url}"`)),
    dial(770, 330, 168),
    skyline({
      from: -10,
      to: 1220,
      base: SHORE,
      profile: (s) => 24 + 70 * Math.abs(Math.sin(s * 5.5 + 0.6)),
      body: '#0b2022',
      haze: '#123235',
      lightX: 770,
      lit: 0.16,
      seed: 44,
      grid: 8,
    }),
    crane(150, 330, 190),
    crane(372, 270, -150),
    crane(1080, 300, -170),
    lamps
      .map(
        ({ x, warm, up }) =>
          circle(x, SHORE - up, 17, `fill="${warm ? ink.amber : ink.teal}" fill-opacity=".24"`) +
          circle(x, SHORE - up, 4.4, `fill="${warm ? ink.cream : '#d9fff4'}"`),
      )
      .join(''),
    water({
      x: 0,
      y: SHORE,
      width: SLEEVE,
      height: SLEEVE - SHORE,
      seed: 18,
      far: '#0f3133',
      near: '#08191b',
      density: 1.1,
      lights: [moon, ...columns],
    }),
    sloop(250, 742, 92, chance),
    sloop(520, 716, 66, chance),
    sloop(985, 730, 84, chance),
    sloop(392, 866, 200, chance),
    sloop(905, 930, 150, chance),
    using(blur(3), (url) => group(`filter="${url}"`, bokeh)),
  )
}
