import { randomInt } from 'node:crypto'
import { test as base, expect, type Page } from '@playwright/test'

type Fixtures = {
  /**
   * Names beforehand what the browser will log because of a refusal that the test itself causes. It must come; any
   * other error in a console, exception in a page or policy violation fails the test.
   */
  expectConsoleError: (pattern: RegExp) => void
  /** The addresses outside of the site that were asked for; a stub answers them, and nothing leaves the machine. */
  externalRequests: string[]
}

export const test = base.extend<Fixtures>({
  // Each test is a visitor of its own to the worker's limits, which count by this header alone.
  extraHTTPHeaders: async ({ extraHTTPHeaders }, use) => {
    const address = `10.${randomInt(256)}.${randomInt(256)}.${randomInt(1, 255)}`
    await use({ ...extraHTTPHeaders, 'cf-connecting-ip': address })
  },
  expectConsoleError: [
    async ({ context }, use) => {
      const consoleErrors: string[] = []
      const expected: RegExp[] = []
      context.on('console', (message) => {
        if (message.type() === 'error') consoleErrors.push(`${message.text()} at ${message.location().url}`)
      })
      context.on('weberror', (error) => consoleErrors.push(String(error.error())))
      await use((pattern) => expected.push(pattern))
      // What the browser logs arrives after what it did.
      const missing = () => expected.filter((pattern) => !consoleErrors.some((text) => pattern.test(text)))
      await expect.poll(missing, 'expected errors that did not come').toEqual([])
      const surprises = consoleErrors.filter((text) => !expected.some((pattern) => pattern.test(text)))
      expect(surprises, 'errors in the console').toEqual([])
    },
    { auto: true },
  ],
  page: async ({ page, baseURL }, use) => {
    const route = page.route.bind(page)
    let answersItself = false
    page.route = async (url, handler, options) => {
      if (!answersItself && String(url).includes('api')) {
        answersItself = true
        await disableSsr(page, baseURL ?? '')
      }
      return route(url, handler, options)
    }
    await use(page)
  },
  externalRequests: async ({ context, baseURL }, use) => {
    const requests: string[] = []
    await context.route(
      ({ origin }) => origin !== baseURL,
      (route) => {
        requests.push(route.request().url())
        return route.fulfill({ contentType: 'text/html', body: '<!doctype html><title>Elsewhere</title>' })
      },
    )
    await use(requests)
  },
})

/** The pages that come with their data in them. */
const RENDERED = /^\/(subscribe|privacy-policy|shows\/[^/]+)?$/

/**
 * A test that answers a call itself wants its answer seen: the pages are then drawn by the browser, which asks for
 * everything, as it does where the worker could not draw them.
 */
async function disableSsr(page: Page, origin: string): Promise<void> {
  await page.route(
    (url) => url.origin === origin && RENDERED.test(url.pathname),
    async (route) => {
      if (route.request().resourceType() !== 'document') return route.fallback()
      const response = await route.fetch({ maxRedirects: 0 })
      const body = (await response.text())
        .replace(/<script id="state".*?<\/script>/s, '')
        .replace(/<div id="root">.*<\/div>\n<noscript>/s, '<div id="root"></div>\n<noscript>')
      return route.fulfill({ response, body })
    },
  )
}

export { expect, expectAccessible } from './expectations'
