import { spawnSync } from 'node:child_process'
import { readdirSync, readFileSync, statSync } from 'node:fs'
import { join } from 'node:path'
import type { Locator, Page } from '@playwright/test'
import { artist, DEMO_PREFIX, tracks } from '../../scripts/demo/artist'
import { demoLogins } from '../../scripts/demo/logins'
import { CONCERT_DRAFT, PRODUCT_DRAFT } from '../../worker/testing/drafts'
import { expectDashboard, followNavLink, openForm, openFormPage, submitAdminLogin, uploadPhoto } from './admin'
import { expectToast } from './expectations'
import { expect, test } from './fixtures'
import { startIsolatedServer } from './isolated-server'
import { audioFile, SMALL_PHOTO } from './media-files'
import { openPage, postJson } from './page'

// Sets up another artist, then searches everything that the site serves for the demo artist's texts.

const ARTIST_NAME = "Ondine D'Arc & the 9"
const ADMIN = { username: 'keeper', password: 'a dashboard of one’s own' }
/** Phrases that only the demo uses. */
const DEMO_PHRASES = [
  artist.name,
  artist.hashtag,
  artist.lyric,
  artist.tagline,
  `/media/${DEMO_PREFIX}/`,
  ...tracks.map(({ title }) => title),
  ...demoLogins.map(({ username, password }) => `${username} / ${password}`),
  'Gilt Disc',
]
const PAGES = ['/', '/subscribe', '/privacy-policy', '/login', '/checkout', '/admin-login', '/nowhere']
const FILES = ['/sitemap.xml', '/robots.txt', '/manifest.webmanifest', '/shows.ics']
const PUBLIC_DATA = [
  'config',
  'tracks',
  'tracks/trending',
  'products',
  'concerts',
  'concerts/upcoming',
  'polls/active',
  'polls/closed',
  'leaderboard',
  'missions',
  'community/posts',
  'demo/outbox',
]
const ADMIN_DATA = [
  'overview',
  'audit',
  'supporters',
  'challenges',
  'tiers',
  'newsletter',
  'city-demand',
  'social-posts',
  'mail',
  'polls',
  'missions',
  'orders',
  'site',
  'concerts',
]
const SEARCHED_PATHS = [
  ...PAGES,
  ...FILES,
  ...PUBLIC_DATA.map((name) => `/api/${name}`),
  ...ADMIN_DATA.map((name) => `/api/admin/${name}`),
]

/** Runs a project script; returns stdout. @throws an error with stderr. */
function runScript(stateFolder: string, script: string, args: readonly string[], input = ''): string {
  const { status, stdout, stderr } = spawnSync(
    process.execPath,
    [`scripts/${script}.ts`, '--state', stateFolder, ...args],
    {
      encoding: 'utf8',
      input,
      env: { ...process.env, ADMIN_PASSWORD: ADMIN.password },
    },
  )
  if (status !== 0) throw new Error(stderr)
  return stdout
}

/** Serves a site with one admin where `site:init --empty` replaced the demo. `answers`: one line for each prompt. */
const startSecondArtist = (answers: readonly string[]) =>
  startIsolatedServer({}, (stateFolder) => {
    const input = `${answers.join('\n')}\n`
    // Without --empty, site:init must not replace a site.
    let initError = ''
    try {
      runScript(stateFolder, 'site-init', [], input)
    } catch (reason) {
      initError = String(reason)
    }
    if (!initError.includes('set up already')) throw new Error('site:init replaced a site without --empty.')
    runScript(stateFolder, 'site-init', ['--empty'], input)
    runScript(stateFolder, 'admin-create', ['--username', ADMIN.username, '--email', 'admin@site.example'])
  })

async function saveForm(page: Page, form: Locator): Promise<void> {
  await form.getByRole('button', { name: 'Save' }).click()
  await expect(page.getByRole('dialog')).toHaveCount(0)
  await expectToast(page, 'Saved', 'It is on the site.')
}

/** Expects exactly these first steps to be done. */
async function expectDoneSteps(firstSteps: Locator, titles: readonly string[]): Promise<void> {
  await expect(firstSteps.getByRole('heading', { level: 3, name: /: done$/ })).toHaveText(
    titles.map((title) => `${title}: done`),
  )
}

