import { type APIResponse, expect, type Page, type Request, test } from '@playwright/test'

/** Opens a page and waits until it is hydrated and its data and session are loaded. */
export async function openPage(page: Page, path = '/'): Promise<void> {
  await page.goto(path)
  await waitForHydration(page)
  // The navigation shows placeholders until the session has loaded.
  await page.waitForFunction(() => !document.querySelector('.nav-bar > div > .invisible'))
  await waitForRequests(page)
}

/** Opens the home page with its deferred sections. */
export async function openFullHomePage(page: Page): Promise<void> {
  await openPage(page)
  await loadDeferredSections(page)
}

/** Goes back to the home page within the app. */
export async function goBack(page: Page): Promise<void> {
  await page.goBack()
  await expect(page.locator('#smart-features')).toBeAttached()
  await loadDeferredSections(page)
}

/**
 * Scrolls to the deferred sections (challenge, hub with the id `smart-features`, community) and back to the top, with
 * scrollBy: scrollIntoView moves the point from which Tab continues in some browsers.
 */
async function loadDeferredSections(page: Page): Promise<void> {
  await page
    .locator('#hall-of-fame')
    .evaluate((section) => scrollBy({ top: section.getBoundingClientRect().top, behavior: 'instant' }))
  await page.locator('#smart-features').scrollIntoViewIfNeeded()
  await expect(page.locator('#community-voting-title')).toBeAttached()
  await page
    .locator('#community')
    .evaluate((section) => scrollBy({ top: section.getBoundingClientRect().top, behavior: 'instant' }))
  await expect(page.locator('#community .skeleton')).toHaveCount(0)
  await waitForHydration(page)
  await page.evaluate(() => scrollTo({ top: 0, behavior: 'instant' }))
}

/** Waits for hydration and for the page's loading states to end. */
export async function waitForHydration(page: Page): Promise<void> {
  // Before hydration ends, a click on a link reloads the page, and typed text is lost.
  await page.waitForFunction(() => {
    type Root = { stateNode: { current: { memoizedState: { isDehydrated?: boolean } | null } } }
    const [, root] =
      Object.entries(document.getElementById('root') ?? {}).find(([key]) => key.startsWith('__reactContainer')) ?? []
    return root && (root as Root).stateNode.current.memoizedState?.isDehydrated === false
  })
  await expect(page.getByRole('heading').first()).toBeVisible()
  // Checks at each frame; `expect` would wait up to a second between checks.
  await page.waitForFunction(() => !document.querySelector('.skeleton[role=status]'))
}

const requestsInFlight = new WeakMap<Page, Set<Request>>()

export function trackRequests(page: Page): void {
  const requests = new Set<Request>()
  requestsInFlight.set(page, requests)
  page.on('request', (request) => request.url().includes('/api/') && requests.add(request))
  page.on('requestfinished', (request) => requests.delete(request))
  page.on('requestfailed', (request) => requests.delete(request))
}

/** Waits until no API request is pending. A pending one would fail with 401 when a test ends the session. */
export const waitForRequests = (page: Page): Promise<void> =>
  expect
    .poll(() => [...(requestsInFlight.get(page) ?? [])].map((request) => request.url()), { intervals: [20] })
    .toEqual([])

export async function getJson<T>(page: Page, path: string): Promise<T> {
  const response = await page.request.get(path)
  expect(response.status()).toBe(200)
  return (await response.json()) as T
}

/** Origin of the server that the page is from, or of the shared server before a page is open. */
export function originOf(page: Page): string {
  const { origin, hostname } = new URL(page.url())
  // The page can be at about:blank or at an external URL.
  return hostname === 'localhost' ? origin : (test.info().project.use.baseURL ?? '')
}

/** Posts to the API with this page's cookies and IP address. */
export const postJson = (page: Page, path: string, data: object): Promise<APIResponse> =>
  page.request.post(path, { headers: { origin: originOf(page) }, data })

/** Hides the polls of tests that run at the same time. */
export async function showSeededPollsOnly(page: Page): Promise<void> {
  await page.route('/api/polls/active', async (route) => {
    const polls = (await (await route.fetch()).json()) as { id: string }[]
    await route.fulfill({ json: polls.filter(({ id }) => id.startsWith('poll-')) })
  })
}

/** Hides all posts, because tests that run at the same time add some. */
export async function hidePosts(page: Page): Promise<void> {
  await page.route('/api/community/posts', (route) => route.fulfill({ json: [] }))
}
