import { defineConfig } from '@playwright/test'
import { CHROMIUM_ARGS, findBrowser } from './scripts/tools/browser.ts'
// Read here, too: it draws the names of this run for all of its processes.
import './scripts/tools/e2e-names.ts'

const port = Number(process.env.E2E_PORT ?? 8790)

/** What no width changes is tried at one of them. */
const DESKTOP_ONLY = ['concerts', 'server-errors', 'footer', 'merch', 'newsletter', 'tracks']
const PHONE_ONLY = ['prompts', 'screens', 'tiers']
/**
 * They change what others count: the hall of fame, the tracks and goods on sale, the shows of this month. They come when
 * everybody else is through; `--project=after --no-deps` runs them by themselves.
 */
const RUN_LAST = ['challenge', 'admin-content', 'check-in']
const testFiles = (names: readonly string[]) => names.map((name) => `**/${name}.e2e.ts`)

/**
 * Journeys against the built site and a freshly seeded demo, at the widths of a phone and of a desk. What exists at one
 * width only is tagged with it.
 */
export default defineConfig({
  testDir: 'web/e2e',
  testMatch: '*.e2e.ts',
  outputDir: 'test-results',
  fullyParallel: true,
  // Two cores: one for the browser, one for the worker and the rest.
  workers: 2,
  forbidOnly: true,
  // A story takes as long as it has steps, and each step has its own bound (docs/decisions/0025): waiting costs nothing
  // while it goes well, and a busy machine is slow to begin a song.
  timeout: 180_000,
  expect: { timeout: 10_000 },
  reporter: [['list'], ['json', { outputFile: 'test-results/e2e.json' }]],
  use: {
    actionTimeout: 15_000,
    navigationTimeout: 20_000,
    baseURL: `http://localhost:${port}`,
    launchOptions: {
      executablePath: await findBrowser(),
      // No name but localhost is known: nothing leaves the machine.
      args: [...CHROMIUM_ARGS, '--host-resolver-rules=MAP * ~NOTFOUND, EXCLUDE localhost'],
    },
    timezoneId: 'America/New_York',
    locale: 'en-US',
    // A failed journey leaves a picture and the page's outline.
    screenshot: 'only-on-failure',
  },
  projects: [
    {
      name: 'phone',
      grepInvert: /@desk/,
      testIgnore: testFiles([...DESKTOP_ONLY, ...RUN_LAST]),
      use: { viewport: { width: 390, height: 844 }, hasTouch: true, isMobile: true },
    },
    {
      name: 'desk',
      grepInvert: /@phone/,
      testIgnore: testFiles([...PHONE_ONLY, ...RUN_LAST]),
      use: { viewport: { width: 1440, height: 900 } },
    },
    {
      name: 'after',
      testMatch: testFiles(RUN_LAST),
      dependencies: ['phone', 'desk'],
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
      // Stands in for Google: started by the journeys that need it, and down for all others.
      GOOGLE_ISSUER: `http://localhost:${port + 1000}`,
      GOOGLE_CLIENT_ID: 'journeys',
      GOOGLE_CLIENT_SECRET: 'a-secret-of-the-journeys',
    },
    timeout: 180_000,
    gracefulShutdown: { signal: 'SIGTERM', timeout: 8_000 },
  },
})
