import { readdirSync, readFileSync } from 'node:fs'
import { createTestHarness } from 'wrangler'
import { type Contest, measure } from '../bench/rounds.ts'
import { sizes } from '../bench/sizes.ts'
import { seedRows } from './demo/seed.ts'
import { buildWeb } from './tools/build.ts'
import { QUIET } from './tools/quiet.ts'
import { runTool } from './tools/steps.ts'

// `npm run bench`: figures against their floors, as ratios measured in one run. Prints a miss as a miss; exits
// non-zero for one only with --strict.
const hello = '/floor/hello'
const pointRead = '/floor/point-read'
const contests: Contest[] = [
  { figure: 'public configuration over hello', path: '/api/config', floor: hello, target: 0.8 },
  { figure: 'tracks over hello', path: '/api/tracks', floor: hello, target: 0.8 },
  { figure: 'tracks over one D1 point read', path: '/api/tracks', floor: pointRead, target: null },
  { figure: 'upcoming shows over one D1 point read', path: '/api/concerts/upcoming', floor: pointRead, target: null },
  { figure: 'active polls over one D1 point read', path: '/api/polls/active', floor: pointRead, target: null },
  { figure: 'leaderboard over one D1 point read', path: '/api/leaderboard', floor: pointRead, target: null },
  { figure: 'challenge over one D1 point read', path: '/api/challenge', floor: pointRead, target: null },
  { figure: 'home page over one D1 point read', path: '/', floor: pointRead, target: null },
]

Object.assign(process.env, QUIET)
await buildWeb()
await runTool('node_modules/wrangler/bin/wrangler.js', ['deploy', '--dry-run', '--outdir', 'dist/dry-run', '--minify'])
const vars = {
  SITE_MODE: 'demo',
  SITE_ORIGIN: 'https://bench.example',
  MAIL_FROM: 'hello@bench.example',
  SIGNING_SECRET: 'a-secret-for-the-bench-alone-0123456789',
}
const server = createTestHarness({
  workers: [
    { configPath: 'bench/wrangler.toml', vars },
    { configPath: 'wrangler.toml', vars },
  ],
})
await server.listen()
const worker = server.getWorker<{ DB: D1Database }>('bench')
await worker.applyD1Migrations('DB')
await seedRows((await worker.getEnv()).DB, Date.now())

/** Grows the number of calls until one request to the bench takes as long as wanted. */
async function load(path: string, seconds: number): Promise<number> {
  for (let calls = 64; ; ) {
    const began = performance.now()
    const answer = await worker.fetch(`/bench?path=${encodeURIComponent(path)}&calls=${calls}`)
    const { failed } = (await answer.json()) as { failed: number }
    if (failed > 0) throw new Error(`${path}: ${failed} of ${calls} calls failed.`)
    const took = (performance.now() - began) / 1000
    if (took >= seconds * 0.7) return calls / took
    calls = Math.ceil(calls * Math.min(20, (seconds * 1.1) / Math.max(took, 0.001)))
  }
}

const outcomes = await measure(contests, load, { rounds: 6, seconds: 1 })
console.log(
  `\n${'figure'.padEnd(44)}${'per second'.padStart(12)}${'ratio (min..max)'.padStart(24)}${'target'.padStart(9)}  held`,
)
for (const { figure, perSecond, ratios, target, held } of outcomes)
  console.log(
    `${figure.padEnd(44)}${perSecond.toFixed(0).padStart(12)}${`${ratios.median.toFixed(3)} (${ratios.min.toFixed(2)}..${ratios.max.toFixed(2)})`.padStart(24)}${(target?.toFixed(2) ?? '-').padStart(9)}  ${held === null ? '-' : held ? 'yes' : 'MISSED'}`,
  )

const page = await (await server.getWorker('artist-house').fetch('/')).text()
const bundle = readdirSync('dist/dry-run').find((name) => name.endsWith('.js'))
const gates = sizes(page, bundle ? readFileSync(`dist/dry-run/${bundle}`, 'utf8') : null)
for (const { figure, bytes, limit, held } of gates)
  console.log(
    `${figure.padEnd(44)}${`${(bytes / 1024).toFixed(1)} KB`.padStart(12)}${''.padStart(24)}${`${limit / 1024} KB`.padStart(9)}  ${held ? 'yes' : 'MISSED'}`,
  )

await server.close()
const missed = [...outcomes, ...gates].some(({ held }) => held === false)
process.exit(missed && process.argv.includes('--strict') ? 1 : 0)
