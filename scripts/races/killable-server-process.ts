import { convertV4MiniflareOptions, Miniflare } from 'miniflare'

// `node scripts/races/killable-server-process.ts <runtimeOptions() as JSON>`: serves until it is killed.

const [options = ''] = process.argv.slice(2)
await new Miniflare(convertV4MiniflareOptions(JSON.parse(options))).ready
