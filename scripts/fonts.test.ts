import { readdirSync, readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { AXES, BASIC_LATIN, EXTENDED_LATIN } from './tools/subset-fonts.ts'

// Letters that are swapped in must not push about what was read meanwhile.

const manifest = JSON.parse(readFileSync('dist/manifest.json', 'utf8')) as Record<string, { css?: string[] }>
const css = (manifest['web/main.tsx']?.css ?? []).map((file) => readFileSync(`dist/client/${file}`, 'utf8')).join('')
const faces = [...css.matchAll(/@font-face\s*\{([^}]*)\}/g)].map(
  ([, body = '']) =>
    new Map(
      body.split(';').map((line) => [line.split(':')[0]?.trim() ?? '', line.slice(line.indexOf(':') + 1).trim()]),
    ),
)
const percent = (face: Map<string, string>, name: string) => Number.parseFloat(face.get(name) ?? '') / 100
const span = (face: Map<string, string>, name: string) => (face.get(name) ?? '').split(' ').map(Number.parseFloat)
const ours = faces.filter((face) => face.get('src')?.includes('url('))
const fallbacks = faces.filter((face) => !face.get('src')?.includes('url('))

test('letters come from the house: what English needs under 40 KB, the rest apart, and text is read before they do', () => {
  const files = ours.map((face) => /url\("?\/(assets\/[^")]+\.woff2)"?\)/.exec(face.get('src') ?? '')?.[1] ?? '')
  expect(files).toEqual([expect.stringContaining('-latin-english-'), expect.stringContaining('-latin-others-')])
  const sizes = files.map((file) => readFileSync(`dist/client/${file}`).length)
  expect(sizes[0]).toBeLessThan(40 * 1024)
  expect(sizes[1]).toBeLessThan(32 * 1024)
  for (const face of ours) {
    expect(face.get('font-display')).toBe('swap')
  }
  expect(css).not.toMatch(/@import|fonts\.(googleapis|gstatic)/)
})

test('the files are asked for by the very letters that were cut into them', () => {
  const asked = ours.map((face) =>
    (face.get('unicode-range') ?? '')
      .split(',')
      .flatMap((range) => {
        const [from = 0, to = from] = range
          .trim()
          .slice(2)
          .split('-')
          .map((hex) => Number.parseInt(hex, 16))
        return Array.from({ length: to - from + 1 }, (_, at) => String.fromCodePoint(from + at))
      })
      .sort()
      .join(''),
  )
  expect(asked).toEqual([BASIC_LATIN, EXTENDED_LATIN].map((letters) => [...letters].sort().join('')))
})

test('no style asks for a letter that was not cut: lighter, heavier, narrower or wider', () => {
  const folder = 'dist/client/assets'
  const styles = readdirSync(folder)
    .filter((name) => name.endsWith('.css'))
    .map((name) => readFileSync(`${folder}/${name}`, 'utf8').replace(/@font-face\s*\{[^}]*\}/g, ''))
    .join('')
  const declared = /(?<![\w-])(?:--tw-)?font(-weight|-stretch|-width|-variation-settings)?:\s*([^;}]+)/g
  const values = (what?: string) =>
    [...styles.matchAll(declared)].filter(([, of]) => of === what).map(([, , value]) => value ?? '')
  const between = ({ min, max }: { min: number; max: number }, value: string) =>
    min <= Number.parseFloat(value) && Number.parseFloat(value) <= max
  // `bolder` is 900 at the most; `lighter` may be 100.
  const known = /^(inherit|initial|normal|bold|bolder|var\(--(tw-)?font-weight(-\w+)?\))$/
  const named = [...styles.matchAll(/--font-weight-\w+:\s*([^;}]+)/g)].map(([, value = '']) => value)
  const [weights, widths] = [[...named, ...values('-weight')].filter((one) => !known.test(one)), values('-stretch')]
  expect(weights.length).toBeGreaterThan(5)
  expect(weights.filter((one) => !between(AXES.wght, one))).toEqual([])
  expect(widths.length).toBeGreaterThan(3)
  expect(widths.filter((one) => !(one.endsWith('%') && between(AXES.wdth, one)))).toEqual([])
  // Nothing else sets them.
  expect([...new Set([...values(), ...values('-width')])]).toEqual(['inherit'])
  expect(values('-variation-settings').filter((one) => !/^inherit$|,\s*normal\)$/.test(one))).toEqual([])
})

test('whatever is swapped stood in a face of its own width, as high as what comes', () => {
  for (const face of fallbacks) {
    expect(face.get('src')).toMatch(/^local\(/)
    const [ascent, descent] = ['ascent-override', 'descent-override'].map(
      (name) => percent(face, name) * percent(face, 'size-adjust'),
    )
    // Archivo's own, in em.
    expect(ascent).toBeCloseTo(0.878, 2)
    expect(descent).toBeCloseTo(0.21, 2)
    expect(percent(face, 'line-gap-override')).toBe(0)
  }
  for (const [stretch, weight] of [
    [100, 400],
    [100, 600],
    [100, 750],
    [112, 600],
    [118, 850],
    [125, 850],
  ] as const) {
    const fitting = fallbacks.filter((face) =>
      [
        [span(face, 'font-stretch'), stretch],
        [span(face, 'font-weight'), weight],
      ].every(([range, value]) => {
        const [from = 0, to = 0] = range as number[]
        return from <= (value as number) && (value as number) <= to
      }),
    )
    // The spaces, which differ most from the house's, apart.
    const ranges = fitting.map((face) => face.get('unicode-range') ?? 'all')
    expect([stretch, weight, ranges.filter((range) => /^(all|U\+20)$/.test(range)).sort()]).toEqual([
      stretch,
      weight,
      ['U+20', 'all'],
    ])
  }
})
