import { PassThrough } from 'node:stream'
import { expect, test } from 'vitest'
import { createPrompt } from '../tools/prompt'
import { initialStatements } from './initial-rows'
import { COUNT_SITES, needsSetup, remoteSteps } from './remote-setup'
import { readSiteDetails, validateSiteDetails } from './site-details'

/** Reads the details from flags and piped answers; returns them and the questions asked. */
async function readWithAnswers(args: readonly string[], answers = '') {
  const [input, output] = [new PassThrough(), new PassThrough()]
  input.end(answers)
  const prompt = createPrompt(input, output)
  const { details } = await readSiteDetails(args, prompt)
  prompt.close()
  return {
    details,
    questions: String(output.read() ?? '')
      .split('\n')
      .filter(Boolean),
  }
}

test('reads piped answers by line; empty means default', async () => {
  const { details, questions } = await readWithAnswers(
    ['--time-zone', 'Europe/Paris'],
    "Ondine D'Arc & the 9\nMarseille\n\n#ondine\n\n\nignored",
  )
  expect(details).toEqual({
    name: "Ondine D'Arc & the 9",
    city: 'Marseille',
    tagline: 'From Marseille',
    hashtag: '#ondine',
    prefix: 'ONDI',
    timeZone: 'Europe/Paris',
    description: "Ondine D'Arc & the 9 from Marseille: music, shows and merch.",
  })
  expect([validateSiteDetails(details), questions.length, questions[2]]).toEqual([
    null,
    6,
    'Tagline [From Marseille]: ',
  ])
})

test('asks nothing if name and city are given', async () => {
  const { details, questions } = await readWithAnswers(['--name', 'Ada', '--city', 'Lyon'], 'never read')
  expect([details.name, details.hashtag, questions]).toEqual(['Ada', '#Ada', []])
  expect(validateSiteDetails((await readWithAnswers([])).details)).toContain('Usage: npm run site:init')
})

test.each([
  [['--prefix', 'no!'], 'The prefix must be 1 to 12 capital letters and digits.'],
  [['--time-zone', 'Mars'], 'The time zone must be one like America/New_York.'],
  [['--hashtag', 'none'], 'The hashtag must be # followed by letters or digits.'],
  [['--name', 'x'.repeat(61)], 'The name must be at most 60 characters.'],
])('rejects %j', async (flags, message) => {
  expect(validateSiteDetails((await readWithAnswers(['--name', 'Ada', '--city', 'Lyon', ...flags])).details)).toBe(
    message,
  )
})

test('uploads images, then rows; the site’s row is last', async () => {
  const { details } = await readWithAnswers(['--name', "D'Arc; --", '--city', 'Lyon'])
  const images = [{ key: 'house/hero.webp', contentType: 'image/webp', file: 'media/hero.webp' }]
  const rows = initialStatements(details, 5)
  const [imageStep, rowsStep] = remoteSteps({ images, rows }, { bucket: 'the-bucket', folder: '/f' })
  expect(imageStep?.args.join(' ')).toBe(
    'r2 object put the-bucket/house/hero.webp --file media/hero.webp --content-type image/webp --remote',
  )
  expect(rowsStep?.args.join(' ')).toBe('d1 execute DB --remote --yes --file /f/rows.sql')
  const sql = String(rowsStep?.file?.text).trimEnd().split('\n')
  expect(sql.at(-1)).toMatch(/^INSERT INTO site \(.*VALUES \(1, 'D''Arc; --', 'From Lyon'.*, 5\);$/)
  expect(sql.slice(0, -1).every((line) => line.startsWith('INSERT INTO tiers '))).toBe(true)
})

test('explains why a database cannot be set up', () => {
  expect(COUNT_SITES.slice(0, 4)).toEqual(['d1', 'execute', 'DB', '--remote'])
  const check = (succeeded: boolean, output: string, skipIfSetUp = false) =>
    needsSetup({ succeeded, output }, { skipIfSetUp })
  expect(check(true, '[{ "results": [ { "sites": 0 } ], "success": true }]')).toBe(true)
  expect(() => check(true, '[{"results":[{"sites":1}]}]')).toThrow('set up already')
  expect(check(true, '[{"results":[{"sites":1}]}]', true)).toBe(false)
  for (const skipIfSetUp of [true, false]) {
    expect(() => check(false, 'no such table: site: SQLITE_ERROR', skipIfSetUp)).toThrow('npm run db:migrate:remote')
    expect(() => check(false, 'You are not authenticated', skipIfSetUp)).toThrow('You are not authenticated')
  }
})
