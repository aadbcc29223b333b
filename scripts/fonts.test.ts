import { readFileSync } from 'node:fs'
import { expect, test } from 'vitest'

// The fallback fonts must have the metrics of Archivo, so that loading it does not shift the layout.

const manifest = JSON.parse(readFileSync('dist/manifest.json', 'utf8')) as Record<string, { css?: string[] }>
const css = (manifest['web/main.tsx']?.css ?? []).map((file) => readFileSync(`dist/client/${file}`, 'utf8')).join('')
const fontFaces = [...css.matchAll(/@font-face\s*\{([^}]*)\}/g)].map(
  ([, body = '']) =>
    new Map(
      body.split(';').map((line) => [line.split(':')[0]?.trim() ?? '', line.slice(line.indexOf(':') + 1).trim()]),
    ),
)
const readFraction = (face: Map<string, string>, name: string) => Number.parseFloat(face.get(name) ?? '') / 100
const readRange = (face: Map<string, string>, name: string) => (face.get(name) ?? '').split(' ').map(Number.parseFloat)
const webFonts = fontFaces.filter((face) => face.get('src')?.includes('url('))
const fallbackFaces = fontFaces.filter((face) => !face.get('src')?.includes('url('))

test('self-hosts the fonts and shows text before they load', () => {
  const files = webFonts.map((face) => /url\("?\/(assets\/[^")]+\.woff2)"?\)/.exec(face.get('src') ?? '')?.[1] ?? '')
  expect(files.filter((file) => file.includes('-latin-standard-'))).toHaveLength(1)
  for (const file of files) expect(readFileSync(`dist/client/${file}`).length).toBeLessThan(100 * 1024)
  for (const face of webFonts) expect(face.get('font-display')).toBe('swap')
  expect(css).not.toMatch(/@import|fonts\.(googleapis|gstatic)/)
})

test('the fallback fonts have the metrics of Archivo', () => {
  for (const face of fallbackFaces) {
    expect(face.get('src')).toMatch(/^local\(/)
    const [ascent, descent] = ['ascent-override', 'descent-override'].map(
      (name) => readFraction(face, name) * readFraction(face, 'size-adjust'),
    )
    // The ascent and descent of Archivo, in fractions of the font size.
    expect(ascent).toBeCloseTo(0.878, 2)
    expect(descent).toBeCloseTo(0.21, 2)
    expect(readFraction(face, 'line-gap-override')).toBe(0)
  }
})

test('every weight and width has fallbacks for text and spaces', () => {
  for (const [stretch, weight] of [
    [100, 400],
    [100, 600],
    [100, 750],
    [112, 600],
    [118, 850],
    [125, 850],
  ] as const) {
    const matchingFaces = fallbackFaces.filter((face) =>
      [
        [readRange(face, 'font-stretch'), stretch],
        [readRange(face, 'font-weight'), weight],
      ].every(([range, value]) => {
        const [from = 0, to = 0] = range as number[]
        return from <= (value as number) && (value as number) <= to
      }),
    )
    const ranges = matchingFaces.map((face) => face.get('unicode-range') ?? 'all')
    expect([stretch, weight, ranges.filter((range) => /^(all|U\+20)$/.test(range)).sort()]).toEqual([
      stretch,
      weight,
      ['U+20', 'all'],
    ])
  }
})
