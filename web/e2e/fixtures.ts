import { randomInt } from 'node:crypto'
import { test as base, expect, type Page } from '@playwright/test'

type Fixtures = {
  /**
   * Declares a console error that the test causes. It must occur; any other console error, exception or policy
   * violation fails the test.
   */
  expectConsoleError: (pattern: RegExp) => void
  /** External addresses that were requested; a stub answers them. */
  externalRequests: string[]
}

export const test = base.extend<Fixtures>({
  // A network of its own for each test: rate limits count by this header.
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
      // Console messages arrive late.
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

/** Server-rendered pages. */
const RENDERED = /^\/(subscribe|privacy-policy|shows\/[^/]+)?$/

/** Makes the browser render everything, so that stubbed API responses are seen. */
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
