import { type D1Migration, env } from 'cloudflare:test'
import type { UncheckedVars } from '../env'
import { lowerPasswordCost } from './password-cost'
import { emptyStore, resetDatabase } from './stores'

declare global {
  namespace Cloudflare {
    interface Env extends UncheckedVars {}
  }
}

// The prefix of rate limit keys, see client.ts.
Object.assign(globalThis, { testFileId: crypto.randomUUID() })
// Test files share one runtime. `reset()` of cloudflare:test is not enough: a store with a request in flight can
// reappear minutes later.
const { MIGRATIONS } = env as unknown as { MIGRATIONS: D1Migration[] }
await Promise.all([resetDatabase(env.DB, MIGRATIONS), emptyStore(env.SESSIONS), emptyStore(env.FILES)])
lowerPasswordCost()
