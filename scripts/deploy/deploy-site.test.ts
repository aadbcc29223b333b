import { copyFileSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, afterEach, beforeEach, expect, test } from 'vitest'
import { deploySite } from './deploy-site'
import { connect } from './resources'
import { readResources } from './site-config'

const SECRET = 'a-secret-for-the-tests-alone-0123456789'
const folder = mkdtempSync(join(tmpdir(), 'deploy-'))
const config = join(folder, 'wrangler.toml')
afterAll(() => rmSync(folder, { recursive: true }))

/** A fake of Cloudflare's API, which records every call, and of the site's /healthz. */
let server: Server
let base = ''
let calls: string[] = []
let failOn = ''
let isUp = true
const account = {
  databases: new Map<string, string>(),
  kv: new Map<string, string>(),
  buckets: new Set<string>(),
  queues: new Set<string>(),
  secrets: new Map<string, string>(),
}

const list = (names: Iterable<string>, key: string) => [...names].map((name) => ({ [key]: name }))

function respond(method: string, path: string, query: URLSearchParams, body: Record<string, string>): unknown {
  const [, kind = ''] = /^\/accounts\/acc\/(.*)$/.exec(path) ?? []
  if (kind === 'd1/database') {
    if (method === 'POST') account.databases.set(body.name ?? '', 'db-1')
    else
      return [...account.databases]
        .filter(([name]) => name.startsWith(query.get('name') ?? ''))
        .map(([name, uuid]) => ({ name, uuid }))
    return { uuid: 'db-1' }
  }
  if (kind === 'storage/kv/namespaces') {
    if (method === 'POST') account.kv.set(body.title ?? '', 'kv-1')
    else return [...account.kv].map(([title, id]) => ({ title, id }))
    return { id: 'kv-1' }
  }
  if (kind.startsWith('r2/buckets')) {
    if (method === 'POST') account.buckets.add(body.name ?? '')
    else return account.buckets.has(kind.slice('r2/buckets/'.length)) ? {} : null
    return {}
  }
  if (kind === 'queues') {
    if (method === 'POST') account.queues.add(body.queue_name ?? '')
    return method === 'POST' ? {} : list(account.queues, 'queue_name')
  }
  if (kind.endsWith('/secrets')) {
    if (method === 'PUT') account.secrets.set(body.name ?? '', body.text ?? '')
    return method === 'PUT' ? {} : list(account.secrets.keys(), 'name')
  }
  if (kind.endsWith('/time_travel/bookmark')) return { bookmark: '0000-bookmark' }
  return null
}

beforeEach(async () => {
  calls = []
  failOn = ''
  isUp = true
  for (const store of Object.values(account)) store.clear()
  server = createServer(async (request, response) => {
    let text = ''
    for await (const chunk of request) text += chunk
    const { pathname, searchParams } = new URL(request.url ?? '/', 'http://localhost')
    if (pathname === '/healthz') return response.writeHead(isUp ? 200 : 503).end('{}')
    const call = `${request.method} ${pathname.replace('/accounts/acc/', '')}`
    calls.push(call)
    const isFailing = call === failOn
    const result = isFailing
      ? null
      : respond(request.method ?? '', pathname, searchParams, text ? JSON.parse(text) : {})
    const status = isFailing ? 500 : result === null ? 404 : 200
    response.writeHead(status, { 'content-type': 'application/json' })
    response.end(
      JSON.stringify({ success: status === 200, result, errors: status === 200 ? [] : [{ code: 1, message: 'No.' }] }),
    )
  })
  await new Promise<void>((done) => server.listen(0, '127.0.0.1', done))
  base = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  copyFileSync('wrangler.toml', config)
})
afterEach(async () => {
  server.closeAllConnections()
  await new Promise((done) => server.close(done))
})

