import { readFileSync } from 'node:fs'
import { glob } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { BUNDLE_SOURCES, WORKER_BUNDLE } from './prebuilt'

test('BUNDLE_SOURCES covers every source file of the bundle', async () => {
  const { sources } = JSON.parse(readFileSync(`${WORKER_BUNDLE}/index.js.map`, 'utf8')) as { sources: string[] }
  const ownSources = sources
    .map((source) => join(WORKER_BUNDLE, source))
    .filter((file) => !file.startsWith('node_modules'))
  expect(ownSources).toContain('worker/email/EmailLayout.tsx')
  const watched = new Set<string>()
  for await (const file of glob(BUNDLE_SOURCES)) watched.add(file)
  expect(ownSources.filter((file) => !watched.has(file))).toEqual([])
})
