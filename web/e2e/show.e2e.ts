import { expectAccessible } from './expectations'
import { expect, test } from './fixtures'
import { expectLayoutShiftBelow, recordLayoutShifts, waitForFonts } from './layout-shift'
import { openPage, waitForHydration } from './page'
import { signUp } from './users'

const SHOW_PATH = '/shows/bayfront-shell-tampa'
/** The slug of a show that no test attends, so its page never changes. */
const UNMODIFIED_SHOW_SLUG = 'bayfront-shell-tampa-encore'

test('a supporter joins a show’s attendance list', { tag: ['@phone', '@long'] }, async ({ page }) => {
  const name = await signUp(page)
  await openPage(page)
  await page.getByRole('article', { name: 'NEXT SHOW' }).getByRole('link', { name: 'Bayfront Shell' }).click()
  await expect(page).toHaveURL(SHOW_PATH)
  await expect(page.getByRole('heading', { level: 1, name: 'Bayfront Shell' })).toBeVisible()
  await expect(page.getByText(/Check-in opens on/)).toBeVisible()
  await page.getByRole('button', { name: 'I am going' }).click()
  await expect(page.getByRole('list', { name: 'Going' }).getByText(name)).toHaveCount(0)
  await page.getByRole('checkbox', { name: 'Show my username here' }).check()
  await expect(page.getByRole('list', { name: 'Going' }).getByText(name)).toBeVisible()
  await expectAccessible(page)
  await page.getByRole('button', { name: 'I’m not going anymore' }).click()
  await expect(page.getByRole('button', { name: 'I am going' })).toBeVisible()
})

test('a show page needs no script and hydrates without shifts', { tag: '@phone' }, async ({
  page,
  browser,
  baseURL,
}) => {
  const noScriptPage = await browser.newPage({ baseURL, javaScriptEnabled: false, viewport: page.viewportSize() })
  await noScriptPage.goto(`/shows/${UNMODIFIED_SHOW_SLUG}`)
  await expect(noScriptPage.getByRole('heading', { level: 1, name: 'Bayfront Shell' })).toBeVisible()
  await expect(noScriptPage.getByText(/Check-in opens on/)).toBeVisible()
  await expect(noScriptPage.getByRole('link', { name: 'Get Directions' })).toBeVisible()
  await noScriptPage.close()

  const paths: string[] = []
  page.on('request', (request) => paths.push(new URL(request.url()).pathname))
  const showRequests = () => paths.filter((path) => path === `/api/concerts/${UNMODIFIED_SHOW_SLUG}`).length
  await recordLayoutShifts(page)
  // The script is delayed until the fonts have loaded, so that later shifts come from hydration.
  const scriptResponse = Promise.withResolvers<void>()
  await page.route(/\/assets\/main-.*\.js/, async (route) => {
    await scriptResponse.promise
    await route.continue()
  })
  await page.goto(`/shows/${UNMODIFIED_SHOW_SLUG}`, { waitUntil: 'commit' })
  await expect(page.getByRole('heading', { level: 1, name: 'Bayfront Shell' })).toBeVisible()
  const fontsPaintedAt = await waitForFonts(page)
  scriptResponse.resolve()
  await waitForHydration(page)
  await expect(page.getByRole('link', { name: 'Log in to say you’re going' })).toBeVisible()
  await page.waitForLoadState('networkidle')
  await expectLayoutShiftBelow(page, 0.0001, fontsPaintedAt)
  expect(showRequests()).toBe(1)

  await signUp(page)
  await page.goto(`/shows/${UNMODIFIED_SHOW_SLUG}`)
  await waitForHydration(page)
  await expect(page.getByRole('button', { name: 'I am going' })).toBeVisible()
  await page.waitForLoadState('networkidle')
  // The navigation bar makes room for the name and points.
  await expectLayoutShiftBelow(page, 0.02)
  expect(showRequests()).toBe(2)
})

test('redirects a show’s id to its page, preserving the code', { tag: ['@phone', '@long'] }, async ({ page }) => {
  await page.goto('/shows/show-bayfront-shell-encore?from=mail#code=123456')
  await waitForHydration(page)
  await expect(page).toHaveURL(/\/shows\/bayfront-shell-tampa-encore\?from=mail/)
  await expect(page.getByRole('heading', { level: 1, name: 'Bayfront Shell' })).toBeVisible()
  await expect(page.getByText('You scanned the code, but check-in is not open yet.')).toBeVisible()
})
