import { gzipSync } from 'node:zlib'
import type { Page } from '@playwright/test'
import { MAX_HTML_BYTES, MAX_SCRIPT_BYTES } from '../../scripts/tools/size-limits'
import { expectScrolledTo } from './expectations'
import { expect, tagsAt, test } from './fixtures'
import { expectLayoutShiftBelow, recordLayoutShifts } from './layout-shift'
import { openPage, showSeededPollsOnly, waitForHydration, waitForRequests } from './page'
import { pointsTotal, signUp } from './users'

const SERVER_RENDERED_PAGES = [
  '/',
  '/subscribe',
  '/privacy-policy',
  '/shows/bayfront-shell-tampa',
  '/music',
  '/challenge',
  '/merch',
  '/merch/gold-nose-clip',
  '/community',
  '/hub',
  '/login',
  '/signup',
]

/** Records the scripts that the page loads; returns a function that lists them with gzipped sizes. */
function recordScripts(page: Page) {
  const scripts: Promise<{ name: string; bytes: number }>[] = []
  page.on('response', (response) => {
    if (response.request().resourceType() !== 'script') return
    const name = new URL(response.url()).pathname
    scripts.push(response.body().then((body) => ({ name, bytes: gzipSync(body).length })))
  })
  return () => Promise.all(scripts)
}

for (const [role, width, isRepresentative] of [
  ['a visitor', '@phone', false],
  ['a supporter', '@desktop', true],
  ['a visitor', '@desktop', false],
  ['a supporter', '@phone', false],
] as const)
  test(`loads at most 150 KB of script for ${role} on ${width.slice(1)}`, {
    tag: tagsAt(width, isRepresentative),
  }, async ({ page }) => {
    if (role === 'a supporter') await signUp(page)
    await showSeededPollsOnly(page)
    const loadedScripts = recordScripts(page)
    await recordLayoutShifts(page)
    await openPage(page)
    await expect(pointsTotal(page)).toBeVisible()
    await page.waitForLoadState('networkidle')
    const scripts = await loadedScripts()
    const bytes = scripts.reduce((sum, script) => sum + script.bytes, 0)
    expect(bytes).toBeGreaterThan(MAX_SCRIPT_BYTES / 3)
    expect(bytes, scripts.map(({ name }) => name).join(', ')).toBeLessThan(MAX_SCRIPT_BYTES)

    const hub = page.locator('#smart-features')
    const skeletonHeight = (await hub.boundingBox())?.height ?? 0
    await hub.evaluate((section) =>
      scrollBy({ top: section.getBoundingClientRect().top - 1.5 * innerHeight, behavior: 'instant' }),
    )
    await expect(page.locator('#community-voting-title')).toBeAttached()
    await waitForHydration(page)
    await waitForRequests(page)
    // The placeholder must have about the height of the loaded hub.
    const loadedHeight = (await hub.boundingBox())?.height ?? 0
    expect(loadedHeight / skeletonHeight).toBeGreaterThan(0.95)
    expect(loadedHeight / skeletonHeight).toBeLessThan(1.05)
    await expectLayoutShiftBelow(page, 0.01)
  })

test('a vote link works before the hub is loaded', { tag: '@phone' }, async ({ page }) => {
  await page.route('/api/challenge/current', (route) => route.fulfill({ json: null }))
  await openPage(page)
  const link = page.getByRole('link', { name: /^VOTE NOW/ })
  await expect(link).toHaveAttribute('href', '/#community-voting')
  await link.click()
  await expect(page.locator('#community-voting-title')).toBeVisible()
  await expectScrolledTo(page, 'community-voting')
})

const REPRESENTATIVE_PAGES = ['/', '/shows/bayfront-shell-tampa', '/merch/gold-nose-clip', '/login']

for (const isRepresentative of [true, false]) {
  const paths = SERVER_RENDERED_PAGES.filter((path) => REPRESENTATIVE_PAGES.includes(path) === isRepresentative)
  test(`the HTML of ${paths[0]} and others names all scripts`, {
    tag: tagsAt('@phone', isRepresentative),
  }, async ({ page }) => {
    for (const path of paths) {
      const loadedScripts = recordScripts(page)
      const html = await (await page.request.get(path)).text()
      await page.goto(path)
      await waitForHydration(page)
      const scripts = (await loadedScripts()).map(({ name }) => name)
      // The code of passkey autofill is an exception: it loads after hydration.
      for (const name of scripts.filter((each) => !each.startsWith('/assets/esm-')))
        expect(html, `${path} names ${name}`).toContain(name)
      page.removeAllListeners('response')
    }
  })
}

test('server-rendered pages are under 36 KB gzipped', { tag: '@phone' }, async ({ request }) => {
  for (const path of SERVER_RENDERED_PAGES) {
    const html = await (await request.get(path)).text()
    expect(html).toContain('<script id="state"')
    expect(gzipSync(html, { level: 9 }).length, path).toBeLessThan(MAX_HTML_BYTES)
  }
})
