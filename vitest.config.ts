import { cloudflareTest, readD1Migrations } from '@cloudflare/vitest-plugin'
import react from '@vitejs/plugin-react'
import { defineConfig } from 'vitest/config'

// Large enough that no test times out on a busy machine.
const testTimeout = 20_000

const LONG = process.env.LONG === '1'

/** Bundled once for the workers project: some libraries are hundreds of modules. */
const libraries = [
  '@simplewebauthn/server',
  'age-encryption',
  'arctic',
  'drizzle-orm',
  'drizzle-orm/d1',
  'drizzle-orm/sqlite-core',
  'hono',
  'hono/body-limit',
  'hono/cookie',
  'hono/etag',
  'hono/factory',
  'hono/html',
  'hono/http-exception',
  'hono/route',
  'ical-generator',
  'stripe',
  'zod',
  'zod/mini',
]

/**
 * There is one project for each place where code runs: the workers runtime with real D1, KV, R2 and queues; a browser's
 * DOM for components; Node for scripts and for rendering without a window. Build first: the worker reads dist/.
 */
export default defineConfig({
  test: {
    silent: 'passed-only',
    // By default Vitest leaves one core free, which halves the speed of two cores.
    maxWorkers: 2,
    projects: [
      {
        plugins: [
          cloudflareTest({
            wrangler: { configPath: './wrangler.toml' },
            miniflare: {
              // A second database for laggingReplica() of testing/stores.ts.
              d1Databases: { REPLICA: 'replica' },
              // Tests pass this bucket as PUBLIC_IMAGES, which is optional.
              r2Buckets: { PUBLIC_BUCKET: 'public-images' },
              images: { binding: 'LOCAL_IMAGES' },
              bindings: {
                SITE_MODE: 'production',
                SITE_ORIGIN: 'https://fan.example',
                SIGNING_SECRET: 'a-secret-for-the-tests-alone-0123456789',
                SIGNUPS_PER_NETWORK_PER_DAY: '100000',
                MIGRATIONS: await readD1Migrations('./migrations'),
                // `npm run test:long`: suites at full size.
                LONG,
              },
            },
          }),
        ],
        test: {
          name: 'workers',
          include: ['worker/**/*.test.ts'],
          // The files of a Vitest worker share a runtime: starting one per file takes longer than the tests.
          // setup.ts resets its stores.
          isolate: false,
          // architecture.test.ts reads styles as text; Vitest would hand it empty ones.
          css: true,
          setupFiles: ['./worker/testing/setup.ts'],
          globalSetup: ['./scripts/fakes/turnstile.ts', './scripts/fakes/resend.ts'],
          testTimeout,
          deps: { optimizer: { ssr: { enabled: true, include: libraries } } },
        },
      },
      {
        plugins: [react()],
        test: {
          name: 'web',
          testTimeout,
          environment: 'happy-dom',
          include: ['web/**/*.test.{ts,tsx}'],
          setupFiles: ['./web/testing/setup.ts'],
          // Each file gets its own window and modules, in one thread: a thread per file takes twice the time.
          pool: 'vmThreads',
        },
      },
      {
        plugins: [react()],
        test: {
          name: 'node',
          environment: 'node',
          include: ['scripts/**/*.test.ts', 'web/**/*.server-test.tsx'],
          exclude: LONG ? [] : ['scripts/**/*.long.test.ts'],
          globalSetup: ['./scripts/races/prebuilt.ts'],
          // With isolation, each file would load Wrangler, which takes a second.
          isolate: false,
          testTimeout,
        },
      },
    ],
  },
})
