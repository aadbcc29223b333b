import { seedDemo } from './demo/seed.ts'
import { hasArtistSite } from './site/site-marker.ts'
import { ensureSecrets, withLocalBindings } from './tools/bindings.ts'
import { applyMigrations } from './tools/migrations.ts'
import { lockState } from './tools/state-lock.ts'

// `npm run db:seed`: seeds the demo into the local stores without serving it.
const STATE_FOLDER = process.env.STATE ?? '.wrangler/state'
if (hasArtistSite(STATE_FOLDER)) {
  console.error('This folder holds your own site (npm run site:init), so the demo was not seeded.')
  process.exit(1)
}
ensureSecrets()
const lock = lockState(STATE_FOLDER)
await withLocalBindings(STATE_FOLDER, async ({ DB, FILES }) => {
  await applyMigrations(DB)
  await seedDemo({ db: DB, files: FILES }, Date.now(), console.log)
})
lock.release()
