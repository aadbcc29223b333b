import { starTrails, sunDisc } from '../disc.ts'
import { grain, vignette } from '../grain.ts'
import { ink, mix } from '../palette.ts'
import { skyline } from '../scenery/skyline.ts'
import { water } from '../scenery/water.ts'
import { blur, circle, clip, ellipse, group, linear, n, path, polygon, radial, rect, sheet, using } from '../svg.ts'
import { tapeMachine } from './tape-machine.ts'

const [WIDTH, HEIGHT, DESK] = [1080, 1350, 980]

/** The bay through the studio window. */
function view(): string {
  const moon = { cx: 400, cy: 300, r: 120 }
  const sky = linear(
    [0, 110],
    [0, 560],
    [
      [0, '#060a0d'],
      [0.6, ink.tealNight],
      [1, mix(ink.tealDeep, ink.ember, 0.45)],
    ],
  )
  const frame = 'M90 110H660V560H90Z'
  return (
    using(clip(path(frame, '')), (url) =>
      group(
        `clip-path="${url}"`,
        using(sky, (fill) => path(frame, `fill="${fill}"`)),
        starTrails(moon, 1.15, 4, 3),
        sunDisc(moon, { seed: 5, ember: 0.6 }),
        skyline({
          from: 80,
          to: 680,
          base: 486,
          profile: (s) => 30 + 110 * Math.sin(s * 5) ** 2,
          body: '#0a1416',
          haze: '#1d2422',
          lightX: 400,
          lit: 0.3,
          seed: 9,
          grid: 7,
        }),
        water({ x: 80, y: 484, width: 600, height: 80, seed: 2, lights: [{ x: 400, reach: 110, power: 0.9 }] }),
      ),
    ) +
    path(frame, 'fill="none" stroke="#120a06" stroke-width="26"') +
    path('M375 110V560M90 330H660', 'stroke="#120a06" stroke-width="12"') +
    path('M103 123H647V547H103Z', `fill="none" stroke="${ink.foilDark}" stroke-width="2"`)
  )
}

/** A row of faders in perspective on the desk's edge, and the cup that the night needs. */
function console_(): string {
  let slots = ''
  let caps = ''
  for (let index = 0; index < 15; index++) {
    const [x, lower] = [150 + index * 54, 40 + index * 56.5]
    const share = 0.25 + 0.5 * Math.abs(Math.sin(index * 1.7))
    const [cx, cy] = [x + (lower - x) * share, 1096 + 170 * share]
    slots += `M${x} 1096L${n(lower)} 1266`
    caps +=
      rect(cx - 17, cy - 11, 34, 22, `rx="3" fill="${index === 6 ? ink.red : '#d8cdb4'}"`) +
      path(`M${n(cx - 15)} ${n(cy)}h30`, 'stroke="#1a0f08" stroke-width="3"') +
      rect(cx - 17, cy + 9, 34, 6, 'fill="#000000" fill-opacity=".6"')
  }
  return (
    path(
      polygon([
        [110, 1060],
        [960, 1060],
        [900, 1310],
        [-20, 1310],
        [-20, 1180],
      ]),
      'fill="#15100b" stroke="#5b3a12" stroke-width="2"',
    ) +
    path(slots, 'stroke="#000000" stroke-width="8"') +
    path(slots, `stroke="${ink.foilDark}" stroke-width="1.6" transform="translate(6 0)"`) +
    caps
  )
}

/** The studio after midnight: reels turn in the lamplight, the bay stands in the window. */
export function studio(): string {
  const wall = radial([760, 420], 900, [
    [0, '#3f2011'],
    [0.5, '#1c0f09'],
    [1, '#080504'],
  ])
  const cone = radial([842, 330], 780, [
    [0, '#fff3cf', 0.62],
    [0.35, ink.foil, 0.26],
    [1, ink.amber, 0],
  ])
  const desk = linear(
    [800, DESK],
    [300, HEIGHT],
    [
      [0, '#8a4a20'],
      [0.4, '#43210f'],
      [1, '#0d0705'],
    ],
  )
  const cup = linear(
    [930, 0],
    [1040, 0],
    [
      [0, ink.cream],
      [0.4, ink.ivory],
      [1, '#6b5a45'],
    ],
  )
  return sheet(
    WIDTH,
    HEIGHT,
    using(wall, (url) => rect(0, 0, WIDTH, HEIGHT, `fill="${url}"`)),
    view(),
    using(desk, (url) => rect(0, DESK, WIDTH, HEIGHT - DESK, `fill="${url}"`)),
    path(`M0 ${DESK}H${WIDTH}`, `stroke="${ink.foilLight}" stroke-width="2" stroke-opacity=".5"`),
    tapeMachine(),
    using(cone, (url) =>
      path(
        polygon([
          [776, 322],
          [908, 322],
          [1240, 1350],
          [250, 1350],
        ]),
        `fill="${url}" style="mix-blend-mode:screen"`,
      ),
    ),
    path('M842 -10V214', 'stroke="#070403" stroke-width="7"'),
    path('M842 208C792 214 760 262 752 326H932C924 262 892 214 842 208Z', 'fill="#0f0a07"'),
    path('M826 212C790 224 768 268 760 322', `fill="none" stroke="${ink.foilLight}" stroke-width="3"`),
    ellipse(842, 326, 90, 13, 'fill="#fff6da"'),
    using(blur(26, 2), (url) =>
      ellipse(842, 336, 96, 30, `fill="${ink.foilLight}" fill-opacity=".85" filter="${url}"`),
    ),
    console_(),
    using(blur(10, 0.6), (url) => ellipse(1002, 1232, 74, 22, `fill="#000000" fill-opacity=".8" filter="${url}"`)),
    using(cup, (url) => path('M936 1120H1042L1034 1222Q1030 1238 1010 1238H968Q948 1238 944 1222Z', `fill="${url}"`)),
    ellipse(989, 1121, 53, 12, 'fill="#1a0c06" stroke="#f4efe4" stroke-width="4"'),
    [26, 19, 12].map((r) => circle(986, 1182, r, `fill="none" stroke="${ink.foilDeep}" stroke-width="3"`)).join(''),
    circle(986, 1182, 5, `fill="${ink.red}"`),
    vignette(WIDTH, HEIGHT, 0.7),
    grain(WIDTH, HEIGHT, 0.36),
  )
}
