import type { Page } from '@playwright/test'
import { expect, expectAccessible, test } from './fixtures'
import { open, waitForHydration } from './home'
import { fontsLoaded, layoutShift, recordLayoutShifts } from './layout-shift'
import { signUpSupporter } from './supporters'

const SHOW = '/shows/show-bayfront-shell'
/** A show nobody joins, so that its page does not change. */
const QUIET = 'show-bayfront-shell-encore'

async function signUp(page: Page, name: string, origin: string) {
  const response = await page.request.post('/api/auth/signup', {
    headers: { origin },
    data: { username: name, email: `${name}@example.com`, password: 'four quiet gulls over water' },
  })
  expect(response.status()).toBe(201)
}

test('a supporter opens a show page and joins its list', { tag: '@phone' }, async ({ page, baseURL }) => {
  const name = `goer-${Date.now()}`
  await signUp(page, name, baseURL ?? '')
  await page.emulateMedia({ reducedMotion: 'reduce' })
  await open(page)
  await page.getByRole('article', { name: 'NEXT SHOW' }).getByRole('link', { name: 'Bayfront Shell' }).click()
  await expect(page).toHaveURL(SHOW)
  await expect(page.getByRole('heading', { level: 1, name: 'Bayfront Shell' })).toBeVisible()
  await expect(page.getByText(/Check-in opens on/)).toBeVisible()
  await page.getByRole('button', { name: 'I am going' }).click()
  await expect(page.getByRole('list', { name: 'Going' }).getByText(name)).toHaveCount(0)
  await page.getByRole('checkbox', { name: 'Show my username here' }).check()
  await expect(page.getByRole('list', { name: 'Going' }).getByText(name)).toBeVisible()
  await expectAccessible(page)
  await page.getByRole('button', { name: 'I am not going after all' }).click()
  await expect(page.getByRole('button', { name: 'I am going' })).toBeVisible()
})

test('a show page renders without script and hydrates without shift', async ({ page, browser, baseURL }) => {
  const bare = await browser.newPage({ baseURL, javaScriptEnabled: false, viewport: page.viewportSize() })
  await bare.goto(`/shows/${QUIET}`)
  await expect(bare.getByRole('heading', { level: 1, name: 'Bayfront Shell' })).toBeVisible()
  await expect(bare.getByText(/Check-in opens on/)).toBeVisible()
  await expect(bare.getByRole('link', { name: 'Get Directions' })).toBeVisible()
  await bare.close()

  const asked: string[] = []
  page.on('request', (request) => asked.push(new URL(request.url()).pathname))
  const own = () => asked.filter((path) => path === `/api/concerts/${QUIET}`).length
  await recordLayoutShifts(page)
  // Scripts load after the fonts, so later shifts come from hydration.
  const script = Promise.withResolvers<void>()
  await page.route(/\/assets\/main-.*\.js/, async (route) => {
    await script.promise
    await route.continue()
  })
  await page.goto(`/shows/${QUIET}`, { waitUntil: 'commit' })
  await expect(page.getByRole('heading', { level: 1, name: 'Bayfront Shell' })).toBeVisible()
  const stood = await fontsLoaded(page)
  script.resolve()
  await waitForHydration(page)
  await expect(page.getByRole('link', { name: 'Log in to say that you are going' })).toBeVisible()
  await page.waitForLoadState('networkidle')
  expect([await layoutShift(page, stood), own()]).toEqual([0, 1])

  await signUpSupporter(page)
  await page.goto(`/shows/${QUIET}`)
  await waitForHydration(page)
  await expect(page.getByRole('button', { name: 'I am going' })).toBeVisible()
  await page.waitForLoadState('networkidle')
  // The navigation makes room for name and points.
  expect(await layoutShift(page)).toBeLessThan(0.02)
  expect(own()).toBe(2)
})

test('the door page rotates its code offline', { tag: '@phone' }, async ({
  page,
  context,
  baseURL,
  expectConsoleError,
}) => {
  expectConsoleError(/ERR_INTERNET_DISCONNECTED/)
  const { demoAdmin } = await (await page.request.get('/api/config')).json()
  const headers = { origin: baseURL ?? '' }
  expect((await page.request.post('/api/admin/login', { headers, data: demoAdmin })).status()).toBe(200)
  await page.clock.install()
  await page.goto('/admin/shows/show-bayfront-shell/door')
  const digits = page.getByTestId('door-code')
  const shown = await (await page.request.get('/api/admin/concerts/show-bayfront-shell/check-in-code')).json()
  await expect(digits).toHaveText(/^\d{3} \d{3}$/)
  await expectAccessible(page)
  await context.setOffline(true)
  const before = await digits.textContent()
  await page.clock.fastForward(31_000)
  await expect(digits).not.toHaveText(before ?? '')
  await expect(page.getByText(/No network\. The codes go on by themselves/)).toBeVisible()
  expect(shown.code).toMatch(/^\d{6}$/)
  await page.setViewportSize({ width: 320, height: 700 })
  expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBe(320)
})

test('an unknown show is a 404 card', { tag: '@phone' }, async ({ page, expectConsoleError }) => {
  expectConsoleError(/404/)
  const response = await page.goto('/shows/none')
  expect(response?.status()).toBe(404)
  await expect(page.getByRole('heading', { name: 'Page Not Found' })).toBeVisible()
})
