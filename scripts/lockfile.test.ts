import { readFileSync } from 'node:fs'
import { expect, test } from 'vitest'

type Lockfile = { packages: Record<string, { resolved?: string; optionalDependencies?: Record<string, string> }> }
const { packages } = JSON.parse(readFileSync('package-lock.json', 'utf8')) as Lockfile

// If a package is released before its platform packages, npm leaves the missing ones out of the lockfile, and
// `npm ci` fails everywhere.
test('every optional dependency has a lockfile entry', () => {
  const present = new Set(Object.keys(packages).map((path) => path.split('node_modules/').pop()))
  const missing = Object.entries(packages).flatMap(([path, { optionalDependencies = {} }]) =>
    Object.keys(optionalDependencies)
      .filter((name) => !present.has(name))
      .map((name) => `${path} -> ${name}`),
  )
  expect(missing).toEqual([])
})

test('the lockfile contains no registry URLs', () => {
  expect(Object.values(packages).filter(({ resolved }) => resolved)).toEqual([])
})
