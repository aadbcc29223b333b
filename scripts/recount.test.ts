import { execFile } from 'node:child_process'
import { createHash } from 'node:crypto'
import { mkdtemp, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { expect, test } from 'vitest'

/** The table rows that docs/recount.mjs prints for ballots of [finalist, exclusion reason or '']. */
async function recountRows(ballots: readonly (readonly [string, string])[]): Promise<string[]> {
  const cells = (values: readonly string[]) =>
    `${values.map((cell) => `"${cell.replaceAll('"', '""')}"`).join(',')}\r\n`
  const lines = ballots.map(([name, excluded], index) =>
    cells([String(index + 1), '2026-08-12', name, `p-${index}`, excluded]),
  )
  const csv = `\ufeffballot,castAt,finalist,voterPseudonym,excluded\r\n${lines.join('')}`
  const file = join(await mkdtemp(join(tmpdir(), 'recount-')), 'ballots.csv')
  await writeFile(file, csv)
  const digest = createHash('sha256').update(csv).digest('hex')
  const { stdout } = await promisify(execFile)(process.execPath, ['docs/recount.mjs', file, digest])
  return stdout.split('\n').filter((line) => line.startsWith('│') && !line.includes('finalist'))
}

test('counts stage names verbatim and leaves out excluded ballots', async () => {
  const rows = await recountRows([
    ['808', ''],
    ['808', 'burst,new_account'],
    ['a","b', ''],
    ['a","b', ''],
    ['__proto__', ''],
    ['The "Kid"', ''],
    ['The "Kid"', ''],
    ['The "Kid"', ''],
    ['left out', 'burst'],
  ])
  expect(
    rows.map((row) =>
      row
        .replace(/^│ \d+ +│|│$/g, '')
        .split('│')
        .map((cell) => cell.trim()),
    ),
  ).toEqual([
    [`'The "Kid"'`, '3'],
    [`'a","b'`, '2'],
    [`'808'`, '1'],
    [`'__proto__'`, '1'],
    [`'left out'`, '0'],
  ])
})
