import { buildWeb } from './tools/build.ts'
import { runTool } from './tools/steps.ts'

// `npm run test:long`: suites at full size that `npm test` scales down, or leaves out (`*.long.test.ts`).
const SUITES = [
  'worker/http/fuzz.test.ts',
  'worker/http/faults.test.ts',
  'worker/orders/event-ordering.test.ts',
  'worker/points/ledger-invariants.test.ts',
  'scripts/races',
]

await buildWeb()
process.exit((await runTool('node_modules/vitest/vitest.mjs', ['run', ...SUITES], { LONG: '1' })) ? 0 : 1)
