import { expect, type Page } from '@playwright/test'

/** Opens a page and waits until nothing on it is being fetched any more. */
export async function open(page: Page, path = '/'): Promise<void> {
  await page.goto(path)
  await waitForHydration(page)
}

/** Opens the home page, all of it. */
export async function openFullPage(page: Page): Promise<void> {
  await open(page)
  await loadDeferredSections(page)
}

/** Back to the home page that the reader came from, all of it, without loading the site again. */
export async function goBack(page: Page): Promise<void> {
  await page.goBack()
  await expect(page.locator('#smart-features')).toBeAttached()
  await loadDeferredSections(page)
}

/** Brings near what the home page fetches only then: the next challenge, the hub, the community. The reader stands at the top again. */
async function loadDeferredSections(page: Page): Promise<void> {
  await page
    .locator('#hall-of-fame')
    .evaluate((section) => scrollBy({ top: section.getBoundingClientRect().top, behavior: 'instant' }))
  await page.locator('#smart-features').scrollIntoViewIfNeeded()
  await expect(page.locator('#community-voting-title')).toBeAttached()
  // By its place: in some browsers, to bring an element into view is where Tab goes on from.
  await page
    .locator('#community')
    .evaluate((section) => scrollBy({ top: section.getBoundingClientRect().top, behavior: 'instant' }))
  await expect(page.locator('#community .skeleton')).toHaveCount(0)
  await waitForHydration(page)
  await page.evaluate(() => scrollTo({ top: 0, behavior: 'instant' }))
}

/** Waits until the app has taken over what the worker drew, and what a screen asks the server for is there. */
export async function waitForHydration(page: Page): Promise<void> {
  // React marks its root when it begins to listen; a link that is pressed before that loads the site again. It takes what
  // was drawn over in slices: until the last one, what is typed goes into a field that knows nothing of it.
  await page.waitForFunction(() => {
    type Root = { stateNode: { current: { memoizedState: { isDehydrated?: boolean } | null } } }
    const [, root] =
      Object.entries(document.getElementById('root') ?? {}).find(([key]) => key.startsWith('__reactContainer')) ?? []
    return root && (root as Root).stateNode.current.memoizedState?.isDehydrated === false
  })
  await expect(page.getByRole('heading').first()).toBeVisible()
  await expect(page.getByRole('status').filter({ hasText: /^(Fetching|Preparing|The .* being fetched)/ })).toHaveCount(
    0,
  )
}

/** What the server answers to a read, to compare the page with. */
export async function getJson<T>(page: Page, path: string): Promise<T> {
  const response = await page.request.get(path)
  expect(response.status()).toBe(200)
  return (await response.json()) as T
}

/** Other journeys make polls on the same site meanwhile: this page is shown the demo's own alone. */
export async function showSeededPollsOnly(page: Page): Promise<void> {
  await page.route('/api/polls/active', async (route) => {
    const polls = (await (await route.fetch()).json()) as { id: string }[]
    await route.fulfill({ json: polls.filter(({ id }) => id.startsWith('poll-')) })
  })
}

/** Posts come and go with other journeys: this page shows none. */
export async function hidePosts(page: Page): Promise<void> {
  await page.route('/api/community/posts', (route) => route.fulfill({ json: [] }))
}
