import { grain, vignette } from '../grain.ts'
import { ink } from '../palette.ts'
import { blur, circle, group, type Point, path, radial, rect, sheet, using } from '../svg.ts'
import { noise2, shaded } from './cloth.ts'
import { foilPrint } from './foil-print.ts'
import { flip, mirrored, mirrorPath, piece, type Ridge, ribs, SIZE } from './garment.ts'

const sleeve =
  'M322 352C250 378 214 452 186 560C154 684 126 812 108 948C104 985 104 1010 108 1034L214 1056C222 1030 226 1002 232 972C254 860 296 742 344 640Z'
const body =
  'M452 286C402 318 352 334 316 356C318 430 330 500 332 572C330 720 322 880 324 1022C328 1050 332 1070 340 1092C510 1106 690 1106 860 1092C868 1070 872 1050 876 1022C878 880 870 720 868 572C870 500 882 430 884 356C848 334 798 318 748 286C700 330 500 330 452 286Z'
const hood =
  'M440 318C396 268 384 196 420 134C456 78 528 50 600 50C672 50 744 78 780 134C816 196 804 268 760 318C720 366 664 392 600 398C536 392 480 366 440 318Z'
const opening =
  'M492 318C456 270 456 206 492 164C520 134 560 122 600 122C640 122 680 134 708 164C744 206 744 270 708 318C680 346 636 368 600 386C564 368 520 346 492 318Z'
const pocket =
  'M436 800C540 808 660 808 764 800C790 862 818 906 834 940L836 1014C680 1026 520 1026 364 1014L366 940C382 906 410 862 436 800Z'

const sleeveRidges: readonly Ridge[] = [
  [276, 420, 165, 990, 66, 44],
  [320, 440, 210, 520, 16, 15],
  [330, 560, 214, 600, 15, 17],
  [300, 690, 168, 660, 17, -14],
  [292, 742, 160, 770, 15, 18],
  [262, 820, 140, 800, 14, -13],
  [252, 870, 132, 908, 15, 16],
  [232, 965, 120, 940, 12, -10],
  [226, 1000, 118, 1004, 11, 12],
]
const bodyRidges: readonly Ridge[] = [
  [600, 260, 600, 1140, 250, 62],
  [340, 560, 470, 660, 22, 17],
  [338, 600, 440, 760, 20, -15],
  [350, 690, 420, 900, 24, 14],
  [862, 560, 740, 650, 22, 18],
  [866, 620, 772, 780, 18, -14],
  [852, 720, 790, 900, 22, 15],
  [470, 350, 540, 470, 24, 12],
  [730, 350, 668, 460, 24, 12],
  [420, 1000, 640, 960, 24, -9],
  [560, 760, 800, 770, 22, 9],
  [400, 420, 480, 520, 30, -9],
]
const hoodRidges: readonly Ridge[] = [
  [412, 220, 520, 80, 36, 26],
  [788, 220, 680, 80, 36, 26],
  [600, 40, 600, 130, 60, 14],
  [432, 300, 500, 350, 20, 16],
  [768, 300, 700, 350, 20, 16],
  [430, 160, 470, 240, 12, -9],
  [770, 150, 728, 230, 12, -10],
]

/** A drawstring with its gold tip. */
const string = (d: string, [x, y]: Point, turn: number): string =>
  using(blur(5, 1), (url) =>
    path(
      d,
      `fill="none" stroke="#000000" stroke-width="12" stroke-opacity=".8" filter="${url}" transform="translate(6 8)"`,
    ),
  ) +
  path(d, 'fill="none" stroke="#0b0a09" stroke-width="10" stroke-linecap="round"') +
  path(d, 'fill="none" stroke="#5c564a" stroke-width="6.5" stroke-dasharray="3 3.4"') +
  group(
    `transform="translate(${x} ${y}) rotate(${turn})"`,
    rect(-6, -4, 12, 34, `rx="3" fill="${ink.foilDeep}"`),
    rect(-4, -4, 4, 34, `rx="2" fill="${ink.cream}" fill-opacity=".85"`),
    rect(-6, 4, 12, 3, `fill="${ink.foilDark}"`),
  )

