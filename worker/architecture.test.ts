import { expect, test } from 'vitest'
import { artist, tracks } from '../scripts/demo/artist'
import { type Import, imports, isOurs, isTest, migrations, sources } from './testing/sources'

// The house's rules of import and of naming, over every source file there is. What breaks one is shown by name.

const violations = (rule: (edge: Import) => boolean) => imports.filter(rule).map(({ from, to }) => `${from} -> ${to}`)

test('the rules see the whole house', () => {
  expect(sources.length).toBeGreaterThan(100)
  expect(sources.filter(({ text }) => text === '').map(({ path }) => path)).toEqual([])
  expect(imports.filter(({ to }) => isOurs(to)).length).toBeGreaterThan(200)
})

test('the web knows of the worker nothing but the contract', () => {
  const known = /^(web|worker\/contract)\//
  expect(violations(({ from, to }) => /^web\//.test(from) && !isTest(from) && isOurs(to) && !known.test(to))).toEqual(
    [],
  )
})

test('the worker knows of the web nothing but what the build left in dist, and only its HTTP skin does', () => {
  const builds = /^worker\/(http|ssr)\//
  expect(
    violations(
      ({ from, to }) =>
        /^worker\//.test(from) &&
        !isTest(from) &&
        (/^(web|scripts|bench)\//.test(to) || (/^dist\//.test(to) && !builds.test(from))),
    ),
  ).toEqual([])
})

test('the contract imports zod alone', () => {
  const known = /^worker\/contract(\/|$)|^zod\/mini$/
  expect(violations(({ from, to }) => /^worker\/contract\//.test(from) && !isTest(from) && !known.test(to))).toEqual([])
})

test('the worker’s lib imports nothing of ours but the contract', () => {
  const known = /^worker\/(lib|contract)\//
  expect(
    violations(({ from, to }) => /^worker\/lib\//.test(from) && !isTest(from) && isOurs(to) && !known.test(to)),
  ).toEqual([])
})

test('the web’s ui and lib know nothing of our nouns', () => {
  const known = /^web\/(ui|lib)\/|^worker\/contract\/images$/
  expect(
    violations(({ from, to }) => /^web\/(ui|lib)\//.test(from) && !isTest(from) && isOurs(to) && !known.test(to)),
  ).toEqual([])
})

test('the domain knows nothing of HTTP', () => {
  const allowed =
    /^worker\/(http|cache|ssr|email)\/|^worker\/(app|index)\.ts$|\.(routes|middleware)\.ts$|^worker\/auth\/(cookies|check-in-token|start-session)\.ts$/
  expect(
    violations(
      ({ from, to }) => /^worker\//.test(from) && !isTest(from) && !allowed.test(from) && /^@?hono(\/|$)/.test(to),
    ),
  ).toEqual([])
})

test('routes ask the domain and write no SQL', () => {
  expect(violations(({ from, to }) => /\.routes\.ts$/.test(from) && /^drizzle-orm|\.table$/.test(to))).toEqual([])
})

// Who is asking is beneath even the points: a hot write joins the session's check into its own statement (ruling 11).
test('points stand at the bottom and import no other feature', () => {
  const below =
    /^worker\/(points|audit|db|lib|contract)\/|^worker\/(limits|env)$|^worker\/auth\/sessions$|^worker\/users\/users\.table$|^worker\/gdpr\/personal-data$/
  const feature = /^worker\/points\/(?!.*\.routes\.ts$)/
  expect(violations(({ from, to }) => feature.test(from) && !isTest(from) && isOurs(to) && !below.test(to))).toEqual([])
})

test('nobody imports in a circle', () => {
  const next = new Map<string, string[]>()
  for (const { from, to, typeOnly } of imports) {
    const file = from.replace(/\.tsx?$/, '')
    if (isOurs(to) && !typeOnly) next.set(file, [...(next.get(file) ?? []), to])
  }
  const done = new Set<string>()
  const cycles: string[] = []
  const visit = (file: string, stack: readonly string[]): void => {
    if (stack.includes(file)) cycles.push([...stack.slice(stack.indexOf(file)), file].join(' -> '))
    if (done.has(file) || stack.includes(file)) return
    for (const dependency of next.get(file) ?? []) visit(dependency, [...stack, file])
    done.add(file)
  }
  for (const file of next.keys()) visit(file, [])
  expect(cycles).toEqual([])
})

test('exports have names, except where a tool asks for a default', () => {
  const tools = /^[^/]*\.ts$|^worker\/index\.ts$|^worker\/ssr\/dist\.d\.ts$|^(web\/e2e|bench|scripts)\//
  const defaultExports = sources.filter(({ path, text }) => !tools.test(path) && /^export default\b/m.test(text))
  expect(defaultExports.map(({ path }) => path)).toEqual([])
})

test('no file or folder is named for nothing in particular', () => {
  const vague = /(^|\/)(utils?|helpers?|misc|common|managers?|services?|shared|index)(\/|\.\w+$)/
  const allowed = ['worker/index.ts', 'worker/contract/index.ts', 'web/styles/index.css']
  const paths = sources.map(({ path }) => path)
  expect(paths.filter((path) => vague.test(path) && !allowed.includes(path))).toEqual([])
})

test('no file is longer than 300 lines', () => {
  const lengths = sources.map(({ path, text }) => ({ path, lines: text.split('\n').length - 1 }))
  expect(lengths.filter(({ lines }) => lines > 300)).toEqual([])
})

test('every picture says its width and height, so that nothing is pushed about when it comes', () => {
  const pictures = sources
    .filter(({ path }) => /^web\/.*\.tsx$/.test(path) && !isTest(path))
    .flatMap(({ path, text }) => [...text.matchAll(/<img\b.*?\/>/gs)].map(([tag]) => ({ path, tag })))
  expect(pictures.length).toBeGreaterThan(4)
  expect(pictures.filter(({ tag }) => !(/\bwidth=/.test(tag) && /\bheight=/.test(tag)))).toEqual([])
})

test('no statement carries a conflict policy, which would override what the triggers do', () => {
  const policy = /\b(insert|update)\s+or\s+(ignore|replace|fail|rollback|abort)\b|\breplace\s+into\b/i
  const shown = ['worker/db/conflicts.test.ts', 'worker/db/immutable-columns.test.ts']
  const offenders = [...sources, ...migrations].filter(({ path, text }) => !shown.includes(path) && policy.test(text))
  expect(offenders.map(({ path }) => path)).toEqual([])
})

// The demo's own scripts do, and the journeys and benches that run on the demo.
test('no code names the demo’s artist or anything of theirs', () => {
  const names = [artist.name, artist.hashtag, artist.lyric, ...tracks.flatMap((track) => [track.title, track.slug])]
  const here = sources.filter(({ path }) => !/^(scripts\/demo|web\/e2e|bench)\//.test(path))
  const named = here.flatMap(({ path, text }) =>
    names.filter((name) => text.toLowerCase().includes(name.toLowerCase())).map((name) => `${path}: ${name}`),
  )
  expect(named).toEqual([])
})
