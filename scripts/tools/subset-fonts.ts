import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import subsetFont from 'subset-font'

const ARCHIVO = 'node_modules/@fontsource-variable/archivo/files/archivo-latin-standard-normal.woff2'
/** No text of the house is lighter, and none narrower (a test looks): what the face holds for that is a third of its bytes. */
export const AXES = { wght: { min: 300, max: 900 }, wdth: { min: 100, max: 125 } }

const charRange = (from: number, to: number) =>
  Array.from({ length: to - from + 1 }, (_, at) => String.fromCodePoint(from + at)).join('')
/** What English is written with; web/styles/fonts.css says it as `unicode-range`, and a test compares. */
export const BASIC_LATIN = `${charRange(0x20, 0x7e)}×–—‘’“”•…`
/** The face's other letters, for names: a page that shows none of them does not fetch them. */
export const EXTENDED_LATIN = `${charRange(0xa0, 0xd6)}${charRange(0xd8, 0xff)}ıŒœˆ˜‚„†‡‰‹›⁄€™↑↓−∕`

/** Cuts the house's letters into dist/fonts: those that every page shows, which are waited for, and the rest. */
export async function subsetFonts(): Promise<void> {
  const whole = readFileSync(ARCHIVO)
  mkdirSync('dist/fonts', { recursive: true })
  for (const [name, text] of [
    ['archivo-latin-english', BASIC_LATIN],
    ['archivo-latin-others', EXTENDED_LATIN],
  ] as const)
    writeFileSync(
      `dist/fonts/${name}.woff2`,
      await subsetFont(whole, text, { targetFormat: 'woff2', variationAxes: AXES }),
    )
}
