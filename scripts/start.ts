import { createWriteStream, mkdirSync } from 'node:fs'
import { dirname } from 'node:path'
import { demoAdminVar, demoLogins } from './demo/logins.ts'
import { seedDemo } from './demo/seed.ts'
import { isOwnSite } from './site/site-marker.ts'
import { buildWeb } from './tools/build.ts'
import { applyMigrations, ensureSecrets, startWrangler, waitUntilReady, withLocal } from './tools/local.ts'
import { runLocalCrons } from './tools/local-crons.ts'
import { isFree, requestedPort } from './tools/ports.ts'
import { lockState } from './tools/state-lock.ts'

// `npm start`: builds, migrates, seeds the demo and serves it on PORT.
const STATE = process.env.STATE ?? '.wrangler/state'
// LOG names a file for the worker's output.
const log = process.env.LOG ? logInto(process.env.LOG) : null
const print = (line: string) => console.log(line)

function logInto(path: string) {
  mkdirSync(dirname(path), { recursive: true })
  return createWriteStream(path)
}

async function start(): Promise<void> {
  const port = requestedPort()
  const origin = `http://localhost:${port}`
  if (!(await isFree(port)))
    throw new Error(
      `Port ${port} is taken. Stop the program that listens there (\`lsof -i :${port}\` names it), or choose another: PORT=${port + 1} npm start`,
    )
  const lock = lockState(STATE, port)
  process.on('exit', lock.release)
  const startedAt = Date.now()
  if (await buildWeb()) print('Built the site.')
  ensureSecrets()
  const isOwn = isOwnSite(STATE)
  await withLocal(STATE, async ({ DB, FILES }) => {
    await applyMigrations(DB)
    if (!isOwn) await seedDemo({ db: DB, files: FILES }, Date.now(), print)
    // Local queues are in memory: a stopped server has lost its messages.
    await DB.prepare("UPDATE outbox SET queued_at = NULL WHERE state = 'waiting' AND claimed_at IS NULL").run()
  })

  const server = startWrangler({
    state: STATE,
    port,
    // An artist's own site runs in demo mode too, without the demo's logins.
    vars: {
      SITE_MODE: 'demo',
      DEMO_ORIGIN: origin,
      ...(isOwn ? {} : { DEMO_ADMIN: demoAdminVar() }),
      ...passedVars(),
    },
    inheritOutput: false,
  })
  if (server.pid) lock.add(server.pid)
  const output: string[] = []
  for (const stream of [server.stdout, server.stderr])
    stream?.setEncoding('utf8').on('data', (text: string) => {
      output.push(text)
      if (output.length > 400) output.shift()
      if (process.env.VERBOSE) process.stderr.write(text)
      log?.write(text)
    })
  let stopping = false
  const stop = () => {
    stopping = true
    server.kill('SIGTERM')
    setTimeout(() => server.kill('SIGKILL'), 5_000).unref()
  }
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(signal, stop)
  const parent = process.ppid
  setInterval(() => process.ppid !== parent && stop(), 500).unref()
  server.on('exit', (code) => {
    if (!stopping) console.error(`The server stopped unexpectedly:\n${output.join('')}`)
    process.exit(stopping ? 0 : (code ?? 1))
  })
  await waitUntilReady(origin)
  if (isOwn) print('  /admin-login      the administrator that you made: npm run admin:create')
  for (const { username, password, role, tier } of isOwn ? [] : demoLogins)
    print(`  ${(role === 'administrator' ? '/admin-login' : `/login (${tier})`).padEnd(18)}${username} / ${password}`)
  print(
    `\nReady after ${((Date.now() - startedAt) / 1000).toFixed(1)} s: ${origin}\nCtrl-C stops it. VERBOSE=1 shows the worker's log.`,
  )
  await runLocalCrons(origin)
}

/** Settings of optional services from the environment, e.g. for a local provider. */
function passedVars(): Record<string, string> {
  return Object.fromEntries(
    [
      'GOOGLE_CLIENT_ID',
      'GOOGLE_CLIENT_SECRET',
      'GOOGLE_ISSUER',
      'TURNSTILE_SITE_KEY',
      'TURNSTILE_SECRET_KEY',
      'TURNSTILE_VERIFY_URL',
    ].flatMap((name) => {
      const value = process.env[name]
      return value ? [[name, value]] : []
    }),
  )
}

start().catch((error: Error) => {
  console.error(error.message)
  process.exit(1)
})
