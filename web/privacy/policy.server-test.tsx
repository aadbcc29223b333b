import { expect, test } from 'vitest'
import table from '../../docs/privacy.md?raw'
import { RETENTION } from '../../worker/contract/retention'
import { render } from '../render'
import { formatMonths } from './policy'

const testFiles = import.meta.glob<string>(['/worker/**/*.test.ts', '/web/**/*.test.ts', '/web/**/*test.tsx'], {
  query: '?raw',
  import: 'default',
  eager: true,
})
/** Marks a sentence that no test can check. */
const MANUAL = 'not testable'
/** The text of a file, by its path from the root. */
const textOf = (file: string) => testFiles[`/${file}`] ?? ''

/** The policy's sentences, without headings and labels. */
function sentencesOf(html: string): string[] {
  const policy = html.slice(html.indexOf('>', html.indexOf('id="who-we-are"')) + 1, html.indexOf('<section id="ask"'))
  return policy
    .replace(/<(h2|strong|thead)[^>]*>.*?<\/\1>/g, '')
    .replace(/<\/(p|li|tr)>/g, '\n')
    .replace(/<\/th>/g, ' ')
    .replace(/<[^>]*>/g, '')
    .replace(/&#x27;/g, "'")
    .split('\n')
    .flatMap((line) =>
      line
        .replace(/\s+/g, ' ')
        .trim()
        .split(/(?<=\.) (?=[A-Z“])/),
    )
    .filter((line) => line !== '' && !line.endsWith(':'))
}

/** A sentence of the policy; the test at each index is in the file at that index. */
type Row = { sentence: string; tests: string[]; files: string[] }
const rows: Row[] = table
  .split('\n')
  .filter((line) => /^\| (?!sentence)/.test(line))
  .map((line) => {
    const [, sentence = '', testNames = '', file = ''] = line.split('|').map((cell) => cell.trim())
    return { sentence, tests: testNames.split('<br>'), files: file.replaceAll('`', '').split('<br>') }
  })

test('lists every policy sentence in docs/privacy.md', async () => {
  const sentences = sentencesOf((await render('/privacy-policy')).html)
  expect(rows.map(({ sentence }) => sentence)).toEqual(sentences)
})

test('names tests that exist', () => {
  const missing = rows.flatMap(({ tests: names, files }) =>
    names.filter((name, index) => {
      const code = textOf(files[index] ?? '')
      return name !== MANUAL && !code.includes(`test('${name}'`) && !code.includes(`])('${name}'`)
    }),
  )
  expect(missing).toEqual([])
})

test('covers measurable sentences with tests', () => {
  const measurable = /\d|cookie|hash|log-in|unsubscribe|deleted|forgotten|stay counted/i
  expect(rows.filter(({ sentence, tests: [testName] }) => testName === MANUAL && measurable.test(sentence))).toEqual([])
})

test('shows every retention period', async () => {
  const text = sentencesOf((await render('/privacy-policy')).html).join(' ')
  const periods = Object.entries(RETENTION).map(([name, value]) =>
    name.endsWith('Months') ? formatMonths(value) : `${value} days`,
  )
  expect(periods.filter((period) => !text.includes(period) && !text.includes(period.replace(' days', '')))).toEqual([])
})
