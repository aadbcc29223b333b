import { sunDisc } from '../disc.ts'
import { grain, vignette } from '../grain.ts'
import { ink } from '../palette.ts'
import { circle, clip, group, linear, n, path, pattern, rect, sheet, using } from '../svg.ts'

/** A fan's handiwork: the sinking gold record, painted on the back of a denim jacket that hangs on a hook. */
export function jacket(): string {
  const [width, height] = [1080, 1080]
  const body =
    'M360 150C420 190 660 190 720 150L860 200C930 230 960 280 975 360L1040 900L880 925L850 560L845 1010H235L230 560L200 925L40 900L105 360C120 280 150 230 220 200Z'
  const weave = pattern(8, 8, '<path d="M0 8L8 0" stroke="#8fb4c4" stroke-opacity=".16" stroke-width="1.6"/>')
  const wall = linear(
    [0, 0],
    [width, height],
    [
      [0, '#5d4630'],
      [1, '#2a1d12'],
    ],
  )
  const denim = linear(
    [200, 150],
    [880, 1010],
    [
      [0, '#35566b'],
      [0.5, '#23404f'],
      [1, '#152a35'],
    ],
  )
  const disc = { cx: 540, cy: 640, r: 205 }
  const swell = (y: number, tone: string) => {
    const arcs = 'q42 -30 84 0'.repeat(7)
    return path(`M246 ${n(y)}${arcs}V1004H246Z`, `fill="${tone}"`)
  }
  const stitch = `fill="none" stroke="${ink.foil}" stroke-width="3.5" stroke-dasharray="13 8" stroke-opacity=".85"`
  return sheet(
    width,
    height,
    using(wall, (url) => rect(0, 0, width, height, `fill="${url}"`)),
    path(body, 'fill="#000" fill-opacity=".45" transform="translate(22 26)"'),
    path('M540 60V150M540 60C540 30 580 30 580 58', `fill="none" stroke="${ink.foilDeep}" stroke-width="10"`),
    using(denim, (url) => path(body, `fill="${url}" stroke="#0d1a21" stroke-width="5"`)),
    using(weave, (url) => path(body, `fill="${url}"`)),
    using(clip(rect(246, 330, 588, 674, '')), (url) =>
      group(
        `clip-path="${url}"`,
        sunDisc(disc, { seed: 30, turn: -0.8, ember: 1.1, hole: '#152a35' }),
        swell(730, '#d9a441'),
        swell(762, '#14575a'),
        swell(812, '#0f4346'),
        swell(868, '#0a2f33'),
      ),
    ),
    path('M232 330H848', stitch),
    path('M232 344H848', stitch),
    path('M246 345V1000M834 345V1000', stitch),
    path('M236 985H844', stitch),
    path(
      'M360 150C420 240 660 240 720 150C700 110 380 110 360 150Z',
      'fill="#1b333f" stroke="#0d1a21" stroke-width="5"',
    ),
    path('M374 158C440 226 640 226 706 158', stitch),
    circle(150, 868, 14, `fill="${ink.foil}" stroke="${ink.foilDark}" stroke-width="4"`),
    circle(930, 868, 14, `fill="${ink.foil}" stroke="${ink.foilDark}" stroke-width="4"`),
    vignette(width, height, 0.55),
    grain(width, height, 0.55),
  )
}
