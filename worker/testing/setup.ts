import { applyD1Migrations, type D1Migration, env } from 'cloudflare:test'
import type { Secrets } from '../env'
import { emptyDatabase, emptyStore } from './stores'

declare global {
  namespace Cloudflare {
    interface Env extends Secrets {}
  }
}

// Test files share one runtime. `reset()` of cloudflare:test is not enough: a store with a request in flight can
// reappear minutes later.
Object.assign(globalThis, { testFile: crypto.randomUUID() })
await Promise.all([emptyDatabase(env.DB), emptyStore(env.SESSIONS), emptyStore(env.FILES)])
await applyD1Migrations(env.DB, (env as unknown as { MIGRATIONS: D1Migration[] }).MIGRATIONS)
