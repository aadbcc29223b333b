import { applyD1Migrations, type D1Migration, env } from 'cloudflare:test'
import { resetRateLimits } from './rate-limiters'
import { emptyDatabase, emptyStore } from './reset-stores'

// Files follow each other in one runtime: each starts on empty stores, with every migration applied. `reset()` of
// cloudflare:test will not do: where a request was under way, the store from before came back minutes later.
resetRateLimits()
await Promise.all([emptyDatabase(env.DB), emptyStore(env.SESSIONS), emptyStore(env.FILES)])
await applyD1Migrations(env.DB, (env as unknown as { MIGRATIONS: D1Migration[] }).MIGRATIONS)
