import { copyFileSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { parseEnv } from 'node:util'
import { afterAll, beforeEach, expect, test } from 'vitest'
import { unstable_readConfig } from 'wrangler'
import { cloudflare } from '../../package.json'
import { chooseAccount } from './resources'
import { fillInDomain, readResources, requireOwnResources, secondSiteConfig } from './site-config'

const folder = mkdtempSync(join(tmpdir(), 'site-config-'))
const config = join(folder, 'wrangler.toml')
beforeEach(() => copyFileSync('wrangler.toml', config))
afterAll(() => rmSync(folder, { recursive: true }))

const configText = () => readFileSync(config, 'utf8')
const replaceInConfig = (from: string, to: string) => writeFileSync(config, configText().replaceAll(from, to))

/** A prompt that gets these answers, then empty ones; `questions` are those that it was asked. */
function fakePrompt(...answers: string[]) {
  const questions: string[] = []
  const ask = async (question: string) => {
    questions.push(question)
    return answers.shift() ?? ''
  }
  return { ask, questions }
}

const ROUTE = 'routes = [{ pattern = "artist.com", custom_domain = true }]'

test('asks for the domain and the sender', async () => {
  const { ask, questions } = fakePrompt(' https://Artist.com/ ', '')
  await fillInDomain(config, {}, ask)
  expect(questions).toEqual([expect.stringContaining('Domain'), 'Sender of all email [hello@artist.com]: '])
  expect(configText().split('\n')).toEqual(
    expect.arrayContaining([ROUTE, 'SITE_ORIGIN = "https://artist.com"', 'MAIL_FROM = "hello@artist.com"']),
  )
  await fillInDomain(config, {}, async () => expect.unreachable())
})

test('takes domain and sender from flags without a terminal', async () => {
  await fillInDomain(config, { domain: 'artist.com', mailFrom: 'band@mail.artist.com' }, null)
  expect(configText()).toContain('MAIL_FROM = "band@mail.artist.com"')
  expect(readResources(config).origin).toBe('https://artist.com')
})

test.each([
  [{}, /^Say where the site will be: npm run deploy -- --domain artist.com/],
  [{ domain: 'my site' }, '“my site” is not a domain of yours. Enter one like artist.com.'],
  [{ domain: 'artist.com/shop' }, 'is not a domain of yours'],
  [{ domain: 'artist.example' }, 'is not a domain of yours'],
  [{ domain: 'artist.com', mailFrom: 'a band' }, '“a band” is not an email address.'],
])('rejects the flags %j and writes nothing', async (flags, message) => {
  const before = configText()
  await expect(fillInDomain(config, flags, null)).rejects.toThrow(message)
  expect(configText()).toBe(before)
})

test('rejects another domain for a configured site', async () => {
  await fillInDomain(config, { domain: 'artist.com' }, null)
  await fillInDomain(config, { domain: 'artist.com' }, null)
  await expect(fillInDomain(config, { domain: 'other.com' }, null)).rejects.toThrow('"https://artist.com" already')
})

test('attaches the domain of a site that has no route', async () => {
  replaceInConfig('https://artist.example', 'https://artist.com')
  await fillInDomain(config, {}, null)
  expect(configText().split('\n')).toContain(ROUTE)
  const before = configText()
  await fillInDomain(config, {}, null)
  expect(configText()).toBe(before)
})

test.each(['routes = []', 'route = "artist.com/*"', '[[routes]]\npattern = "www.artist.com"\ncustom_domain = true'])(
  'attaches no domain to a site with %j',
  async (routes) => {
    replaceInConfig('https://artist.example', 'https://artist.com')
    replaceInConfig('# `npm run deploy` replaces', `${routes}\n# \`npm run deploy\` replaces`)
    const before = configText()
    await fillInDomain(config, {}, null)
    expect(configText()).toBe(before)
  },
)

test('attaches no domain to a site on workers.dev', async () => {
  replaceInConfig('https://artist.example', 'https://artist-house.band.workers.dev')
  const before = configText()
  await fillInDomain(config, {}, null)
  expect(configText()).toBe(before)
})

test('asks which of several accounts to use', async () => {
  const accounts = [
    { id: 'a1', name: 'Label' },
    { id: 'b2', name: 'Band' },
  ]
  expect(await chooseAccount([{ id: 'a1', name: 'Label' }], null)).toBe('a1')
  expect(await chooseAccount(accounts, fakePrompt('b2').ask)).toBe('b2')
  await expect(chooseAccount(accounts, fakePrompt('c3').ask)).rejects.toThrow(
    /CLOUDFLARE_ACCOUNT_ID:\n {2}a1 \(Label\)/,
  )
  await expect(chooseAccount(accounts, null)).rejects.toThrow('b2 (Band)')
  await expect(chooseAccount([], null)).rejects.toThrow('npx wrangler login')
})

const STAGING = { suffix: 'staging', origin: 'https://staging.site.test', sendsEmail: true }

/** Writes the configuration of a second site; returns it as Wrangler reads it. */
function writeSecondSite(site: typeof STAGING) {
  const other = join(folder, `wrangler.${site.suffix}.toml`)
  writeFileSync(other, secondSiteConfig(config, site))
  return unstable_readConfig({ config: other })
}
/** Writes the configuration of the staging site; returns its routes. */
function writeStagingRoutes() {
  writeSecondSite(STAGING)
  return readResources(join(folder, 'wrangler.staging.toml')).routes
}

test.each([
  ['artist-house', 'staging', 'https://staging.site.test'],
  ['nova', 'staging', 'https://staging.site.test'],
  ['artist-house', 'preview-pr-12', 'https://artist-house-preview-pr-12.band.workers.dev'],
])('gives the second site %s-%s its own resources', async (name, suffix, origin) => {
  replaceInConfig('artist-house', name)
  await fillInDomain(config, { domain: 'artist.com' }, null)
  const other = join(folder, `wrangler.${suffix}.toml`)
  writeFileSync(other, secondSiteConfig(config, { suffix, origin, sendsEmail: true }))
  const [first, second] = [readResources(config), readResources(other)]
  expect([first.worker, second.worker]).toEqual([name, `${name}-${suffix}`])
  expect(second.origin).toBe(origin)
  for (const key of ['worker', 'database', 'namespace'] as const) expect(second[key]).not.toBe(first[key])
  expect(second.queues.filter((queue) => first.queues.includes(queue))).toEqual([])
  expect(second.buckets.filter((bucket) => first.buckets.includes(bucket))).toEqual([])
  expect(second.routes).toEqual(origin.endsWith('.workers.dev') ? [] : ['staging.site.test'])
})

test('rejects a second site that would share a resource', () => {
  replaceInConfig('name = "artist-house"\nmain', 'name = "nova"\nmain')
  expect(() => secondSiteConfig(config, STAGING)).toThrow(
    /^The site staging would use the database artist-house, the bucket artist-house-files, the queue artist-house-jobs, /,
  )
})

test('rejects the origin of production for a second site', () => {
  expect(() => secondSiteConfig(config, { ...STAGING, origin: 'https://Artist.example' })).toThrow(
    'The site staging would take over artist.example, which',
  )
})

const CUSTOM_DOMAIN = '{ pattern = "artist.com", custom_domain = true }'
const ROUTE_NOTATIONS = [
  `routes = [${CUSTOM_DOMAIN}]`,
  `routes = [\n  # The [main] domain, the artist's own.\n  ${CUSTOM_DOMAIN},\n  "www.artist.com/*",\n]`,
  'route = "artist.com/*"',
  'workers_dev = false\n"routes"=["artist.com/*"]',
]
const ROUTE_TABLES = '[[routes]]\npattern = "artist.com"\ncustom_domain = true\n\n# Database\n[[d1_databases]]'

test.each(ROUTE_NOTATIONS)('a second site does not inherit the routes %j', (routes) => {
  replaceInConfig('# routes = [{ pattern = "artist.example", custom_domain = true }]', routes)
  expect(readResources(config).routes).toContain(routes.includes('custom') ? 'artist.com' : 'artist.com/*')
  expect(writeStagingRoutes()).toEqual(['staging.site.test'])
})

test('a second site inherits comments but no route tables', () => {
  replaceInConfig('[[d1_databases]]', ROUTE_TABLES)
  expect(readResources(config).routes).toEqual(['artist.com'])
  expect(writeStagingRoutes()).toEqual(['staging.site.test'])
  expect(secondSiteConfig(config, STAGING)).toContain('# Database\n[[d1_databases]]')
})

test.each([
  ['www.artist.com/*', 'https://www.artist.com', 'www.artist.com'],
  ['https://*.artist.com/*', 'https://staging.artist.com', 'staging.artist.com'],
  ['*artist.com/shop', 'https://artist.com', 'artist.com'],
])('rejects a second site on the production route %s', (pattern, origin, host) => {
  replaceInConfig('# routes = [{ pattern = "artist.example", custom_domain = true }]', `route = "${pattern}"`)
  expect(() => secondSiteConfig(config, { ...STAGING, origin })).toThrow(
    `The site staging would take over ${host}, which`,
  )
  expect(writeStagingRoutes()).toEqual(['staging.site.test'])
})

test('rejects a second site that uses production’s domain or id', async () => {
  await fillInDomain(config, { domain: 'artist.com' }, null)
  const other = join(folder, 'wrangler.staging.toml')
  const check = () => requireOwnResources(readResources(config), readResources(other), { config, suffix: 'staging' })
  const staging = secondSiteConfig(config, STAGING)
  writeFileSync(other, staging)
  check()
  writeFileSync(other, staging.replace('"staging.site.test"', '"artist.com"'))
  expect(check).toThrow('would take over artist.com')
  const id = '6b1c0f2e-0000-4000-8000-000000000001'
  replaceInConfig('00000000-0000-0000-0000-000000000000', id)
  writeFileSync(other, staging.replace('00000000-0000-0000-0000-000000000000', id))
  expect(check).toThrow(`would use the id ${id}`)
})

/** Settings that only production may have, and the id of a price, which a second site inherits. */
const PRODUCTION_SETTINGS = `STRIPE_TAX = "on"
SUBSCRIPTIONS = "on"
PUBLIC_IMAGES_ORIGIN = "https://images.artist.com"
STRIPE_PRICE_GOLD = "price_1"`

test.each([true, false])('a second site inherits no production-only settings (email: %s)', (sendsEmail) => {
  replaceInConfig('# PUBLIC_IMAGES_ORIGIN = "https://images.artist.example"', PRODUCTION_SETTINGS)
  replaceInConfig(
    '# [[r2_buckets]]\n# binding = "PUBLIC_IMAGES"\n# bucket_name = "artist-house-images"',
    '[[r2_buckets]]\nbinding = "PUBLIC_IMAGES"\nbucket_name = "artist-house-images"',
  )
  expect(readResources(config).buckets).toHaveLength(2)
  const { vars, r2_buckets, send_email } = writeSecondSite({ ...STAGING, sendsEmail })
  expect(vars).toEqual({
    SITE_MODE: 'production',
    SITE_ORIGIN: 'https://staging.site.test',
    MAIL_FROM: 'hello@artist.example',
    STRIPE_PRICE_GOLD: 'price_1',
    ...(!sendsEmail && { EMAIL_SENDING: 'off' }),
  })
  expect(r2_buckets).toEqual([expect.objectContaining({ binding: 'FILES', bucket_name: 'artist-house-staging-files' })])
  expect(send_email).toHaveLength(sendsEmail ? 1 : 0)
})

test('rejects settings of production that it cannot remove', () => {
  const inline =
    'r2_buckets = [{ binding = "FILES", bucket_name = "artist-house-files" }, { binding = "PUBLIC_IMAGES", bucket_name = "artist-house-images" }]'
  writeFileSync(
    config,
    configText().replace('[[r2_buckets]]\nbinding = "FILES"\nbucket_name = "artist-house-files"\n', ''),
  )
  replaceInConfig('keep_names = false', `keep_names = false\n${inline}`)
  expect(() => secondSiteConfig(config, STAGING)).toThrow('The site staging would inherit PUBLIC_IMAGES of')
})

test('the deploy button asks for secret, origin and sender', () => {
  const secrets = parseEnv(readFileSync('.dev.vars.example', 'utf8'))
  expect(secrets).toEqual({ SIGNING_SECRET: '' })
  expect(Object.keys(cloudflare.bindings)).toEqual(['SIGNING_SECRET', 'SITE_ORIGIN', 'MAIL_FROM'])
})
