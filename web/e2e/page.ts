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

/** Goes back from another page to the home page and loads its deferred sections. */
export async function goBackToHomePage(page: Page): Promise<void> {
  await page.goBack()
  await expect(page.locator('#smart-features')).toBeAttached()
  await loadDeferredSections(page)
}

/**
 * Scrolls to the deferred sections (challenge, hub with the id `smart-features`, community) and back to the top. Does
 * not use the DOM's scrollIntoView, which in some browsers moves the point from which Tab continues.
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

/** Scrolls to the page's end, so that its deferred sections and images load. */
export async function scrollThroughPage(page: Page): Promise<void> {
  await page.evaluate(async () => {
    for (let y = 0; y < document.documentElement.scrollHeight; y += innerHeight / 2) {
      scrollTo({ top: y, behavior: 'instant' })
      await new Promise((resolve) => setTimeout(resolve, 100))
      // A section loads only after a frame in which it is near the viewport, and a frame may take longer than 100 ms.
      await new Promise((resolve) => requestAnimationFrame(() => requestAnimationFrame(resolve)))
    }
  })
  await page.waitForLoadState('networkidle')
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

/** Records the page's pending API requests, for `waitForRequests`. */
export function trackRequests(page: Page): void {
  const requests = new Set<Request>()
  requestsInFlight.set(page, requests)
  page.on('request', (request) => request.url().includes('/api/') && requests.add(request))
  page.on('requestfinished', (request) => requests.delete(request))
  page.on('requestfailed', (request) => requests.delete(request))
}

/** Waits until no recorded API request is pending. A pending one would fail with 401 when a test ends the session. */
export const waitForRequests = (page: Page): Promise<void> =>
  expect
    .poll(() => [...(requestsInFlight.get(page) ?? [])].map((request) => request.url()), { intervals: [20] })
    .toEqual([])

/** Gets JSON from the API with this page's cookies; expects status 200. */
export async function getJson<T>(page: Page, path: string): Promise<T> {
  const response = await page.request.get(path)
  expect(response.status()).toBe(200)
  return (await response.json()) as T
}

/** Origin of the local server that the page is from; otherwise the origin of the shared server. */
export function originOf(page: Page): string {
  const { origin, hostname } = new URL(page.url())
  // The page can be at about:blank or at an external URL.
  return hostname === 'localhost' ? origin : (test.info().project.use.baseURL ?? '')
}

/** Posts to the API with this page's cookies and IP address; returns the response, whatever its status. */
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
