import { expect, test } from 'vitest'
import { artist, tracks } from '../scripts/demo/artist'
import { type Import, imports, isInRepository, isTestCode, migrations, sources } from './testing/sources'

const violations = (rule: (edge: Import) => boolean) => imports.filter(rule).map(({ from, to }) => `${from} -> ${to}`)

test('reads every source file', () => {
  expect(sources.length).toBeGreaterThan(100)
  expect(sources.filter(({ text }) => text === '').map(({ path }) => path)).toEqual([])
  expect(imports.filter(({ to }) => isInRepository(to)).length).toBeGreaterThan(200)
})

test('web imports only the contract and Markdown of the worker', () => {
  // A preview renders Markdown with the same code as the page that it shows.
  const allowed = /^(web|worker\/contract)\/|^worker\/lib\/markdown$/
  expect(
    violations(({ from, to }) => /^web\//.test(from) && !isTestCode(from) && isInRepository(to) && !allowed.test(to)),
  ).toEqual([])
})

test('web uses no endpoint schema, which its build removes', () => {
  const readers = sources.filter(({ path, text }) => /^web\//.test(path) && /Api\.\w+\.(body|response)\b/.test(text))
  expect(readers.map(({ path }) => path)).toEqual([])
})

test('worker imports no web code; only http, ssr import dist', () => {
  const mayImportDist = /^worker\/(http|ssr)\//
  expect(
    violations(
      ({ from, to }) =>
        /^worker\//.test(from) &&
        !isTestCode(from) &&
        (/^(web|scripts|bench)\//.test(to) || (/^dist\//.test(to) && !mayImportDist.test(from))),
    ),
  ).toEqual([])
})

test('contract imports only zod', () => {
  const allowed = /^worker\/contract(\/|$)|^zod\/mini$/
  expect(
    violations(({ from, to }) => /^worker\/contract\//.test(from) && !isTestCode(from) && !allowed.test(to)),
  ).toEqual([])
})

test('worker lib imports only the contract', () => {
  const allowed = /^worker\/(lib|contract)\//
  expect(
    violations(
      ({ from, to }) => /^worker\/lib\//.test(from) && !isTestCode(from) && isInRepository(to) && !allowed.test(to),
    ),
  ).toEqual([])
})

test('web ui and lib import no feature', () => {
  const allowed = /^web\/(ui|lib)\/|^worker\/contract\/images$/
  expect(
    violations(
      ({ from, to }) => /^web\/(ui|lib)\//.test(from) && !isTestCode(from) && isInRepository(to) && !allowed.test(to),
    ),
  ).toEqual([])
})

test('domain modules do not import hono', () => {
  const allowed =
    /^worker\/(http|cache|ssr|email)\/|^worker\/(app|index)\.ts$|\.(routes|middleware)\.ts$|\/emails\.tsx$|^worker\/auth\/(cookies|check-in-cookie|start-session)\.ts$|^worker\/payments\/request-payments\.ts$/
  expect(
    violations(
      ({ from, to }) => /^worker\//.test(from) && !isTestCode(from) && !allowed.test(from) && /^@?hono(\/|$)/.test(to),
    ),
  ).toEqual([])
})

test('routes contain no SQL', () => {
  expect(violations(({ from, to }) => /\.routes\.ts$/.test(from) && /^drizzle-orm|\.table$/.test(to))).toEqual([])
})

/** Features from low to high: a feature imports only those before it. */
const FEATURES = [
  'quotas',
  'users',
  'audit',
  'uploads',
  'email',
  'site',
  'auth',
  'points',
  'missions',
  'newsletter',
  'payments',
  'subscriptions',
  'products',
  'shop-settings',
  'discounts',
  'cart',
  'stock-alerts',
  'orders',
  'tracks',
  'releases',
  'downloads',
  'polls',
  'broadcasts',
  'concerts',
  'check-in',
  'community',
  'challenge',
  'exports',
  'imports',
  'jobs',
  'gdpr',
  'archive',
  'admin',
  'developers',
]
/** The interface that every feature implements for erasure and data export; it imports no feature. */
const PERSONAL_DATA_INTERFACE = 'worker/gdpr/personal-data'
/** Known upward imports. Remove entries; do not add any. */
const UPWARD_IMPORTS: readonly string[] = [
  'worker/challenge/finalize.ts -> worker/exports/csv',
  'worker/users/personal-data.ts -> worker/email/personal-data',
]

test('features import only lower features', () => {
  const levelOf = (path: string) => FEATURES.indexOf(path.split('/')[1] ?? '')
  const upward = imports.filter(
    ({ from, to }) =>
      /^worker\/[\w-]+\//.test(from) &&
      !isTestCode(from) &&
      /^worker\/[\w-]+\//.test(to) &&
      levelOf(from) >= 0 &&
      levelOf(to) > levelOf(from) &&
      to !== PERSONAL_DATA_INTERFACE,
  )
  expect([...new Set(upward.map(({ from, to }) => `${from} -> ${to}`))].sort()).toEqual(UPWARD_IMPORTS)
})

test('every worker folder has a place in the import order', () => {
  const infrastructure = ['contract', 'lib', 'db', 'http', 'cache', 'ssr', 'testing']
  const folders = sources.flatMap(({ path }) => /^worker\/([\w-]+)\//.exec(path)?.[1] ?? [])
  expect([...new Set(folders)].filter((name) => ![...FEATURES, ...infrastructure].includes(name))).toEqual([])
})

test('no modules import each other in a cycle', () => {
  const importsOf = new Map<string, string[]>()
  for (const { from, to, typeOnly } of imports) {
    const file = from.replace(/\.tsx?$/, '')
    if (isInRepository(to) && !typeOnly) importsOf.set(file, [...(importsOf.get(file) ?? []), to])
  }
  const visited = new Set<string>()
  const cycles: string[] = []
  const visit = (file: string, stack: readonly string[]): void => {
    if (stack.includes(file)) cycles.push([...stack.slice(stack.indexOf(file)), file].join(' -> '))
    if (visited.has(file) || stack.includes(file)) return
    for (const dependency of importsOf.get(file) ?? []) visit(dependency, [...stack, file])
    visited.add(file)
  }
  for (const file of importsOf.keys()) visit(file, [])
  expect(cycles).toEqual([])
})

test('exports are named, except where a tool needs a default', () => {
  const tools =
    /^[^/]*\.ts$|^worker\/index\.ts$|^worker\/ssr\/dist\.d\.ts$|^web\/styles\/fallback-fonts\.ts$|^(web\/e2e|bench|scripts)\//
  const defaultExports = sources.filter(({ path, text }) => !tools.test(path) && /^export default\b/m.test(text))
  expect(defaultExports.map(({ path }) => path)).toEqual([])
})

test('file and folder names are specific', () => {
  const vague = /(^|\/)(utils?|helpers?|misc|common|managers?|services?|shared|index)(\/|\.\w+$)/
  const allowed = ['worker/index.ts', 'worker/contract/index.ts', 'web/styles/index.css']
  const paths = sources.map(({ path }) => path)
  expect(paths.filter((path) => vague.test(path) && !allowed.includes(path))).toEqual([])
})

test('files have at most 500 lines, tests and styles 700', () => {
  const lengths = sources.map(({ path, text }) => ({ path, lines: text.split('\n').length - 1 }))
  expect(lengths.filter(({ path, lines }) => lines > (isTestCode(path) || path.endsWith('.css') ? 700 : 500))).toEqual(
    [],
  )
})

test('every class of the style sheets is used', () => {
  const code = sources
    .filter(({ path }) => /^(web|worker)\/.*\.tsx?$/.test(path) && !isTestCode(path))
    .map(({ text }) => text)
    .join('\n')
  const styles = sources
    .filter(({ path }) => path.endsWith('.css'))
    .map(({ text }) => text.replace(/\/\*.*?\*\//gs, ''))
  const classes = new Set(
    styles.flatMap((text) => [...text.matchAll(/\.([a-z][\w-]*)(?=[^{};]*\{)/g)].map(([, name]) => name)),
  )
  expect(classes.size).toBeGreaterThan(200)
  expect([...classes].filter((name) => !new RegExp(`(?<![\\w-])${name}(?![\\w-])`).test(code))).toEqual([])
})

test('images have width and height attributes', () => {
  const images = sources
    .filter(({ path }) => /^web\/.*\.tsx$/.test(path) && !isTestCode(path))
    .flatMap(({ path, text }) => [...text.matchAll(/<img\b.*?\/>/gs)].map(([tag]) => ({ path, tag })))
  expect(images.length).toBeGreaterThan(4)
  expect(images.filter(({ tag }) => !(/\bwidth=/.test(tag) && /\bheight=/.test(tag)))).toEqual([])
})

test('no statement overrides the conflict policy of triggers', () => {
  const policy = /\b(insert|update)\s+or\s+(ignore|replace|fail|rollback|abort)\b|\breplace\s+into\b/i
  const exempt = ['worker/db/conflict-clauses.test.ts', 'worker/db/immutable-columns.test.ts']
  const offenders = [...sources, ...migrations].filter(({ path, text }) => !exempt.includes(path) && policy.test(text))
  expect(offenders.map(({ path }) => path)).toEqual([])
})

// Exempt: the demo, and the end-to-end tests and benchmarks that run on it.
test('no code names the demo artist or their work', () => {
  const names = [artist.name, artist.hashtag, artist.lyric, ...tracks.flatMap((track) => [track.title, track.slug])]
  const checked = sources.filter(({ path }) => !/^(scripts\/demo|web\/e2e|bench)\//.test(path))
  const named = checked.flatMap(({ path, text }) =>
    names.filter((name) => text.toLowerCase().includes(name.toLowerCase())).map((name) => `${path}: ${name}`),
  )
  expect(named).toEqual([])
})
