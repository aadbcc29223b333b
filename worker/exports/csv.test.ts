import { env } from 'cloudflare:test'
import { parse } from 'csv-parse/sync'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { csvCell, csvHeader, csvRow, decimalFromCents, isoTimestamp } from './csv'

/** A CSV row as written by SQL. */
const csvOf = async (...texts: (string | null)[]) => {
  const columns = texts.map((_, i) => ({ header: `c${i}`, sql: `?${i + 1}` }))
  const row = await env.DB.prepare(`SELECT ${csvRow(columns)} AS text`)
    .bind(...texts)
    .first<{ text: string }>()
  return row!.text
}
const read = (csv: string) => parse(csv, { bom: true, relaxColumnCount: false }) as string[][]

test.each([
  '=1+1',
  '+1',
  '-1',
  '@SUM(A1)',
  '\t=1',
  '\r=1',
  '\n=1',
  '\u0000=1',
  ' =1',
  '   -1',
  '＝1',
  '＋1',
  '－1',
  '＠1',
])('escapes the formula %j', async (text) => {
  expect(await csvOf(text)).toBe(`"'${text.replaceAll('"', '""')}"\r\n`)
})

test.each(['plain', '1-1', 'a=b', '', '"quoted"', 'two\r\nlines', 'a,b', '🎤', 'שלום', "O'Hara"])(
  'round-trips %j',
  async (text) => {
    expect(read(await csvOf(text))).toEqual([[text]])
  },
)

test('round-trips any text, formulas with an apostrophe', async () => {
  const text = fc.string({ unit: 'grapheme', maxLength: 40 }).filter((value) => !value.includes('\u0000'))
  await fc.assert(
    fc.asyncProperty(fc.array(text, { minLength: 1, maxLength: 4 }), async (texts) => {
      const csv = await csvOf(...texts)
      expect(csv).toMatch(/^"[\s\S]*"\r\n$/)
      const [row] = read(csv)
      row!.forEach((value, i) => {
        expect([texts[i], `'${texts[i]}`]).toContain(value)
        expect(value).not.toMatch(/^ *[=+\-@\t\r\n＝＋－＠]/)
      })
    }),
    { numRuns: 60 },
  )
})

/** Reference implementation of the escaping rule, independent of the SQL. */
const expectedCell = (text: string) =>
  `"${/^ *[=+\-@\t\r\n\0＝＋－＠]/.test(text) ? "'" : ''}${text.replaceAll('"', '""')}"`

test('escapes texts as the reference implementation does', async () => {
  const maliciousCells = fc.string({
    unit: fc.constantFrom(...'=+-@\t\r\n\0＝＋－＠ "\',;:<>azAZ09_é🎤'),
    maxLength: 8,
  })
  await fc.assert(
    fc.asyncProperty(fc.array(maliciousCells, { minLength: 1, maxLength: 40 }), async (texts) => {
      expect(await csvOf(...texts)).toBe(`${texts.map(expectedCell).join(',')}\r\n`)
    }),
    { numRuns: 100 },
  )
})

test('writes NULL as an empty cell', async () => {
  expect(await csvOf('a', null, 'b')).toBe('"a","","b"\r\n')
})

test('writes BOM, header and unescaped numbers', async () => {
  expect(
    csvHeader([
      { header: 'ballot', sql: '' },
      { header: 'castAt', sql: '' },
    ]),
  ).toBe('\ufeffballot,castAt\r\n')
  const row = await env.DB.prepare(
    `SELECT ${csvCell(decimalFromCents('4850'))} AS money, ${isoTimestamp('1782921600123')} AS at, ${isoTimestamp('NULL')} AS never`,
  ).first()
  expect(row).toEqual({ money: '48.50', at: '2026-07-01T16:00:00.123Z', never: null })
})
