import { createServer } from 'vite'
import { runLocalCrons } from './tools/local-crons.ts'
import { onStop, prepareLocalSite } from './tools/local-site.ts'
import { findFreePort } from './tools/ports.ts'
import { proxyToWorker } from './tools/proxy-to-worker.ts'
import { runCommand } from './tools/run-command.ts'
import { startWrangler, waitUntilReady } from './tools/wrangler.ts'

// `npm run dev`: vite serves modules with hot reload in front of the worker's pages and API.
async function startDevServer(): Promise<void> {
  const { state, port, lock, vars } = await prepareLocalSite('npm run dev', console.log)
  const workerPort = await findFreePort()
  const worker = startWrangler({ state, port: workerPort, vars, inheritOutput: true })
  if (worker.pid) lock.add(worker.pid)
  const target = `http://localhost:${workerPort}`
  await waitUntilReady(target)
  const vite = await createServer({
    appType: 'custom',
    plugins: [proxyToWorker(target)],
    server: { port, strictPort: true, host: 'localhost' },
  })
  await vite.listen()
  console.log(`\nDeveloping at http://localhost:${port}`)

  const stop = () => {
    worker.kill('SIGTERM')
    void vite.close().finally(() => process.exit(0))
  }
  onStop(stop)
  worker.on('exit', stop)
  await runLocalCrons(target)
}

runCommand(startDevServer)
