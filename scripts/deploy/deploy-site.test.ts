import { copyFileSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, afterEach, beforeEach, expect, test } from 'vitest'
import { startFakeCloudflare } from '../fakes/cloudflare'
import { deploySite } from './deploy-site'
import { connectToApi } from './resources'
import { readResources } from './site-config'

const command = 'npm run deploy -- --staging https://site.test'
const SECRET = 'a-secret-for-the-tests-alone-0123456789'
const folder = mkdtempSync(join(tmpdir(), 'deploy-'))
const config = join(folder, 'wrangler.toml')
afterAll(() => rmSync(folder, { recursive: true }))

let cloudflare: Awaited<ReturnType<typeof startFakeCloudflare>>
let isHealthy = true
beforeEach(async () => {
  isHealthy = true
  cloudflare = await startFakeCloudflare()
  copyFileSync('wrangler.toml', config)
})
afterEach(() => cloudflare.close())

/** Deploys to the fake account; returns what was printed. Wrangler commands with the argument `failing` fail. */
async function deployToFake({ failing = '', secret = SECRET as string | null, origin = 'https://site.test' } = {}) {
  const lines: string[] = []
  writeFileSync(config, readFileSync(config, 'utf8').replace(/^SITE_ORIGIN = .*$/m, `SITE_ORIGIN = "${origin}"`))
  const { fetch: realFetch } = globalThis
  globalThis.fetch = async (input, init) =>
    input === 'https://site.test/healthz'
      ? new Response('{}', { status: isHealthy ? 200 : 503 })
      : realFetch(input, init)
  try {
    await deploySite({
      config,
      command,
      api: connectToApi({ baseUrl: cloudflare.url, accountId: 'an-account', token: 'a-token', command }),
      wrangler: async (args) => {
        cloudflare.calls.push(`wrangler ${args.filter((arg) => arg !== '--config' && arg !== config).join(' ')}`)
        return failing === '' || !args.includes(failing)
      },
      build: async () => void cloudflare.calls.push('build'),
      print: (line) => lines.push(line),
      readSecret: async () => secret ?? undefined,
      health: { attempts: 2, intervalMs: 1 },
    })
  } finally {
    globalThis.fetch = realFetch
  }
  return lines.join('\n')
}
const writeCalls = () => cloudflare.calls.filter((call) => /^(POST|PUT|wrangler|build)/.test(call))

test('creates everything, migrates, deploys and checks the site', async () => {
  const output = await deployToFake()
  const { queues } = readResources(config)
  expect(queues).toHaveLength(10)
  expect(writeCalls()).toEqual([
    'build',
    'POST d1/database',
    'POST storage/kv/namespaces',
    'POST r2/buckets',
    ...queues.map(() => 'POST queues'),
    'wrangler d1 migrations apply DB --remote',
    'wrangler deploy --minify',
    'PUT workers/scripts/artist-house/secrets',
  ])
  expect(readFileSync(config, 'utf8')).toMatch(/database_id = "database-1"[\s\S]*id = "namespace-1"/)
  expect(output).toMatch('D1 Time Travel bookmark before the migrations: 0000-bookmark')
  expect(output).toMatch('https://site.test is healthy.')
  expect(output).toMatch('From the next deployment on, npx wrangler rollback')
  expect(output).toMatch(`npm run site:init -- --remote --config ${config}`)
  expect(cloudflare.secrets.get('SIGNING_SECRET')).toBe(SECRET)
  expect(output + readFileSync(config, 'utf8')).not.toContain(SECRET)
})

test('creates nothing on a second run', async () => {
  await deployToFake()
  cloudflare.calls = []
  const output = await deployToFake({ secret: null })
  expect(output).toMatch('To go back to the previous version: npx wrangler rollback')
  expect(output).not.toMatch('site:init')
  expect(writeCalls()).toEqual(['build', 'wrangler d1 migrations apply DB --remote', 'wrangler deploy --minify'])
})

test.each([
  'POST storage/kv/namespaces',
  'POST r2/buckets',
  'POST queues',
  'GET d1/database/database-1/time_travel/bookmark',
])('a second run continues after a failed %s', async (failingCall) => {
  cloudflare.failingCall = failingCall
  await expect(deployToFake()).rejects.toThrow(`(500). Run ${command} again`)
  expect(cloudflare.calls.filter((call) => call.startsWith('wrangler'))).toEqual([])
  cloudflare.failingCall = ''
  cloudflare.calls = []
  await deployToFake()
  expect(writeCalls()).not.toContain('POST d1/database')
  expect(writeCalls()).toContain('wrangler deploy --minify')
  expect(cloudflare.queues.size).toBe(10)
})

test('does not upload the worker when migrations fail', async () => {
  await expect(deployToFake({ failing: 'migrations' })).rejects.toThrow(
    `The migrations failed; nothing is served yet. The reason is above. Run ${command} again.`,
  )
  expect(cloudflare.calls).not.toContain('wrangler deploy --minify')
})

test('a second run continues after a failed upload', async () => {
  await expect(deployToFake({ failing: '--minify' })).rejects.toThrow('The upload failed; nothing is served yet.')
  expect(cloudflare.secrets.size).toBe(0)
  await deployToFake()
  expect(cloudflare.secrets.get('SIGNING_SECRET')).toBe(SECRET)
  await expect(deployToFake({ failing: '--minify' })).rejects.toThrow('the site still runs the previous version')
})

test('says how to roll back when the site is unhealthy', async () => {
  await deployToFake()
  isHealthy = false
  await expect(deployToFake()).rejects.toThrow(
    /healthz is not healthy: it responds with 503 \{\}[\s\S]*rollback[\s\S]*bookmark=0000-bookmark/,
  )
})

test('requires a secret and a domain before it creates anything', async () => {
  await expect(deployToFake({ secret: null })).rejects.toThrow(/needs a signing secret.*openssl rand -base64 48/)
  await expect(deployToFake({ secret: 'a short one' })).rejects.toThrow('at least 32 characters')
  await expect(deployToFake({ origin: 'https://artist.example' })).rejects.toThrow('Set SITE_ORIGIN')
  expect(writeCalls()).toEqual([])
})
