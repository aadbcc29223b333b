import { copyFileSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { parseEnv } from 'node:util'
import { afterAll, beforeEach, expect, test } from 'vitest'
import { cloudflare } from '../../package.json'
import { chooseAccount } from './account'
import { fillInDomain, readResources, secondSiteConfig } from './site-config'

const folder = mkdtempSync(join(tmpdir(), 'site-config-'))
const config = join(folder, 'wrangler.toml')
beforeEach(() => copyFileSync('wrangler.toml', config))
afterAll(() => rmSync(folder, { recursive: true }))

const text = () => readFileSync(config, 'utf8')
const replace = (from: string, to: string) => writeFileSync(config, text().replaceAll(from, to))

/** An operator who types these answers. */
function typing(...answers: string[]) {
  const questions: string[] = []
  const ask = async (question: string) => {
    questions.push(question)
    return answers.shift() ?? ''
  }
  return { ask, questions }
}

const ROUTE = 'routes = [{ pattern = "artist.com", custom_domain = true }]'

test('asks for the domain and the sender', async () => {
  const { ask, questions } = typing(' https://Artist.com/ ', '')
  await fillInDomain(config, {}, ask)
  expect(questions).toEqual([expect.stringContaining('Domain'), 'Sender of all email [hello@artist.com]: '])
  expect(text().split('\n')).toEqual(
    expect.arrayContaining([ROUTE, 'SITE_ORIGIN = "https://artist.com"', 'MAIL_FROM = "hello@artist.com"']),
  )
  await fillInDomain(config, {}, async () => expect.unreachable())
})

test('takes domain and sender from flags without a terminal', async () => {
  await fillInDomain(config, { domain: 'artist.com', mailFrom: 'band@mail.artist.com' }, null)
  expect(text()).toContain('MAIL_FROM = "band@mail.artist.com"')
  expect(readResources(config).origin).toBe('https://artist.com')
})

test.each([
  [{}, /^Say where the site will be: npm run deploy -- --domain artist.com/],
  [{ domain: 'my site' }, '“my site” is not a domain of yours. Enter one like artist.com.'],
  [{ domain: 'artist.com/shop' }, 'is not a domain of yours'],
  [{ domain: 'artist.example' }, 'is not a domain of yours'],
  [{ domain: 'artist.com', mailFrom: 'a band' }, '“a band” is not an email address.'],
])('writes nothing for %j', async (flags, message) => {
  const before = text()
  await expect(fillInDomain(config, flags, null)).rejects.toThrow(message)
  expect(text()).toBe(before)
})

test('moves no site to another domain', async () => {
  await fillInDomain(config, { domain: 'artist.com' }, null)
  await fillInDomain(config, { domain: 'artist.com' }, null)
  await expect(fillInDomain(config, { domain: 'other.com' }, null)).rejects.toThrow('"https://artist.com" already')
})

test('asks which of several accounts to use', async () => {
  const accounts = [
    { id: 'a1', name: 'Label' },
    { id: 'b2', name: 'Band' },
  ]
  expect(await chooseAccount([{ id: 'a1', name: 'Label' }], null)).toBe('a1')
  expect(await chooseAccount(accounts, typing('b2').ask)).toBe('b2')
  await expect(chooseAccount(accounts, typing('c3').ask)).rejects.toThrow(/CLOUDFLARE_ACCOUNT_ID:\n {2}a1 \(Label\)/)
  await expect(chooseAccount(accounts, null)).rejects.toThrow('b2 (Band)')
  await expect(chooseAccount([], null)).rejects.toThrow('npx wrangler login')
})

test.each([
  ['artist-house', 'staging', 'https://staging.site.test'],
  ['nova', 'staging', 'https://staging.site.test'],
  ['artist-house', 'preview-pr-12', 'https://artist-house-preview-pr-12.band.workers.dev'],
])('gives a second site of %s, %s, its own resources', async (name, suffix, origin) => {
  replace('artist-house', name)
  await fillInDomain(config, { domain: 'artist.com' }, null)
  const other = join(folder, `wrangler.${suffix}.toml`)
  writeFileSync(other, secondSiteConfig(config, { suffix, origin }))
  const [first, second] = [readResources(config), readResources(other)]
  expect([first.worker, second.worker]).toEqual([name, `${name}-${suffix}`])
  expect(second.origin).toBe(origin)
  for (const key of ['worker', 'database', 'namespace'] as const) expect(second[key]).not.toBe(first[key])
  expect(second.queues.filter((queue) => first.queues.includes(queue))).toEqual([])
  expect(second.buckets.filter((bucket) => first.buckets.includes(bucket))).toEqual([])
  // Deploying it must not take over production's domain.
  expect(readFileSync(other, 'utf8')).not.toContain(ROUTE)
})

test('rejects a second site that would share a resource', () => {
  replace('name = "artist-house"\nmain', 'name = "nova"\nmain')
  expect(() => secondSiteConfig(config, { suffix: 'staging', origin: 'https://staging.site.test' })).toThrow(
    /^The site staging would use the database artist-house, the bucket artist-house-files, the queue artist-house-jobs, /,
  )
})

test('rejects the origin of production for a second site', () => {
  expect(() => secondSiteConfig(config, { suffix: 'staging', origin: 'https://artist.example' })).toThrow(
    'the origin https://artist.example',
  )
})

test('the deploy button asks for a secret without value', () => {
  const secrets = parseEnv(readFileSync('.dev.vars.example', 'utf8'))
  expect(secrets).toEqual({ SIGNING_SECRET: '' })
  expect(Object.keys(cloudflare.bindings)).toEqual(['SIGNING_SECRET', 'SITE_ORIGIN', 'MAIL_FROM'])
})
