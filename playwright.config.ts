import { defineConfig } from '@playwright/test'
import { CHROMIUM_ARGS, findBrowser } from './scripts/tools/browser.ts'
// Sets E2E_RUN, which the other processes of the run inherit.
import './scripts/tools/e2e-names.ts'

const port = Number(process.env.E2E_PORT ?? 8790)

/** Only `npm run test:long` runs tests tagged `@long`: repetitions, rules that unit tests also prove, timed tests. */
const EXCLUDED_TAGS = process.env.LONG === '1' ? [] : [/@long/]

/** Tests whose result does not depend on the width run at one width. */
const DESKTOP_ONLY = ['content', 'server-errors', 'merch', 'newsletter']
const PHONE_ONLY = ['prompts', 'public-pages']
/** This test starts its own server and takes longest, so it runs first. */
const RUN_FIRST = ['second-artist']
/** These change what other tests count, so they run last; `--project=after --no-deps` runs them alone. */
const RUN_LAST = ['challenge', 'admin-content', 'check-in']
const testFiles = (names: readonly string[]) => names.map((name) => `**/${name}.e2e.ts`)

/**
 * Browser tests against the built site and a fresh demo, at a phone's and a desktop's width. Tests for one width
 * carry a tag.
 */
export default defineConfig({
  testDir: 'web/e2e',
  testMatch: '*.e2e.ts',
  outputDir: 'test-results',
  fullyParallel: true,
  // One per core of the smallest machine; a third worker makes the run longer (docs/decisions/0016).
  workers: 2,
  forbidOnly: true,
  // Ends only a hanging test: each step has its own timeout (docs/decisions/0016).
  timeout: 180_000,
  expect: { timeout: 10_000 },
  reporter: [['list'], ['json', { outputFile: 'test-results/e2e.json' }]],
  use: {
    actionTimeout: 15_000,
    navigationTimeout: 20_000,
    baseURL: `http://localhost:${port}`,
    launchOptions: {
      executablePath: await findBrowser(),
      // No request leaves the machine.
      args: [...CHROMIUM_ARGS, '--host-resolver-rules=MAP * ~NOTFOUND, EXCLUDE localhost, EXCLUDE 127.0.0.1'],
    },
    // Service workers respond to requests that tests stub. Tests of the offline site allow them.
    serviceWorkers: 'block',
    // Tests of animations override it with `no-preference`.
    contextOptions: { reducedMotion: 'reduce' },
    timezoneId: 'America/New_York',
    locale: 'en-US',
    screenshot: 'only-on-failure',
  },
  projects: [
    {
      name: 'first',
      testMatch: testFiles(RUN_FIRST),
      grepInvert: EXCLUDED_TAGS,
      use: { viewport: { width: 1440, height: 900 } },
    },
    {
      name: 'phone',
      grepInvert: [/@desktop/, ...EXCLUDED_TAGS],
      testIgnore: testFiles([...DESKTOP_ONLY, ...RUN_FIRST, ...RUN_LAST]),
      use: { viewport: { width: 390, height: 844 }, hasTouch: true, isMobile: true },
    },
    {
      name: 'desktop',
      grepInvert: [/@phone/, ...EXCLUDED_TAGS],
      testIgnore: testFiles([...PHONE_ONLY, ...RUN_FIRST, ...RUN_LAST]),
      use: { viewport: { width: 1440, height: 900 } },
    },
    {
      name: 'after',
      testMatch: testFiles(RUN_LAST),
      grepInvert: EXCLUDED_TAGS,
      dependencies: ['phone', 'desktop'],
      use: { viewport: { width: 1440, height: 900 } },
    },
  ],
  webServer: {
    command: `exec "${process.execPath}" scripts/e2e-server.ts`,
    url: `http://localhost:${port}/healthz`,
    env: {
      PORT: String(port),
      STATE: '.wrangler/e2e',
      LOG: 'test-results/worker.log',
      // A local OpenID provider, started by the tests that need it.
      GOOGLE_ISSUER: `http://localhost:${port + 1000}`,
      GOOGLE_CLIENT_ID: 'e2e-client',
      GOOGLE_CLIENT_SECRET: 'e2e-client-secret',
    },
    timeout: 180_000,
    gracefulShutdown: { signal: 'SIGTERM', timeout: 8_000 },
  },
})
