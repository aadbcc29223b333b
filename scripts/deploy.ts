import { readFileSync, rmSync } from 'node:fs'
import { buildWeb } from './tools/build.ts'
import { runTool } from './tools/steps.ts'

// `npm run deploy`: builds, migrates the remote database, deploys. README, "Deploy", lists what to create first.
const WRANGLER = 'node_modules/wrangler/bin/wrangler.js'

if (/^(database_id|id) = "[0-]+"$/m.test(readFileSync('wrangler.toml', 'utf8'))) {
  console.error(
    'wrangler.toml still holds placeholder ids: create your database and namespace first (README, "Deploy").',
  )
  process.exit(1)
}
await buildWeb()
rmSync('dist/client/media/demo', { recursive: true, force: true })
for (const args of [
  ['d1', 'migrations', 'apply', 'DB', '--remote'],
  ['deploy', '--minify'],
])
  if (!(await runTool(WRANGLER, args))) process.exit(1)
