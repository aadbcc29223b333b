import { readFileSync } from 'node:fs'
import type { Page } from '@playwright/test'
import { expect, tagsAt, test } from './fixtures'
import { openPage, scrollThroughPage, waitForRequests } from './page'
import { signUpConfirmed } from './users'

/** Reads the table of docs/scale.md: worker requests per visitor's first, visitor's later and supporter's view. */
function readStatedCounts() {
  const rows = readFileSync('docs/scale.md', 'utf8').matchAll(/^\| `(\/[^`]*)` \| (\d+) \| (\d+) \| (\d+) \|$/gm)
  return [...rows].map(([, path = '', ...counts]) => {
    const [first, later, supporter] = counts.map(Number)
    return { path, first, later, supporter }
  })
}

/**
 * Records the paths of requests that reached the worker. Static assets have no request id; a response from the service
 * worker's cache carries the request id of the original response. Images that other tests uploaded are left out.
 */
function recordRequests(page: Page) {
  const paths: string[] = []
  page.context().on('response', (response) => {
    const { pathname } = new URL(response.url())
    const isWorkerResponse = response.headers()['x-request-id'] && !response.fromServiceWorker()
    if (isWorkerResponse && !pathname.startsWith('/media/uploads/')) paths.push(pathname)
  })
  page.on('websocket', (socket) => paths.push(new URL(socket.url()).pathname))
  return paths
}

/** Opens a page and scrolls to its end. */
async function viewPage(page: Page, path: string): Promise<void> {
  await openPage(page, path)
  await scrollThroughPage(page)
  await waitForRequests(page)
}

const statedCounts = readStatedCounts()
if (statedCounts.length < 3) throw new Error('docs/scale.md states no counts of requests.')

for (const { path, ...expected } of statedCounts)
  test(`views of ${path} make as many requests as docs/scale.md states`, {
    tag: tagsAt('@phone', path === '/'),
  }, async ({ newVisitor, page: supporter }) => {
    await signUpConfirmed(supporter)
    const requests: string[] = []
    const visitor = await newVisitor({ serviceWorkers: 'allow' })
    // Requests may be late: first wait for the stated number, then until the network is idle, to catch extra requests.
    const countRequests = async (page: Page, minimum = 0) => {
      const paths = recordRequests(page)
      await viewPage(page, path)
      await expect.poll(() => paths.length, path).toBeGreaterThanOrEqual(minimum)
      await page.waitForLoadState('networkidle')
      requests.push(paths.join(' '))
      return paths.splice(0).length
    }
    const counted = {
      // After the first view the service worker stores the page and the configuration.
      first: await countRequests(visitor, expected.first),
      later: await countRequests(visitor, expected.later),
      supporter: await countRequests(supporter, expected.supporter),
    }
    expect(counted, requests.join('\n')).toEqual(expected)
  })
