import plugin from 'tailwindcss/plugin'

/** Archivo's ascent and descent in percent of the font size. */
const ASCENT = 87.8
const DESCENT = 21

// Fonts with equal widths, except Roboto. Those of Linux come first, because there a missing font delays the first
// layout.
const REGULAR = ['Liberation Sans', 'Arial', 'ArialMT', 'Arimo Regular', 'Roboto']
const BOLD = ['Liberation Sans Bold', 'Arial Bold', 'Arial-BoldMT', 'Arimo Bold', 'Roboto Bold']
const SPACE = 'U+20'
const DIGITS = 'U+30-39'

/**
 * `sizes`: Archivo's width relative to the local font's, in percent and measured on our pages, for all characters ('')
 * and for those that differ most.
 */
const GROUPS = [
  {
    weight: '100 499',
    stretch: '62% 111%',
    fonts: REGULAR,
    sizes: { '': 101.5, [SPACE]: 75.5, 'U+61, U+65-66': 97.7, 'U+74': 106.5 },
  },
  {
    weight: '500 649',
    stretch: '62% 111%',
    fonts: BOLD,
    sizes: { '': 96.3, [SPACE]: 72, [DIGITS]: 103.8, 'U+41-5A': 100.7 },
  },
  { weight: '650 900', stretch: '62% 111%', fonts: BOLD, sizes: { '': 102.5, [SPACE]: 70, [DIGITS]: 109.5 } },
  { weight: '100 900', stretch: '112% 117%', fonts: BOLD, sizes: { '': 113.4, [SPACE]: 92.8, [DIGITS]: 118.3 } },
  { weight: '100 900', stretch: '118% 125%', fonts: BOLD, sizes: { '': 132, [SPACE]: 107, [DIGITS]: 143.5 } },
]

/** Local fonts with the metrics of Archivo, so that loading the web font causes no layout shift. */
export default plugin(({ addBase }) =>
  addBase({
    '@font-face': GROUPS.flatMap(({ weight, stretch, fonts, sizes }) =>
      Object.entries(sizes).map(([characters, size]) => ({
        'font-family': '"Archivo Fallback"',
        'font-weight': weight,
        'font-stretch': stretch,
        src: fonts.map((name) => `local("${name}")`).join(', '),
        ...(characters && { 'unicode-range': characters }),
        'size-adjust': `${size}%`,
        'ascent-override': percent(ASCENT / size),
        'descent-override': percent(DESCENT / size),
        'line-gap-override': '0%',
      })),
    ),
  }),
)

const percent = (ratio: number) => `${Math.round(ratio * 1000) / 10}%`
