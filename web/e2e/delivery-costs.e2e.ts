import { readFileSync } from 'node:fs'
import type { Page } from '@playwright/test'
import { expect, test } from './fixtures'
import { open, requestsSettled } from './home'
import { signUpConfirmed } from './users'

/** Reads the table of docs/scale.md: calls of the worker per page view. */
function readStatedCalls() {
  const rows = readFileSync('docs/scale.md', 'utf8').matchAll(/^\| `(\/[^`]*)` \| (\d+) \| (\d+) \| (\d+) \|$/gm)
  return [...rows].map(([, path = '', ...counts]) => {
    const [first, visitor, supporter] = counts.map(Number)
    return { path, first, visitor, supporter }
  })
}

/**
 * Calls that the worker answered. Static assets have no request id; a response of the service worker repeats one of its
 * own. Posts of other tests have uploaded images, which are left out.
 */
function recordCalls(page: Page) {
  const paths: string[] = []
  page.context().on('response', (response) => {
    const { pathname } = new URL(response.url())
    const isCall = response.headers()['x-request-id'] && !response.fromServiceWorker()
    if (isCall && !pathname.startsWith('/media/uploads/')) paths.push(pathname)
  })
  page.on('websocket', (socket) => paths.push(new URL(socket.url()).pathname))
  return paths
}

/** Opens a page and scrolls to its end. */
async function view(page: Page, path: string): Promise<void> {
  await open(page, path)
  await page.evaluate(async () => {
    for (let y = 0; y < document.body.scrollHeight; y += innerHeight / 2) {
      scrollTo({ top: y, behavior: 'instant' })
      await new Promise((resolve) => setTimeout(resolve, 100))
    }
  })
  await page.waitForLoadState('networkidle')
  await requestsSettled(page)
}

test('a view costs the calls that docs/scale.md states', { tag: '@phone' }, async ({ newVisitor, page: supporter }) => {
  await signUpConfirmed(supporter)
  const stated = readStatedCalls()
  const counted = []
  const calls: string[] = []
  for (const { path, ...expected } of stated) {
    const visitor = await newVisitor({ serviceWorkers: 'allow' })
    // A busy machine sends the last calls late: waits for as many as stated, then for more.
    const count = async (page: Page, expected = 0) => {
      const paths = recordCalls(page)
      await view(page, path)
      await expect.poll(() => paths.length, path).toBeGreaterThanOrEqual(expected)
      await page.waitForLoadState('networkidle')
      calls.push(`${path}: ${paths.join(' ')}`)
      return paths.splice(0).length
    }
    counted.push({
      path,
      // After the first view the service worker stores the page and the configuration.
      first: await count(visitor, expected.first),
      visitor: await count(visitor, expected.visitor),
      supporter: await count(supporter, expected.supporter),
    })
  }
  expect(counted.length).toBeGreaterThan(2)
  expect(counted, calls.join('\n')).toEqual(stated)
})