/** Deploys to the fake account; returns what was printed. Wrangler commands with the argument `failing` fail. */
async function run({ failing = '', secret = SECRET as string | null, origin = '' } = {}) {
  const lines: string[] = []
  // Redirects the health check to the fake server.
  writeFileSync(
    config,
    readFileSync(config, 'utf8').replace(/^SITE_ORIGIN = .*$/m, `SITE_ORIGIN = "${origin || 'https://site.test'}"`),
  )
  const { fetch: realFetch } = globalThis
  globalThis.fetch = (input, init) => realFetch(String(input).replace('https://site.test', base), init)
  try {
    await deploySite({
      config,
      api: connect(base, 'acc', 'token'),
      wrangler: async (args) => {
        calls.push(`wrangler ${args.filter((arg) => arg !== '--config' && arg !== config).join(' ')}`)
        return failing === '' || !args.includes(failing)
      },
      build: async () => void calls.push('build'),
      print: (line) => lines.push(line),
      readSecret: async () => secret ?? undefined,
      health: { attempts: 2, intervalMs: 1 },
    })
  } finally {
    globalThis.fetch = realFetch
  }
  return lines.join('\n')
}
const writes = () => calls.filter((call) => /^(POST|PUT|wrangler|build)/.test(call))

test('creates everything, migrates, deploys and checks the site', async () => {
  const printed = await run()
  const { queues } = readResources(config)
  expect(queues).toHaveLength(10)
  expect(writes()).toEqual([
    'build',
    'POST d1/database',
    'POST storage/kv/namespaces',
    'POST r2/buckets',
    ...queues.map(() => 'POST queues'),
    'wrangler d1 migrations apply DB --remote',
    'wrangler deploy --minify',
    'PUT workers/scripts/artist-house/secrets',
  ])
  expect(readFileSync(config, 'utf8')).toMatch(/database_id = "db-1"[\s\S]*id = "kv-1"/)
  expect(printed).toMatch('D1 Time Travel bookmark before the migrations: 0000-bookmark')
  expect(printed).toMatch('https://site.test is healthy.')
  expect(printed).toMatch('From the next deployment on, npx wrangler rollback')
  expect(printed).toMatch(`npm run site:init -- --remote --config ${config}`)
  expect(account.secrets.get('SIGNING_SECRET')).toBe(SECRET)
  expect(printed + readFileSync(config, 'utf8')).not.toContain(SECRET)
})

test('creates nothing on a second run', async () => {
  await run()
  calls = []
  const printed = await run({ secret: null })
  expect(printed).toMatch('To go back to the previous version: npx wrangler rollback')
  expect(printed).not.toMatch('site:init')
  expect(writes()).toEqual(['build', 'wrangler d1 migrations apply DB --remote', 'wrangler deploy --minify'])
})

test.each([
  'POST storage/kv/namespaces',
  'POST r2/buckets',
  'POST queues',
  'GET d1/database/db-1/time_travel/bookmark',
])('continues after a failure of %s', async (call) => {
  failOn = call
  await expect(run()).rejects.toThrow('Cloudflare rejected')
  expect(calls.filter((call) => call.startsWith('wrangler'))).toEqual([])
  failOn = ''
  calls = []
  await run()
  expect(writes()).not.toContain('POST d1/database')
  expect(writes()).toContain('wrangler deploy --minify')
  expect(account.queues.size).toBe(10)
})

test('does not upload the worker when migrations fail', async () => {
  await expect(run({ failing: 'migrations' })).rejects.toThrow('The migrations failed; nothing is served yet.')
  expect(calls).not.toContain('wrangler deploy --minify')
})

test('continues after a failed upload', async () => {
  await expect(run({ failing: '--minify' })).rejects.toThrow('The upload failed; nothing is served yet.')
  expect(account.secrets.size).toBe(0)
  await run()
  expect(account.secrets.get('SIGNING_SECRET')).toBe(SECRET)
  await expect(run({ failing: '--minify' })).rejects.toThrow('the site still runs the previous version')
})

test('says how to roll back when the site is unhealthy', async () => {
  await run()
  isUp = false
  await expect(run()).rejects.toThrow(
    /healthz is not healthy: it responds with 503 \{\}[\s\S]*rollback[\s\S]*bookmark=0000-bookmark/,
  )
})

test('requires a secret and a domain before it creates anything', async () => {
  await expect(run({ secret: null })).rejects.toThrow(/needs a signing secret.*openssl rand -base64 48/)
  await expect(run({ secret: 'a short one' })).rejects.toThrow('at least 32 characters')
  await expect(run({ origin: 'https://artist.example' })).rejects.toThrow('Set SITE_ORIGIN')
  expect(writes()).toEqual([])
})
