import { defineConfig } from '@playwright/test'
import { CHROMIUM_ARGS, findBrowser } from './scripts/tools/browser.ts'
// Chooses the run's names for all processes.
import './scripts/tools/e2e-names.ts'

const port = Number(process.env.E2E_PORT ?? 8790)

/** Only `npm run test:long` runs the tests with this tag: checks on further pages and widths, and of covered rules. */
const LONG_TAG = process.env.LONG === '1' ? [] : [/@long/]

/** Tests that no width changes run at one width. */
const DESKTOP_ONLY = ['content', 'server-errors', 'merch', 'newsletter']
const PHONE_ONLY = ['prompts', 'screens']
/** Has its own server; it takes longest, so it starts first. */
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
  // One per core of the smallest machine; a third makes the run longer (docs/decisions/0016).
  workers: 2,
  forbidOnly: true,
  // Each step has its own bound (docs/decisions/0016).
  timeout: 180_000,
  expect: { timeout: 10_000 },
  reporter: [['list'], ['json', { outputFile: 'test-results/e2e.json' }]],
  use: {
    actionTimeout: 15_000,
    navigationTimeout: 20_000,
    baseURL: `http://localhost:${port}`,
    launchOptions: {
      executablePath: await findBrowser(),
      // Nothing leaves the machine.
      args: [...CHROMIUM_ARGS, '--host-resolver-rules=MAP * ~NOTFOUND, EXCLUDE localhost, EXCLUDE 127.0.0.1'],
    },
    // Tests of the offline site ask for them; they answer requests that other tests stub.
    serviceWorkers: 'block',
    // Tests of motion ask for it.
    contextOptions: { reducedMotion: 'reduce' },
    timezoneId: 'America/New_York',
    locale: 'en-US',
    screenshot: 'only-on-failure',
  },
  projects: [
    {
      name: 'first',
      testMatch: testFiles(RUN_FIRST),
      grepInvert: LONG_TAG,
      use: { viewport: { width: 1440, height: 900 } },
    },
    {
      name: 'phone',
      grepInvert: [/@desktop/, ...LONG_TAG],
      testIgnore: testFiles([...DESKTOP_ONLY, ...RUN_FIRST, ...RUN_LAST]),
      use: { viewport: { width: 390, height: 844 }, hasTouch: true, isMobile: true },
    },
    {
      name: 'desktop',
      grepInvert: [/@phone/, ...LONG_TAG],
      testIgnore: testFiles([...PHONE_ONLY, ...RUN_FIRST, ...RUN_LAST]),
      use: { viewport: { width: 1440, height: 900 } },
    },
    {
      name: 'after',
      testMatch: testFiles(RUN_LAST),
      grepInvert: LONG_TAG,
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