export function hoodie(): string {
  const uneven = noise2(3)
  const table = shaded({
    width: SIZE,
    height: SIZE,
    cell: 12,
    bleeds: true,
    ramp: ['#0c0705', '#1f120b', '#382113', '#5a371f', '#7d4f2c'],
    tone: (x, y) =>
      0.62 * Math.exp(-(((x - 430) / 760) ** 2 + ((y - 360) / 820) ** 2)) +
      0.1 +
      uneven(x / 260, y / 26) * 0.035 +
      uneven(x / 90, y / 9) * 0.02,
  })
  const lining = radial([600, 170], 260, [
    [0, '#1b1310'],
    [0.6, '#0b0807'],
    [1, '#040303'],
  ])
  const stitch = 'fill="none" stroke="#7d7463" stroke-opacity=".5" stroke-width="1.6" stroke-dasharray="6 4"'
  const cuff = 'M108 946C104 985 104 1010 108 1034L214 1056C222 1030 226 1002 233 968Z'
  return sheet(
    SIZE,
    SIZE,
    table,
    using(blur(34, 0.3), (url) =>
      group(
        `filter="${url}" transform="translate(22 34)"`,
        path(body + sleeve + hood, 'fill="#000000" fill-opacity=".85"'),
        mirrored(path(sleeve, 'fill="#000000" fill-opacity=".85"')),
      ),
    ),
    piece(sleeve, sleeveRidges, 0.3),
    ribs(
      [
        [106, 952],
        [231, 974],
      ],
      [
        [110, 1034],
        [213, 1055],
      ],
      19,
    ),
    path(cuff, 'fill="#000000" fill-opacity=".16"'),
    mirrored(path(sleeve, 'fill="#0b0a09"')),
    piece(mirrorPath(sleeve), flip(sleeveRidges), 0.27),
    mirrored(
      ribs(
        [
          [106, 952],
          [231, 974],
        ],
        [
          [110, 1034],
          [213, 1055],
        ],
        19,
      ),
    ),
    piece(body, bodyRidges, 0.31),
    ribs(
      [
        [326, 1024],
        [874, 1024],
      ],
      [
        [341, 1091],
        [859, 1091],
      ],
      84,
    ),
    path('M325 1022C510 1036 690 1036 875 1022', 'fill="none" stroke="#000000" stroke-width="4" stroke-opacity=".7"'),
    piece(
      pocket,
      [
        [600, 780, 600, 1040, 190, 34],
        [420, 880, 520, 960, 22, 14],
        [780, 880, 690, 950, 22, 14],
        [500, 810, 700, 812, 14, 8],
      ],
      0.33,
      6,
    ),
    path('M448 812C545 819 655 819 752 812M430 830L378 944M770 830L822 944', stitch),
    path(
      'M336 366C346 440 352 500 350 566M864 366C854 440 848 500 850 566M332 1014C510 1027 690 1027 868 1014',
      stitch,
    ),
    foilPrint(bodyRidges),
    piece(hood, hoodRidges, 0.34, 14),
    using(lining, (url) => path(opening, `fill="${url}"`)),
    path('M512 176C560 148 640 148 688 176C660 214 640 232 600 236C560 232 540 214 512 176Z', 'fill="#171210"'),
    rect(574, 208, 52, 34, `rx="2" fill="#0d0b09" stroke="${ink.foil}" stroke-width="1.4"`),
    [9, 6, 3].map((r) => circle(600, 225, r, `fill="none" stroke="${ink.foilLight}" stroke-width="1.3"`)).join(''),
    path(opening, 'fill="none" stroke="#000000" stroke-width="7" stroke-opacity=".8"'),
    path(
      'M480 322C440 268 440 198 480 152C512 118 556 106 600 106C644 106 688 118 720 152C760 198 760 268 720 322',
      stitch,
    ),
    [540, 660].map((x) => circle(x, 362, 7.5, `fill="#050403" stroke="${ink.foil}" stroke-width="3.4"`)).join(''),
    string('M540 364C530 420 548 470 534 540', [533, 540], 5),
    string('M660 364C674 410 656 452 668 508', [669, 508], -7),
    vignette(SIZE, SIZE, 0.6),
    grain(SIZE, SIZE, 0.42),
  )
}