/** Confirms the email of the account that the page is logged in to, with the emailed link. */
async function confirmSupporter(page: Page, origin: string): Promise<void> {
  const readToken = async () => {
    const emails = (await (await page.request.get(`${origin}/api/demo/outbox`)).json()) as { text: string }[]
    return emails.map(({ text }) => /\/verify-email\?token=(\S+)/.exec(text)?.[1]).find(Boolean) ?? ''
  }
  await expect.poll(readToken).not.toBe('')
  const verified = await page.request.post(`${origin}/api/auth/email/verify`, {
    headers: { origin },
    data: { token: decodeURIComponent(await readToken()) },
  })
  expect(verified.status()).toBe(200)
}

/** Ids of the first steps that are not done. */
async function unfinishedSteps(page: Page, origin: string): Promise<string[]> {
  const response = await page.request.get(`${origin}/api/admin/setup`)
  const { steps } = (await response.json()) as { steps: { id: string; isDone: boolean }[] }
  return steps.filter(({ isDone }) => !isDone).map(({ id }) => id)
}

async function fillForm(form: Locator, values: Record<string, string>): Promise<void> {
  for (const [label, value] of Object.entries(values)) await form.getByLabel(label, { exact: true }).fill(value)
}

test('another artist replaces the demo without traces', { tag: '@desktop' }, async ({ page }) => {
  test.setTimeout(240_000)
  const server = await startSecondArtist([ARTIST_NAME, 'Marseille', '', '', 'OND', 'Europe/Paris', ''])
  try {
    await openPage(page, `${server.origin}/admin-login`)
    await submitAdminLogin(page, ADMIN.username, ADMIN.password)
    await expectDashboard(page)
    const firstSteps = page.getByRole('region', { name: 'First steps' })
    await expectDoneSteps(firstSteps, ['Your name', 'Payments'])
    await firstSteps.getByRole('button', { name: 'Hide first steps' }).click()
    await expect(firstSteps).toBeHidden()
    await page.getByRole('button', { name: 'Undo' }).click()
    await firstSteps.getByRole('link', { name: 'Upload pictures' }).click()
    const siteForm = page.getByRole('region', { name: 'Site', exact: true })
    await expect(siteForm.getByLabel('Artist name')).toHaveValue(ARTIST_NAME)
    await fillForm(siteForm, {
      'Hidden lyric in the footer': 'The tide kept my name.',
      Instagram: 'https://social.example/ondine',
    })
    const picture = await uploadPhoto(siteForm, 'Hero picture, wide', SMALL_PHOTO)
    await uploadPhoto(siteForm, 'Hero picture, tall', SMALL_PHOTO)
    await saveForm(page, siteForm)
    const socialPost = await openForm(page, 'Site', 'Add a post')
    await fillForm(socialPost, {
      Title: 'In the harbor',
      Link: 'https://social.example/1',
      'Picture description': 'A harbor.',
    })
    await uploadPhoto(socialPost, 'Picture', SMALL_PHOTO)
    await saveForm(page, socialPost)

    const track = await openFormPage(page, 'Music', 'Add a track')
    await fillForm(track, { Title: 'Calanque', Artist: ARTIST_NAME, 'Cover description': 'A cove.' })
    await track.getByLabel('Recording: choose a recording').setInputFiles(audioFile(40))
    await expect(track.getByLabel('Length in seconds')).toHaveValue('40')
    await uploadPhoto(track, 'Cover', SMALL_PHOTO)
    await saveForm(page, track)

    // Sent to the API, because other tests cover these forms.
    const add = async (path: string, draft: object) =>
      expect((await postJson(page, server.origin + path, draft)).status()).toBe(201)
    const dateInDays = (days: number) => new Date(Date.now() + days * 86_400_000).toISOString().slice(0, 10)
    await add('/api/admin/products', {
      ...PRODUCT_DRAFT,
      name: 'A scarf',
      description: 'It is long.',
      isFeatured: true,
      images: [{ url: picture, alt: 'A scarf.' }],
    })
    await add('/api/admin/concerts', {
      ...CONCERT_DRAFT,
      date: dateInDays(20),
      timeZone: 'Europe/Paris',
      city: 'Marseille',
      venue: 'Le Quai',
      address: '1 quai du Port',
      imageUrl: picture,
      imageAlt: 'A quay.',
    })

    const poll = await openForm(page, 'Polls', 'Add a poll')
    await fillForm(poll, { Title: 'Which song first?', Options: 'Calanque\nMistral', 'Last day': dateInDays(5) })
    await saveForm(page, poll)

    const mission = await openForm(page, 'Missions', 'Add a mission')
    await fillForm(mission, {
      Title: 'Two evenings',
      Description: 'Come to two shows.',
      Points: '75',
      'How many times': '2',
    })
    await mission.getByLabel('Action').selectOption('Check in at a show')
    await saveForm(page, mission)

    const signUpResponse = await page.request.post(`${server.origin}/api/auth/signup`, {
      headers: { origin: server.origin },
      data: { username: 'newfan', email: 'newfan@mail.example', password: 'a long enough password' },
    })
    expect(signUpResponse.status()).toBe(201)
    await confirmSupporter(page, server.origin)
    await followNavLink(page, 'Team')
    await page.getByLabel('Username or email of their account').fill('newfan')
    await page.getByLabel('Role', { exact: true }).selectOption('Door')
    await page.getByRole('button', { name: 'Add', exact: true }).click()
    await expectToast(page, 'Added', 'They can log in at /admin-login with their own password.')
    // Polled, because an email counts as sent only once the provider's response is stored.
    await expect.poll(() => unfinishedSteps(page, server.origin)).toEqual([])
    await followNavLink(page, 'Overview')
    await expect(page.getByRole('region', { name: 'Waiting for you' })).toBeVisible()
    await expect(firstSteps).toBeHidden()

    await openPage(page, server.origin)
    await expect(page.getByRole('heading', { level: 1 })).toHaveText(ARTIST_NAME)
    for (const text of ['Calanque', 'A scarf', 'Le Quai', 'In the harbor'])
      await expect(page.getByText(text).first()).toBeVisible()
    await page.locator('#smart-features').scrollIntoViewIfNeeded()
    await expect(page.getByText('Which song first?')).toBeVisible()
    const homePageText = await page.locator('body').innerText()

    const responses = await Promise.all(
      SEARCHED_PATHS.map(async (path) => [path, await (await page.request.get(server.origin + path)).text()] as const),
    )
    const textOf = (path: string) => responses.find(([requested]) => requested === path)?.[1] ?? ''
    const sources = [
      ...responses,
      ['the home page', homePageText],
      ['the log', server.output()],
      ...deployedCode(),
    ] as const
    // Without seeded values, the search would prove nothing.
    expect(server.seededValues.length).toBeGreaterThan(60)
    const phrases = [...DEMO_PHRASES, ...server.seededValues].map((phrase) => phrase.toLowerCase())
    const traces = sources.flatMap(([source, text]) => {
      const lowerCase = text.toLowerCase()
      return phrases.filter((phrase) => lowerCase.includes(phrase)).map((phrase) => `${source}: ${phrase}`)
    })
    expect(traces).toEqual([])
    // The code may name the demo's city, for example in a list of cities.
    expect(
      [...responses, ['the home page', homePageText] as const].filter(([, text]) => text.includes(artist.city)),
    ).toEqual([])
    expect((await page.request.get(`${server.origin}/media/${DEMO_PREFIX}/hero.webp`)).status()).toBe(404)

    for (const path of ['/', '/subscribe']) expect(textOf(path)).toContain('Ondine D')
    expect(textOf('/shows.ics')).toContain('Le Quai')
    expect(JSON.parse(textOf('/manifest.webmanifest'))).toMatchObject({ name: ARTIST_NAME })
    expect(JSON.parse(textOf('/api/missions'))).toContainEqual(
      expect.objectContaining({ title: 'Two evenings', points: 75, target: 2 }),
    )
    const emails = JSON.parse(textOf('/api/demo/outbox')) as { subject: string }[]
    expect(emails.length).toBeGreaterThan(0)
    expect(emails.every(({ subject }) => subject.includes(ARTIST_NAME))).toBe(true)
  } finally {
    server.close()
  }
})

/** Path and text of the built site, worker sources and migrations. */
function deployedCode(): (readonly [string, string])[] {
  return ['dist', 'worker', 'migrations'].flatMap((folder) =>
    readdirSync(folder, { recursive: true, encoding: 'utf8' })
      .map((name) => join(folder, name))
      .filter((path) => /\.(js|css|ts|tsx|sql)$/.test(path) && !/\.test\.tsx?$/.test(path) && statSync(path).isFile())
      .map((path) => [path, readFileSync(path, 'utf8')] as const),
  )
}
