import plugin from 'tailwindcss/plugin'

/** Archivo's ascent and descent in percent of the font size. */
const ASCENT_PERCENT = 87.8
const DESCENT_PERCENT = 21

// The fonts of a list have equal widths, except Roboto. Linux fonts come first, because on Linux a missing font delays
// the first layout.
const REGULAR_FONTS = ['Liberation Sans', 'Arial', 'ArialMT', 'Arimo Regular', 'Roboto']
const BOLD_FONTS = ['Liberation Sans Bold', 'Arial Bold', 'Arial-BoldMT', 'Arimo Bold', 'Roboto Bold']
const SPACE_RANGE = 'U+20'
const DIGIT_RANGE = 'U+30-39'

/**
 * `sizes`: Archivo's width relative to the local font's, in percent and measured on our pages, for all characters ('')
 * and for those that differ most.
 */
const FALLBACK_GROUPS = [
  {
    weight: '100 499',
    stretch: '62% 111%',
    fonts: REGULAR_FONTS,
    sizes: { '': 101.5, [SPACE_RANGE]: 75.5, 'U+61, U+65-66': 97.7, 'U+74': 106.5 },
  },
  {
    weight: '500 649',
    stretch: '62% 111%',
    fonts: BOLD_FONTS,
    sizes: { '': 96.3, [SPACE_RANGE]: 72, [DIGIT_RANGE]: 103.8, 'U+41-5A': 100.7 },
  },
  {
    weight: '650 900',
    stretch: '62% 111%',
    fonts: BOLD_FONTS,
    sizes: { '': 102.5, [SPACE_RANGE]: 70, [DIGIT_RANGE]: 109.5 },
  },
  {
    weight: '100 900',
    stretch: '112% 117%',
    fonts: BOLD_FONTS,
    sizes: { '': 113.4, [SPACE_RANGE]: 92.8, [DIGIT_RANGE]: 118.3 },
  },
  {
    weight: '100 900',
    stretch: '118% 125%',
    fonts: BOLD_FONTS,
    sizes: { '': 132, [SPACE_RANGE]: 107, [DIGIT_RANGE]: 143.5 },
  },
]

/** Local fonts with the metrics of Archivo, so that loading the web font causes no layout shift. */
export default plugin(({ addBase }) =>
  addBase({
    '@font-face': FALLBACK_GROUPS.flatMap(({ weight, stretch, fonts, sizes }) =>
      Object.entries(sizes).map(([characters, size]) => ({
        'font-family': '"Archivo Fallback"',
        'font-weight': weight,
        'font-stretch': stretch,
        src: fonts.map((name) => `local("${name}")`).join(', '),
        ...(characters && { 'unicode-range': characters }),
        'size-adjust': `${size}%`,
        'ascent-override': percent(ASCENT_PERCENT / size),
        'descent-override': percent(DESCENT_PERCENT / size),
        'line-gap-override': '0%',
      })),
    ),
  }),
)

const percent = (ratio: number) => `${Math.round(ratio * 1000) / 10}%`
