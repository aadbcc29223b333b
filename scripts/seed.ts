import { seedDemo } from './demo/seed.ts'
import { ensureSecrets, migrate, withLocal } from './tools/local.ts'

// `npm run db:seed`: the demo artist into the local stores, without serving them.
const STATE = process.env.STATE ?? '.wrangler/state'
ensureSecrets()
await migrate(STATE)
await withLocal(STATE, ({ DB, FILES }) =>
  seedDemo({ db: DB, files: FILES }, { now: Date.now(), cacheDir: '.cache/demo', say: console.log }),
)
