import { cloudflareTest, readD1Migrations } from '@cloudflare/vitest-plugin'
import react from '@vitejs/plugin-react'
import { defineConfig } from 'vitest/config'

// A machine that does other things at the same time is slow, not wrong.
const testTimeout = 20_000

/**
 * Three places where code runs, three projects: the workers runtime with real D1, KV, R2 and queues; a browser's DOM
 * for component logic; plain Node for scripts and for rendering without a window. Build first: the worker reads dist/.
 */
export default defineConfig({
  test: {
    silent: 'passed-only',
    projects: [
      {
        plugins: [
          cloudflareTest({
            wrangler: { configPath: './wrangler.toml' },
            miniflare: {
              bindings: {
                SITE_MODE: 'production',
                SITE_ORIGIN: 'https://fan.example',
                SIGNING_SECRET: 'a-secret-for-the-tests-alone-0123456789',
                MIGRATIONS: await readD1Migrations('./migrations'),
              },
            },
          }),
        ],
        test: {
          name: 'workers',
          include: ['worker/**/*.test.ts'],
          setupFiles: ['./worker/testing/migrate.ts'],
          testTimeout,
        },
      },
      {
        plugins: [react()],
        test: {
          name: 'web',
          environment: 'happy-dom',
          include: ['web/**/*.test.{ts,tsx}'],
          setupFiles: ['./web/testing/setup.ts'],
        },
      },
      {
        plugins: [react()],
        test: {
          name: 'node',
          environment: 'node',
          include: ['scripts/**/*.test.ts', 'web/**/*.server-test.tsx'],
          testTimeout,
        },
      },
    ],
  },
})
