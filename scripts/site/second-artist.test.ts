import { type ChildProcess, spawn, spawnSync } from 'node:child_process'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import sharp from 'sharp'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { CONCERT, PRODUCT, type SITE, TRACK } from '../../worker/testing/drafts'
import { artist, MEDIA, tracks } from '../demo/artist'
import { demoLogins } from '../demo/logins'
import { seedRows } from '../demo/seed'
import { shows } from '../demo/shows'
import { migrate, withLocal } from '../tools/local'

// Another artist moves into the demo's house: the demo is emptied by the command, everything else is done at the desk,
// and afterwards nothing that the house says anywhere is the first artist's.

const state = mkdtempSync(join(tmpdir(), 'second-artist-'))
const port = 9000 + (process.pid % 900)
const base = `http://localhost:${port}`
let server: ChildProcess
let output = ''
const NAME = "Ondine D'Arc & the 9"

const run = (script: string, ...args: string[]) =>
  spawnSync(process.execPath, [`scripts/${script}.ts`, '--state', state, ...args], {
    encoding: 'utf8',
    env: { ...process.env, ADMIN_PASSWORD: 'a desk of one’s own' },
  })

beforeAll(async () => {
  await migrate(state)
  await withLocal(state, async ({ DB, FILES }) => {
    await seedRows(DB, Date.now())
    await FILES.put(`${MEDIA}/hero.webp`, 'the first artist’s')
  })
}, 120_000)
afterAll(() => {
  server?.kill('SIGTERM')
  rmSync(state, { recursive: true, force: true })
})

test('a site that is set up stays, until its keeper says that it may be emptied', () => {
  const refused = run('site-init', '--name', NAME, '--city', 'Marseille')
  expect([refused.status, refused.stderr]).toEqual([1, expect.stringContaining('set up already')])
  const made = run('site-init', '--name', NAME, '--city', 'Marseille', '--time-zone', 'Europe/Paris', '--empty')
  expect([made.status, made.stderr]).toEqual([0, ''])
  expect(run('admin-create', '--username', 'keeper', '--email', 'keeper@house.example').status).toBe(0)
}, 120_000)

test('the second artist’s people run the site from the desk, and nothing of the first is left', async () => {
  server = spawn(process.execPath, ['scripts/start.ts'], { env: { ...process.env, STATE: state, PORT: String(port) } })
  for (const stream of [server.stdout, server.stderr]) stream?.on('data', (text) => (output += text))
  for (let tries = 0; !output.includes('Ready after'); tries++) {
    if (tries > 400) throw new Error(output)
    await new Promise((resolve) => setTimeout(resolve, 250))
  }
  let cookie = ''
  const ask = async (method: string, path: string, body?: unknown) => {
    const raw = body instanceof Blob
    const answer = await fetch(base + path, {
      method,
      headers: {
        origin: base,
        cookie,
        ...(body !== undefined && { 'content-type': raw ? body.type : 'application/json' }),
      },
      ...(body !== undefined && { body: raw ? body : JSON.stringify(body) }),
    })
    expect([method, path, answer.ok, answer.ok ? '' : await answer.text()]).toEqual([method, path, true, ''])
    return answer
  }
  const login = await ask('POST', '/api/admin/login', { username: 'keeper', password: 'a desk of one’s own' })
  cookie = login.headers
    .getSetCookie()
    .map((line) => line.split(';')[0])
    .join('; ')

  const drawn = await sharp({ create: { width: 1200, height: 1200, channels: 3, background: '#204060' } })
    .webp()
    .toBuffer()
  const { url } = (await (
    await ask('POST', '/api/admin/uploads/pictures', new Blob([new Uint8Array(drawn)], { type: 'image/webp' }))
  ).json()) as { url: string }
  const site = (await (await ask('GET', '/api/admin/site')).json()) as typeof SITE
  expect([site.name, site.timeZone, site.hashtag]).toEqual([NAME, 'Europe/Paris', '#OndineDArcthe9'])
  await ask('PATCH', '/api/admin/site', { ...site, heroUrl: url, heroAlt: 'A sea.', lyric: 'The tide kept my name.' })
  await ask('POST', '/api/admin/tracks', { ...TRACK, title: 'Calanque', artist: NAME, coverUrl: url })
  await ask('POST', '/api/admin/products', {
    ...PRODUCT,
    name: 'A scarf',
    images: [{ url, alt: 'A scarf.' }],
    isFeatured: true,
  })
  const date = new Date(Date.now() + 20 * 86_400_000).toISOString().slice(0, 10)
  const show = { ...CONCERT, date, city: 'Marseille', venue: 'Le Quai', timeZone: 'Europe/Paris', imageUrl: url }
  await ask('POST', '/api/admin/concerts', show)
  await ask('POST', '/api/newsletter/subscribe', { email: 'reader@mail.example' })
  await ask('POST', '/api/auth/signup', {
    username: 'newfan',
    email: 'newfan@mail.example',
    password: 'a long enough password',
  })

  const places = [
    ...['/', '/subscribe', '/privacy-policy', '/login', '/checkout', '/admin-login'],
    ...[
      '/api/config',
      '/api/tracks',
      '/api/tracks/trending',
      '/api/products',
      '/api/concerts',
      '/api/concerts/upcoming',
    ],
    ...['/api/polls/active', '/api/polls/closed', '/api/leaderboard', '/api/missions'],
    ...['/sitemap.xml', '/robots.txt', '/manifest.webmanifest', '/shows.ics', '/api/demo/outbox'],
    ...[
      '/api/admin/overview',
      '/api/admin/audit',
      '/api/admin/supporters',
      '/api/admin/challenges',
      '/api/admin/tiers',
    ],
    ...['/api/admin/newsletter', '/api/admin/city-demand', '/api/admin/social-posts', '/api/admin/mails'],
  ]
  const said = await Promise.all(
    places.map(async (path) => [path, await (await fetch(base + path, { headers: { cookie } })).text()] as const),
  )
  const first = [
    ...[artist.name, artist.hashtag, artist.lyric, `/media/${MEDIA}/`, artist.tagline],
    ...tracks.map(({ title }) => title),
    ...shows.map(({ venue }) => venue),
    ...demoLogins.map(({ username, password }) => `${username} / ${password}`),
    ...['Nose Clip', 'Gilt Disc', 'Gold Open Verse'],
  ]
  const traces = said.flatMap(([path, text]) =>
    first.filter((one) => text.toLowerCase().includes(one.toLowerCase())).map((one) => `${path}: ${one}`),
  )
  expect(traces).toEqual([])
  const textOf = (path: string) => said.find(([one]) => one === path)?.[1] ?? ''
  for (const path of ['/', '/subscribe']) expect(textOf(path)).toContain('Ondine D')
  expect(textOf('/')).toContain('Calanque')
  expect(textOf('/shows.ics')).toContain('Le Quai')
  expect(JSON.parse(textOf('/manifest.webmanifest'))).toMatchObject({ name: NAME })
  const mails = JSON.parse(textOf('/api/demo/outbox')) as { subject: string }[]
  expect(mails.length).toBeGreaterThan(1)
  expect(mails.every(({ subject }) => subject.includes(NAME))).toBe(true)
  // Neither are its files, though nobody names them.
  expect((await fetch(`${base}/media/${MEDIA}/hero.webp`)).status).toBe(404)
  expect(output).not.toContain(artist.name)
}, 180_000)
