import { convertV4MiniflareOptions, Miniflare } from 'miniflare'
import { unstable_getMiniflareWorkerOptions } from 'wrangler'
import { applyMigrations } from '../tools/local.ts'

// Serves the built benchmark worker with stores that outlive this process, and sends 'ready' to its parent. Parameters:
// bundle folder, stores folder, port and, for a gateway, the URL of the process that casts the votes.

const [bundle = '', folder = '', port = '', writer] = process.argv.slice(2)
const { modulesRules: _, ...worker } = unstable_getMiniflareWorkerOptions('bench/wrangler.toml').workerOptions
const server = new Miniflare(
  convertV4MiniflareOptions({
    ...worker,
    rootPath: '.',
    modules: true,
    scriptPath: `${bundle}/worker.js`,
    bindings: {
      SITE_ORIGIN: 'https://bench.example',
      MAIL_FROM: 'hello@bench.example',
      SITE_MODE: 'production',
      SIGNING_SECRET: 'a-secret-for-the-bench-alone-0123456789',
      ...(writer && { WRITER: writer }),
    },
    host: '127.0.0.1',
    port: Number(port),
    resourcePersistencePath: folder,
  }),
)
await server.ready
await applyMigrations((await server.getD1Database('DB')) as unknown as D1Database)
process.send?.('ready')
