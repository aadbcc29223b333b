import { convertV4MiniflareOptions, Miniflare } from 'miniflare'

// `node scripts/races/server-process.ts <runtimeOptions() as JSON>`: serves a worker until it is killed. A forked
// process migrates the database, then sends 'ready', and also ends with its parent.

process.once('disconnect', () => process.exit())
const [options = ''] = process.argv.slice(2)
const server = new Miniflare(convertV4MiniflareOptions(JSON.parse(options)))
await server.ready
if (process.send) {
  // Loads wrangler, which the other servers do not need.
  const { applyMigrations } = await import('../tools/migrations.ts')
  await applyMigrations((await server.getD1Database('DB')) as unknown as D1Database)
  process.send('ready')
}
