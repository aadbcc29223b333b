import { sunDisc } from '../disc.ts'
import { grain, vignette } from '../grain.ts'
import { ink, mix } from '../palette.ts'
import { random } from '../random.ts'
import { bulbRow } from '../scenery/lights.ts'
import { palm } from '../scenery/palms.ts'
import { player } from '../scenery/people.ts'
import { blur, circle, group, linear, n, path, polygon, radial, rect, sheet, using } from '../svg.ts'
import { bladeSign } from './blade-sign.ts'

/** An old picture house: a blade of bulbs crowned by the disc, a lit canopy without letters, a queue on the wet street. */
export function theatre(): string {
  const [width, height, street] = [960, 640, 520]
  const chance = random(19)
  const night = linear(
    [0, 0],
    [0, street],
    [
      [0, '#05080a'],
      [1, mix(ink.tealNight, ink.wine, 0.5)],
    ],
  )
  const front = linear(
    [0, 90],
    [0, street],
    [
      [0, '#2a120c'],
      [0.6, '#5a2413'],
      [1, '#8a3d18'],
    ],
  )
  const lobby = linear(
    [0, 400],
    [0, street],
    [
      [0, ink.foilLight],
      [1, ink.amber],
    ],
  )
  const wet = linear(
    [0, street],
    [0, height],
    [
      [0, '#51240f'],
      [0.4, '#1d0d08'],
      [1, '#0a0504'],
    ],
  )
  const glow = radial(
    [480, 400],
    470,
    [
      [0, ink.foilLight, 0.6],
      [0.35, ink.amber, 0.26],
      [1, ink.ember, 0],
    ],
    0.75,
  )
  const flutes = Array.from({ length: 9 }, (_, index) =>
    [[206 + index * 24], [562 + index * 24]].map(([x = 0]) => `M${x} ${130 + Math.abs(index - 4) * 9}V360`).join(''),
  ).join('')
  const streaks = Array.from({ length: 240 }, () => {
    const [x, y] = [chance.between(60, 900), street + 4 + 116 * chance.next() ** 1.3]
    const near = Math.exp(-(((x - 480) / 250) ** 2))
    return path(
      `M${n(x)} ${n(y)}h${n(chance.between(8, 46))}`,
      `stroke="${chance.pick([ink.foilLight, ink.foil, ink.amber, ink.red])}" stroke-width="${n(chance.between(1, 3.4))}" stroke-opacity="${(0.08 + 0.6 * near * chance.next()).toFixed(2)}"`,
    )
  }).join('')
  const doors = Array.from(
    { length: 8 },
    (_, index) =>
      path(`M${256 + index * 58} 430h46v90h-46z`, 'fill="none" stroke="#2a0f08" stroke-width="5"') +
      path(`M${279 + index * 58} 430v90`, 'stroke="#2a0f08" stroke-width="3"'),
  ).join('')
  const queue = Array.from({ length: 17 }, (_, index) =>
    player(
      150 + index * 27 + chance.between(-7, 7) + (index > 8 ? 190 : 0),
      556 + chance.between(-8, 10),
      chance.between(66, 80),
      'listener',
      '#0c0504',
    ),
  ).join('')
  const disc = { cx: 480, cy: 74, r: 58 }
  return sheet(
    width,
    height,
    using(night, (url) => rect(0, 0, width, street, `fill="${url}"`)),
    path('M0 210H150V520H0ZM810 250H960V520H810Z', 'fill="#0b0d0e"'),
    path(
      Array.from(
        { length: 24 },
        (_, index) =>
          `M${18 + (index % 4) * 32} ${236 + Math.floor(index / 4) * 44}h13v20h-13zM${830 + (index % 4) * 32} ${272 + Math.floor(index / 4) * 42}h13v20h-13z`,
      ).join(''),
      `fill="${ink.foil}" fill-opacity=".24"`,
    ),
    using(front, (url) =>
      path('M150 520V176H190V150H230V128H300V108H660V128H730V150H770V176H810V520Z', `fill="${url}"`),
    ),
    path(flutes, 'stroke="#1a0a06" stroke-width="7" stroke-opacity=".6"'),
    path(flutes, `stroke="${ink.foil}" stroke-width="1.4" stroke-opacity=".45" transform="translate(4 0)"`),
    path(
      'M150 176H190V150H230V128H300V108H660V128H730V150H770V176H810',
      `fill="none" stroke="${ink.foil}" stroke-width="2" stroke-opacity=".8"`,
    ),
    using(glow, (url) => rect(0, 40, width, 520, `fill="${url}"`)),
    rect(206, 400, 548, 120, 'fill="#1c0a06"'),
    using(lobby, (url) => rect(246, 424, 468, 96, `fill="${url}"`)),
    doors,
    path('M196 386H764L744 424H216Z', 'fill="#120705"'),
    path(
      polygon([
        [428, 112],
        [532, 112],
        [532, 330],
        [428, 330],
      ]),
      'fill="#120705"',
    ),
    bladeSign(),
    using(blur(16, 1), (url) => circle(disc.cx, disc.cy, 66, `fill="${ink.amber}" fill-opacity=".75" filter="${url}"`)),
    sunDisc(disc, { seed: 7, ember: 0.5 }),
    Array.from({ length: 32 }, (_, index) =>
      circle(
        disc.cx + 67 * Math.cos((index / 32) * Math.PI * 2),
        disc.cy + 67 * Math.sin((index / 32) * Math.PI * 2),
        2.7,
        `fill="${ink.cream}"`,
      ),
    ).join(''),
    path(
      polygon([
        [170, 318],
        [790, 318],
        [806, 392],
        [154, 392],
      ]),
      'fill="#150806"',
    ),
    path(
      polygon([
        [186, 330],
        [774, 330],
        [786, 380],
        [174, 380],
      ]),
      'fill="#fff3d0"',
    ),
    path('M183 342H777M180 355H780M177 368H783', 'stroke="#c99a4a" stroke-width="1.6" stroke-opacity=".7"'),
    bulbRow([172, 324], [788, 324], 46, 3.2),
    bulbRow([158, 387], [802, 387], 48, 3.4),
    bulbRow([214, 404], [746, 404], 34, 2.4),
    using(wet, (url) => rect(0, street, width, height - street, `fill="${url}"`)),
    streaks,
    using(blur(9, 0.6), (url) =>
      group(
        `filter="${url}"`,
        path('M446 522H514L530 640H430Z', `fill="${ink.red}" fill-opacity=".5"`),
        path('M210 522H750L800 580H160Z', `fill="${ink.foilLight}" fill-opacity=".3"`),
      ),
    ),
    queue,
    palm({
      foot: [90, 560],
      crown: [96, 296],
      bend: -12,
      reach: 96,
      thickness: 15,
      seed: 2,
      body: '#060404',
      rim: ink.foil,
      lightAngle: 0,
    }),
    palm({
      foot: [880, 560],
      crown: [872, 320],
      bend: 12,
      reach: 96,
      thickness: 15,
      seed: 7,
      body: '#060404',
      rim: ink.foil,
      lightAngle: Math.PI,
    }),
    vignette(width, height, 0.6),
    grain(width, height, 0.34),
  )
}
