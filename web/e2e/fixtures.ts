import { randomInt } from 'node:crypto'
import { type BrowserContext, type BrowserContextOptions, test as base, expect, type Page } from '@playwright/test'
import { trackRequests } from './page'

type Fixtures = {
  /** Declares a console error that the test must cause. Any other console error or exception fails the test. */
  expectConsoleError: (pattern: RegExp) => void
  /** Whether toasts close after five seconds. False by default, because a slow machine may miss one. */
  toastsClose: boolean
  /** External URLs that were requested. A stub responds to them. */
  externalRequests: string[]
  /** Opens a page for another visitor, with a new browser context and IP address. */
  newVisitor: (options?: BrowserContextOptions) => Promise<Page>
}

const randomIpAddress = () => `10.${randomInt(256)}.${randomInt(256)}.${randomInt(1, 255)}`

/** Pauses toast timers with a blur event, as a window without focus does. */
const pauseToastTimers = (context: BrowserContext) =>
  context.on('page', (page) => {
    // Not an init script, which the sandbox of emails would block with a console error.
    page.on('domcontentloaded', () =>
      page
        .evaluate(() => {
          if (origin !== 'null') setInterval(() => dispatchEvent(new Event('blur')), 1000)
        })
        .catch(() => undefined),
    )
  })

/** The tags of a test at one width. Unless representative, it runs in `npm run test:long` only. */
export const tagsAt = (width: '@phone' | '@desktop', isRepresentative: boolean): string[] =>
  isRepresentative ? [width] : [width, '@long']

export const test = base.extend<Fixtures>({
  toastsClose: [false, { option: true }],
  context: async ({ context, toastsClose }, use) => {
    context.on('page', trackRequests)
    if (!toastsClose) pauseToastTimers(context)
    await use(context)
  },
  // Quotas read the client's address from this header, so tests do not use up each other's quotas.
  extraHTTPHeaders: async ({ extraHTTPHeaders }, use) => {
    await use({ ...extraHTTPHeaders, 'cf-connecting-ip': randomIpAddress() })
  },
  expectConsoleError: [
    async ({ browser, context }, use) => {
      const consoleErrors: string[] = []
      const expected: RegExp[] = []
      const watch = (watched: BrowserContext) => {
        watched.on('console', (message) => {
          if (message.type() === 'error') consoleErrors.push(`${message.text()} at ${message.location().url}`)
        })
        watched.on('weberror', (error) => consoleErrors.push(String(error.error())))
      }
      watch(context)
      browser.on('context', watch)
      await use((pattern) => expected.push(pattern))
      browser.off('context', watch)
      // Console messages are asynchronous.
      const missing = () => expected.filter((pattern) => !consoleErrors.some((text) => pattern.test(text)))
      await expect.poll(missing, 'expected console errors that did not occur').toEqual([])
      const unexpected = consoleErrors.filter((text) => !expected.some((pattern) => pattern.test(text)))
      expect(unexpected, 'unexpected console errors').toEqual([])
    },
    { auto: true },
  ],
  // The first stub of an API response disables server rendering, whose data would replace the stubbed response.
  page: async ({ page, baseURL }, use) => {
    const route = page.route.bind(page)
    let isSsrDisabled = false
    page.route = async (url, handler, options) => {
      if (!isSsrDisabled && String(url).includes('api')) {
        isSsrDisabled = true
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
        return route.fulfill({ contentType: 'text/html', body: '<!doctype html><title>External</title>' })
      },
    )
    await use(requests)
  },
  newVisitor: async ({ browser }, use) => {
    const contexts: BrowserContext[] = []
    await use(async (options) => {
      const extraHTTPHeaders = { 'cf-connecting-ip': randomIpAddress() }
      const context = await browser.newContext({ ...options, extraHTTPHeaders })
      contexts.push(context)
      context.on('page', trackRequests)
      pauseToastTimers(context)
      return context.newPage()
    })
    await Promise.all(contexts.map((context) => context.close()))
  },
})

/** Server-rendered pages on which tests stub API responses. */
const SSR_PATH_PATTERN = /^\/(subscribe|privacy-policy|community|(shows|hub)(\/[^/]+)?)?$/

/** Removes the server-rendered HTML and data from pages, which then load the stubbed API responses. */
async function disableSsr(page: Page, origin: string): Promise<void> {
  await page.route(
    (url) => url.origin === origin && SSR_PATH_PATTERN.test(url.pathname),
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

export { expect } from './expectations'
