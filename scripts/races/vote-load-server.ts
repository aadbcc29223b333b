import { convertV4MiniflareOptions, Miniflare } from 'miniflare'
import { applyMigrations } from '../tools/wrangler.ts'

// `node scripts/races/vote-load-server.ts <runtimeOptions() as JSON>`: serves the benchmark worker on a migrated
// database until it is killed or its parent exits. Sends 'ready' to its parent.

process.once('disconnect', () => process.exit())
const [options = ''] = process.argv.slice(2)
const server = new Miniflare(convertV4MiniflareOptions(JSON.parse(options)))
await server.ready
await applyMigrations((await server.getD1Database('DB')) as unknown as D1Database)
process.send?.('ready')
