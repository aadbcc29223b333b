import { applyD1Migrations, type D1Migration, env, reset } from 'cloudflare:test'

// Files follow each other in one runtime: each starts on empty stores, with every migration applied.
await reset()
await applyD1Migrations(env.DB, (env as unknown as { MIGRATIONS: D1Migration[] }).MIGRATIONS)
