import { createServer } from 'vite'
import { demoAdminVar } from './demo/logins.ts'
import { seedDemo } from './demo/seed.ts'
import { isOwnSite } from './site/site-marker.ts'
import { buildWeb } from './tools/build.ts'
import { workerPages } from './tools/dev-pages.ts'
import { applyMigrations, ensureSecrets, startWrangler, waitUntilReady, withLocal } from './tools/local.ts'
import { runLocalCrons } from './tools/local-crons.ts'
import { freePort, isFree, requestedPort } from './tools/ports.ts'
import { lockState } from './tools/state-lock.ts'

// `npm run dev`: vite serves modules with hot reload in front of the worker's pages and API.
const STATE = process.env.STATE ?? '.wrangler/state'

async function dev(): Promise<void> {
  const port = requestedPort()
  if (!(await isFree(port))) throw new Error(`Port ${port} is taken. Choose another: PORT=${port + 1} npm run dev`)
  const lock = lockState(STATE, port)
  process.on('exit', lock.release)
  await buildWeb()
  ensureSecrets()
  const isOwn = isOwnSite(STATE)
  await withLocal(STATE, async ({ DB, FILES }) => {
    await applyMigrations(DB)
    if (!isOwn) await seedDemo({ db: DB, files: FILES }, Date.now(), console.log)
  })

  const workerPort = await freePort()
  const worker = startWrangler({
    state: STATE,
    port: workerPort,
    vars: {
      SITE_MODE: 'demo',
      DEMO_ORIGIN: `http://localhost:${port}`,
      ...(isOwn ? {} : { DEMO_ADMIN: demoAdminVar() }),
    },
    inheritOutput: true,
  })
  if (worker.pid) lock.add(worker.pid)
  const target = `http://localhost:${workerPort}`
  await waitUntilReady(target)
  const vite = await createServer({
    appType: 'custom',
    plugins: [workerPages(target)],
    server: { port, strictPort: true, host: 'localhost' },
  })
  await vite.listen()
  console.log(`\nDeveloping at http://localhost:${port}`)

  const stop = () => {
    worker.kill('SIGTERM')
    void vite.close().finally(() => process.exit(0))
  }
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(signal, stop)
  const parent = process.ppid
  setInterval(() => process.ppid !== parent && stop(), 500).unref()
  worker.on('exit', stop)
  await runLocalCrons(target)
}

dev().catch((error: Error) => {
  console.error(error.message)
  process.exit(1)
})
