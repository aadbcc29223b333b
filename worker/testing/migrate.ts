import { applyD1Migrations, type D1Migration, env } from 'cloudflare:test'

// Each test file starts on an empty database with every migration applied.
await applyD1Migrations(env.DB, (env as unknown as { MIGRATIONS: D1Migration[] }).MIGRATIONS)
