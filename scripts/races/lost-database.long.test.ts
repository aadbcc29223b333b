import { type ChildProcess, spawn } from 'node:child_process'
import { createHash } from 'node:crypto'
import { existsSync, mkdtempSync, readFileSync, rmSync, symlinkSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { afterAll, expect, test } from 'vitest'
import { type Import, mapColumns } from '../../worker/contract/imports'
import { startFakeCloudflare } from '../fakes/cloudflare'
import { findFreePort } from '../tools/ports'
import { waitUntilReady } from '../tools/wrangler'
import { comparableDigests } from './archive-digests'
import { killServer, sleep, startWranglerDev } from './killable-server'
import { replaceLocalDatabase } from './local-database'

// Deploys a clone in one command, imports 5,000 contacts, deletes the database and restores it. A fake server replaces
// Cloudflare's API, and the local runtime serves what is deployed.

const CONTACT_COUNT = 5_000
const MAX_RESTORE_SECONDS = 600
const SECRET = 'a-secret-of-this-test-0123456789-0123456789'
const ADMIN = { username: 'owner', password: 'four gulls over quiet water' }
const MAIL_OPTIONS = ['--mail-from', 'hello@site.example']
const folder = mkdtempSync(join(tmpdir(), 'lost-database-'))
const cloneFolder = join(folder, 'clone')
const stateFolder = join(folder, 'state')
const databaseFolder = join(stateFolder, 'v3/d1/miniflare-D1DatabaseObject')
afterAll(() => rmSync(folder, { recursive: true, force: true }))

/** Runs a program in the clone; returns its output. @throws Error with the output */
async function run(program: string, args: readonly string[], { cwd = cloneFolder, env = {} } = {}): Promise<string> {
  const child = spawn(program, args, { cwd, env: { ...process.env, SIGNING_SECRET: SECRET, ...env } })
  let output = ''
  for (const stream of [child.stdout, child.stderr]) stream.on('data', (text) => (output += text))
  const code = await new Promise<number | null>((done) => child.once('exit', done))
  if (code !== 0) throw new Error(`${args.join(' ')} failed:\n${output}`)
  return output
}
const runScript = (name: string, args: readonly string[], env = {}) =>
  run(process.execPath, [`scripts/${name}.ts`, ...args], { env })

/** Clones the last commit and links this folder's packages. */
async function cloneProject(): Promise<void> {
  await run('git', ['clone', '--quiet', resolve('.'), cloneFolder], { cwd: folder })
  const lockfile = createHash('sha256')
    .update(readFileSync(join(cloneFolder, 'package-lock.json')))
    .digest('hex')
  // With another lockfile, bootstrap.mjs would run `npm ci` through the link, in this folder's node_modules.
  if (!existsSync('node_modules/.install-stamp') || readFileSync('node_modules/.install-stamp', 'utf8') !== lockfile)
    throw new Error('Run `npm run test:long`, which installs the packages of the lockfile first.')
  symlinkSync(resolve('node_modules'), join(cloneFolder, 'node_modules'))
}

/** Replaces the local runtime's database with the fake account's. */
async function replaceDatabaseFile(file: string): Promise<void> {
  const createDatabaseCode = `import('./scripts/tools/bindings.ts').then(({ withLocalBindings }) => withLocalBindings(${JSON.stringify(stateFolder)},
    ({ DB }) => DB.prepare('CREATE TABLE placeholder (id INTEGER)').run()))`
  // Not --input-type=module: the runtime's own thread would inherit it.
  await run(process.execPath, ['-e', createDatabaseCode])
  replaceLocalDatabase(stateFolder, readFileSync(file))
}

const contactsCsv = [
  'Email Address,First Name,OPTIN_TIME,CONFIRM_TIME,LEID',
  ...Array.from(
    { length: CONTACT_COUNT },
    (_, i) => `fan${i}@fan.example,Fan ${i},2021-04-12 17:13:05,2021-04-12 17:20:00,${i}`,
  ),
].join('\n')

const secondsSince = (startedAt: number) => ((Date.now() - startedAt) / 1000).toFixed(1)

test(
  'deploys a clone, imports contacts, restores a lost database',
  async () => {
    await cloneProject()
    const port = await findFreePort()
    const accountFile = join(folder, 'account.sqlite')
    const database = new DatabaseSync(accountFile)
    const servers: ChildProcess[] = []
    const serve = (protocol: 'http' | 'https') => {
      const vars = { SITE_MODE: 'production', SIGNING_SECRET: SECRET }
      const server = startWranglerDev(stateFolder, port, vars, { cwd: cloneFolder, protocol })
      servers.push(server)
      return server
    }
    const cloudflare = await startFakeCloudflare({
      database,
      onDeployed: async (secret) => {
        expect(secret).toBe(SECRET)
        database.close()
        await replaceDatabaseFile(accountFile)
        serve('https')
      },
    })
    const origin = `http://localhost:${port}`
    const measurements: string[] = []
    try {
      let startedAt = Date.now()
      const printed = await run(
        process.execPath,
        ['scripts/bootstrap.mjs', 'deploy', '--domain', `localhost:${port}`, ...MAIL_OPTIONS],
        {
          env: {
            CLOUDFLARE_API_BASE_URL: cloudflare.url,
            CLOUDFLARE_API_TOKEN: 'a-token',
            CLOUDFLARE_ACCOUNT_ID: 'an-account',
            // The local runtime signs its own certificate.
            NODE_TLS_REJECT_UNAUTHORIZED: '0',
          },
        },
      )
      measurements.push(`from a clone to a healthy site ${secondsSince(startedAt)} s`)
      expect(printed).toContain(`https://localhost:${port} is healthy.`)
      expect(printed).toMatch(/npx wrangler rollback[\s\S]*Next: npm run site:init -- --remote/)
      expect(cloudflare.calls).toContain('PUT workers/scripts/artist-house/domains/records')
      expect(printed).not.toContain(SECRET)
      expect(cloudflare.queues.size).toBe(10)
      expect(cloudflare.consumers).toEqual(cloudflare.queues)
      await killServer(servers.at(-1) as ChildProcess)

      await runScript('site-init', ['--name', 'Ada', '--city', 'Lyon', '--state', stateFolder])
      const account = ['--username', ADMIN.username, '--email', 'owner@site.example']
      await runScript('admin-create', [...account, '--state', stateFolder], { ADMIN_PASSWORD: ADMIN.password })
      let server = serve('http')
      await waitUntilReady(origin)
      const login = async () => {
        const response = await fetch(`${origin}/api/admin/login`, {
          method: 'POST',
          headers: { origin, 'content-type': 'application/json' },
          body: JSON.stringify(ADMIN),
        })
        expect(response.status).toBe(200)
        return response.headers
          .getSetCookie()
          .map((cookie) => cookie.split(';')[0])
          .join('; ')
      }
      const cookie = await login()
      const requestImport = async (method: string, path: string, body?: string) => {
        const type = path.startsWith('?') ? 'text/csv' : 'application/json'
        const headers = { cookie, origin, 'content-type': type }
        const response = await fetch(`${origin}/api/admin/imports${path}`, { method, headers, ...(body && { body }) })
        if (!response.ok) throw new Error(`${method} ${path}: ${response.status} ${await response.text()}`)
        return (await response.json()) as Import
      }
      const pollUntil = async (id: string, state: Import['state']) => {
        for (let found = await requestImport('GET', `/${id}`); ; found = await requestImport('GET', `/${id}`)) {
          if (found.state === state) return found
          await sleep(50)
        }
      }
      startedAt = Date.now()
      const { id, headers } = await requestImport('POST', '?name=fans.csv', contactsCsv)
      const mapping = mapColumns('mailchimp-audience', headers)
      const settings = { kind: 'mailchimp-audience', mapping, consentAttested: true }
      await requestImport('POST', `/${id}/check`, JSON.stringify(settings))
      const { run: checkedRun } = await pollUntil(id, 'checked')
      await requestImport('POST', `/${id}/start`, JSON.stringify({ run: checkedRun }))
      expect((await pollUntil(id, 'imported')).counts).toMatchObject({ subscribed: CONTACT_COUNT, skipped: 0 })
      measurements.push(`${CONTACT_COUNT} contacts imported in ${secondsSince(startedAt)} s`)
      await killServer(server)

      const [archiveFile, secondArchiveFile] = [join(folder, 'site.tar'), join(folder, 'second.tar')]
      await runScript('archive', [archiveFile, '--state', stateFolder])
      rmSync(databaseFolder, { recursive: true })
      startedAt = Date.now()
      await runScript('restore', [archiveFile, '--state', stateFolder])
      const restoredAt = Date.now()
      // This archive must be created before a login changes rows.
      await runScript('archive', [secondArchiveFile, '--state', stateFolder])
      const serverStartedAt = Date.now()
      server = serve('http')
      await waitUntilReady(origin)
      const restoreSeconds = (restoredAt - startedAt + Date.now() - serverStartedAt) / 1000
      measurements.push(`restored ${restoreSeconds.toFixed(1)} s after the loss of the database`)
      expect(restoreSeconds).toBeLessThan(MAX_RESTORE_SECONDS)
      const digests = await comparableDigests(readFileSync(archiveFile))
      expect(await comparableDigests(readFileSync(secondArchiveFile))).toEqual(digests)
      measurements.push(`${Object.keys(digests).length} hashes equal`)
      expect((await fetch(origin)).status).toBe(200)
      await login()
      process.stdout.write(`\nMeasured: ${measurements.join(', ')}\n`)
    } finally {
      for (const server of servers) await killServer(server).catch(() => undefined)
      await cloudflare.close()
    }
  },
  MAX_RESTORE_SECONDS * 1000 + 300_000,
)
