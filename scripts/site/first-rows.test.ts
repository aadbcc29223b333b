import { PassThrough } from 'node:stream'
import { expect, test } from 'vitest'
import { factsOf, firstRows, problemOf } from './first-rows'
import { asking } from './questions'
import { QUESTION, refusalOf, remoteSteps } from './remote'

/** The command with answers piped in; what it asked comes back as well. */
async function told(args: readonly string[], answers = '') {
  const [input, output] = [new PassThrough(), new PassThrough()]
  input.end(answers)
  const questions = asking(input, output)
  const { facts } = await factsOf(args, questions)
  questions.close()
  return {
    facts,
    asked: String(output.read() ?? '')
      .split('\n')
      .filter(Boolean),
  }
}

test('answers that are piped in are taken line by line, and an empty one is the usual', async () => {
  const { facts, asked } = await told(
    ['--time-zone', 'Europe/Paris'],
    "Ondine D'Arc & the 9\nMarseille\n\n#ondine\n\n\nignored",
  )
  expect(facts).toEqual({
    name: "Ondine D'Arc & the 9",
    city: 'Marseille',
    tagline: 'From Marseille',
    hashtag: '#ondine',
    prefix: 'ONDI',
    timeZone: 'Europe/Paris',
    description: "Ondine D'Arc & the 9 from Marseille: music, shows and merch.",
  })
  expect([problemOf(facts), asked.length, asked[2]]).toEqual([null, 6, 'Tagline [From Marseille]: '])
})

test('a script that gives name and city is asked nothing, and one that gives neither is told how', async () => {
  const { facts, asked } = await told(['--name', 'Ada', '--city', 'Lyon'], 'never read')
  expect([facts.name, facts.hashtag, asked]).toEqual(['Ada', '#Ada', []])
  expect(problemOf((await told([])).facts)).toContain('Usage: npm run site:init')
})

test.each([
  [['--prefix', 'no!'], 'The prefix must be 1 to 12 capital letters and digits.'],
  [['--time-zone', 'Mars'], 'The time zone must be one like America/New_York.'],
  [['--hashtag', 'none'], 'The hashtag must be # and letters.'],
  [['--name', 'x'.repeat(61)], 'The name must be at most 60 characters.'],
])('%j makes no sense and is refused', async (wrong, sentence) => {
  expect(problemOf((await told(['--name', 'Ada', '--city', 'Lyon', ...wrong])).facts)).toBe(sentence)
})

test('a deployment is set up by wrangler: the pictures into its bucket, then the rows, the site’s own last', async () => {
  const { facts } = await told(['--name', "D'Arc; --", '--city', 'Lyon'])
  const pictures = [{ key: 'house/hero.webp', contentType: 'image/webp', bytes: new Uint8Array(3) }]
  const rows = firstRows(facts, 5)
  const [picture, last] = remoteSteps({ pictures, rows }, { bucket: 'the-bucket', folder: '/f' })
  expect(picture?.args.join(' ')).toBe(
    'r2 object put the-bucket/house/hero.webp --file /f/picture-0 --content-type image/webp --remote',
  )
  expect(last?.args.join(' ')).toBe('d1 execute DB --remote --yes --file /f/rows.sql')
  const sql = String(last?.file?.bytes).trimEnd().split('\n')
  expect(sql.at(-1)).toMatch(/^INSERT INTO site \(.*VALUES \(1, 'D''Arc; --', 'From Lyon'.*, 5\);$/)
  expect(sql.slice(0, -1).every((line) => line.startsWith('INSERT INTO tiers '))).toBe(true)
})

test('it is asked first whether there is a site, and nothing is touched where there is or where that is not known', () => {
  expect(QUESTION.slice(0, 4)).toEqual(['d1', 'execute', 'DB', '--remote'])
  expect(refusalOf(true, '[{ "results": [ { "sites": 0 } ], "success": true }]')).toBe(null)
  expect(refusalOf(true, '[{"results":[{"sites":1}]}]')).toContain('set up already')
  expect(refusalOf(false, 'no such table: site: SQLITE_ERROR')).toContain('npm run db:migrate:remote')
  expect(refusalOf(false, 'You are not authenticated')).toContain('You are not authenticated')
})
