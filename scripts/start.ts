import { createWriteStream, mkdirSync } from 'node:fs'
import { dirname } from 'node:path'
import { demoLogins } from './demo/logins.ts'
import { runLocalCrons } from './tools/local-crons.ts'
import { onStop, prepareLocalSite } from './tools/local-site.ts'
import { runCommand } from './tools/run-command.ts'
import { startWrangler, waitUntilReady } from './tools/wrangler.ts'

// `npm start`: builds, migrates and serves on PORT the artist's site of `site:init`, or else the demo, which it seeds.
// LOG names a file for the worker's output.
/** How many of the last chunks of the worker's output are printed if it stops unexpectedly. */
const LAST_CHUNKS = 400
const log = process.env.LOG ? openLog(process.env.LOG) : null
const print = (line: string) => console.log(line)

function openLog(path: string) {
  mkdirSync(dirname(path), { recursive: true })
  return createWriteStream(path)
}

async function startSite(): Promise<void> {
  const startedAt = Date.now()
  const { state, port, origin, isArtistSite, lock, vars } = await prepareLocalSite('npm start', print)
  const server = startWrangler({ state, port, vars, inheritOutput: false })
  if (server.pid) lock.add(server.pid)
  const output: string[] = []
  for (const stream of [server.stdout, server.stderr])
    stream?.setEncoding('utf8').on('data', (text: string) => {
      output.push(text)
      if (output.length > LAST_CHUNKS) output.shift()
      if (process.env.VERBOSE) process.stderr.write(text)
      log?.write(text)
    })
  let isStopping = false
  const stop = () => {
    isStopping = true
    server.kill('SIGTERM')
    setTimeout(() => server.kill('SIGKILL'), 5_000).unref()
  }
  onStop(stop)
  server.on('exit', (code) => {
    if (!isStopping) console.error(`The server stopped unexpectedly:\n${output.join('')}`)
    process.exit(isStopping ? 0 : (code ?? 1))
  })
  await waitUntilReady(origin)
  if (isArtistSite) print('  /admin-login      your administrator, created with npm run admin:create')
  for (const { username, password, role, tier } of isArtistSite ? [] : demoLogins)
    print(`  ${(role === 'administrator' ? '/admin-login' : `/login (${tier})`).padEnd(18)}${username} / ${password}`)
  print(
    `\nReady after ${((Date.now() - startedAt) / 1000).toFixed(1)} s: ${origin}\nCtrl-C stops it. VERBOSE=1 shows the worker's log.`,
  )
  await runLocalCrons(origin)
}

runCommand(startSite)
