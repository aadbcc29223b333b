import { readFileSync } from 'node:fs'
import { glob } from 'node:fs/promises'
import { expect, test } from 'vitest'

/** The first group of each match. */
const firstGroups = (text: string, pattern: RegExp) => [...text.matchAll(pattern)].map(([, name = '']) => name)
/** Keys of an object literal that starts with `const <name>`. */
const keysOf = (source: string, name: string) =>
  firstGroups(new RegExp(`const ${name}\\b[^{]*\\{\\n([^}]*?)\\n\\}`).exec(source)?.[1] ?? '', /^ {2}(\w+):/gm)

test('the operations guide explains every log line', async () => {
  // The queue handler and background work pass these names to the logger as variables.
  const logged = [
    ...keysOf(readFileSync('worker/queues.ts', 'utf8'), 'HANDLERS'),
    ...keysOf(readFileSync('worker/app.ts', 'utf8'), 'BACKGROUND_WORK'),
  ]
  expect(logged).toEqual(expect.arrayContaining(['mail', 'preview', 'prepare_downloads']))
  for await (const path of glob('worker/**/*.{ts,tsx}'))
    if (!/\.test\.tsx?$/.test(path))
      logged.push(...firstGroups(readFileSync(path, 'utf8'), /(?:log(?:Error|Event)\(|\bat: )'([\w-]+)'/g))
  const [, section = ''] = readFileSync('docs/operations.md', 'utf8').split('## Reading the logs')
  const firstCells = firstGroups(section.split('\n## ')[0] ?? '', /^\| (`[^|]+) \|/gm).filter((cell) => cell !== '`at`')
  expect(firstCells.flatMap((cell) => firstGroups(cell, /`([^`]+)`/g)).sort()).toEqual([...new Set(logged)].sort())
})
