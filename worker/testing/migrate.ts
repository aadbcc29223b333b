import { applyD1Migrations, type D1Migration, env } from 'cloudflare:test'
import { emptyDatabase, emptyNames } from './emptied'
import { newLimits } from './limiters'

// Files follow each other in one runtime: each starts on empty stores, with every migration applied. `reset()` of
// cloudflare:test will not do: where a request was under way, the store from before came back minutes later.
newLimits()
await Promise.all([emptyDatabase(env.DB), emptyNames(env.SESSIONS), emptyNames(env.FILES)])
await applyD1Migrations(env.DB, (env as unknown as { MIGRATIONS: D1Migration[] }).MIGRATIONS)
