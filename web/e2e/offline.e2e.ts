import { createServer, type IncomingMessage, request, type Server } from 'node:http'
import type { AddressInfo, Socket } from 'node:net'
import type { Page } from '@playwright/test'
import { expectAccessible } from './expectations'
import { expect, test } from './fixtures'
import { openPage } from './page'
import { PASSWORD } from './users'

test.use({ serviceWorkers: 'allow' })

type SiteProxy = {
  origin: string
  /** Drops all connections and refuses new ones, like a lost signal. */
  disconnect: () => Promise<void>
  connect: () => Promise<void>
  /** Deploys a service worker of another version. */
  deploy: () => void
  close: () => Promise<void>
}

/** Starts a proxy in front of the site, because `setOffline` does not affect service workers. */
async function startSiteProxy(target: string): Promise<SiteProxy> {
  const sockets = new Set<Socket>()
  let isNewVersionDeployed = false
  const server: Server = createServer((incoming, outgoing) => {
    const url = new URL(incoming.url ?? '/', target)
    // The redirect and origin checks compare the browser's origin with the host, so both must be the target's.
    const headers = {
      ...incoming.headers,
      'accept-encoding': 'identity',
      ...(incoming.headers.origin && { origin: target }),
      host: url.host,
    }
    if (url.pathname === '/sw.js') delete headers['if-none-match']
    const upstream = request(url, { method: incoming.method, headers }, (response: IncomingMessage) => {
      if (url.pathname !== '/sw.js' || !isNewVersionDeployed) {
        outgoing.writeHead(response.statusCode ?? 502, response.headers)
        response.pipe(outgoing)
        return
      }
      // Changes the version that the service worker reports, not its list of precached files.
      const { 'content-length': _, ...rest } = response.headers
      outgoing.writeHead(200, rest)
      let script = ''
      response.setEncoding('utf8').on('data', (text) => (script += text))
      response.on('end', () =>
        outgoing.end(script.replaceAll(/\/assets\/main-[\w-]+\.js(?=`\)|"\)|'\))/g, '/assets/main-next.js')),
      )
    })
    upstream.on('error', () => outgoing.destroy())
    incoming.pipe(upstream)
  })
  server.on('connection', (socket) => {
    sockets.add(socket)
    socket.on('close', () => sockets.delete(socket))
  })
  const listen = (port: number) => new Promise<void>((resolve) => server.listen(port, 'localhost', resolve))
  await listen(0)
  const { port } = server.address() as AddressInfo
  const disconnect = () =>
    new Promise<void>((resolve) => {
      server.close(() => resolve())
      for (const socket of sockets) socket.destroy()
    })
  return {
    origin: `http://localhost:${port}`,
    disconnect,
    connect: () => listen(port),
    deploy: () => {
      isNewVersionDeployed = true
    },
    close: async () => {
      if (server.listening) await disconnect()
    },
  }
}

const offlineTest = test.extend<{ site: SiteProxy }>({
  site: async ({ baseURL }, use) => {
    const site = await startSiteProxy(baseURL ?? '')
    await use(site)
    await site.close()
  },
})

const statusBar = (page: Page) => page.locator('.app-status')

/** Waits until the service worker has saved a page. */
async function expectSaved(page: Page, path: string): Promise<void> {
  const isSaved = () => page.evaluate((key) => caches.match(key, { cacheName: 'pages' }).then(Boolean), path)
  await expect.poll(isSaved, `${path} saved`).toBe(true)
}

/** Opens a page and waits until the service worker controls it and has saved it. */
async function openControlled(page: Page, url: string): Promise<void> {
  await openPage(page, url)
  await page.waitForFunction(() => navigator.serviceWorker.controller?.state === 'activated')
  await expectSaved(page, new URL(url).pathname)
}

async function goOffline(page: Page, site: SiteProxy): Promise<void> {
  await site.disconnect()
  await page.context().setOffline(true)
}

offlineTest(
  'offline, visited pages open, others show the offline page',
  { tag: '@phone' },
  async ({ page, site, expectConsoleError }) => {
    expectConsoleError(/ERR_|Failed to fetch|Failed to load/)
    await openControlled(page, `${site.origin}/`)
    await page.getByRole('link', { name: 'GET TICKETS' }).click()
    await expect(page.getByRole('heading', { level: 1, name: 'Shows' })).toBeVisible()
    await expectSaved(page, '/shows')
    await goOffline(page, site)
    await expect(statusBar(page)).toContainText('You’re offline')
    await page.reload()
    await expect(page.getByRole('heading', { level: 1, name: 'Shows' })).toBeVisible()
    await expect(statusBar(page)).toContainText('You’re offline')
    await expectAccessible(page)
    // The device has a network, but the site cannot be reached.
    await page.context().setOffline(false)
    await expect(statusBar(page)).toContainText('This is a saved copy of the page.')
    await page.context().setOffline(true)

    // A download must fail instead of showing the offline page.
    const otherTab = await page.context().newPage()
    await expect(otherTab.goto(`${site.origin}/api/concerts/1/event.ics`)).rejects.toThrow(/ERR_/)
    await otherTab.close()
    await page.goto(`${site.origin}/privacy-policy`)
    await expect(page.getByRole('heading', { level: 1 })).toHaveText('You’re offline')
    await expectAccessible(page)
    await site.connect()
    await page.context().setOffline(false)
    await expect(page.getByRole('heading', { level: 1, name: /privacy/i })).toBeVisible()
    await expect(statusBar(page)).toHaveCount(0)
  },
)

offlineTest('caches contain no personal data', { tag: '@phone' }, async ({ page, site, expectConsoleError }) => {
  expectConsoleError(/ERR_|Failed to fetch|Failed to load/)
  await page.goto(site.origin)
  const username = await signUpInPage(page)
  await openControlled(page, `${site.origin}/`)
  await expect(page.getByText(username).first()).toBeAttached()
  await page.goto(`${site.origin}/account`)
  await expect(page.getByRole('heading', { name: 'Your account' })).toBeVisible()
  await expect(statusBar(page)).toHaveCount(0)
  const cached = await page.evaluate(async () => {
    const entries: { url: string; text: string }[] = []
    for (const name of await caches.keys())
      for (const request of await (await caches.open(name)).keys()) {
        const response = await caches.match(request)
        const type = response?.headers.get('content-type') ?? ''
        if (response && /html|json/.test(type)) entries.push({ url: request.url, text: await response.text() })
      }
    return entries
  })
  expect(cached.length).toBeGreaterThan(1)
  expect(cached.filter(({ text }) => text.includes(username)).map(({ url }) => url)).toEqual([])
  expect(cached.filter(({ url }) => /auth|polls|points|tracks|account/.test(url)).map(({ url }) => url)).toEqual([])
  await goOffline(page, site)
  await page.goto(site.origin)
  await expect(statusBar(page)).toContainText('You’re offline')
  await expect(page.getByText(username)).toHaveCount(0)
})

offlineTest(
  'a liked track plays offline until logout',
  { tag: '@phone' },
  async ({ page, site, expectConsoleError }) => {
    expectConsoleError(/ERR_/)
    await page.goto(site.origin)
    await signUpInPage(page)
    await page.evaluate(() => fetch('/api/tracks/1/like', { method: 'POST' }).then(({ ok }) => ok || Promise.reject()))
    await openControlled(page, `${site.origin}/music`)
    await page.getByLabel('Keep my liked tracks on this device').check()
    await expect(page.getByText(/^1 track, \d+\.\d MB of 300 MB\.$/)).toBeVisible()
    const player = page.getByRole('region', { name: 'Player' })
    const seek = player.getByRole('slider', { name: 'Seek' })
    const playhead = () => seek.inputValue().then(Number)
    await page.getByRole('button', { name: 'Play Gilt Tide' }).click()
    await expect.poll(playhead, 'the playhead online').toBeGreaterThan(0)
    await player.getByRole('button', { name: 'Pause' }).click()
    await goOffline(page, site)
    await page.reload()
    await statusBar(page).getByRole('link', { name: 'Saved music' }).click()
    const pausedAt = await playhead()
    await page.getByRole('button', { name: 'Play Gilt Tide' }).click()
    await expect.poll(playhead, 'the playhead offline').toBeGreaterThan(pausedAt + 1)
    await seek.press('PageUp')
    const rangeResponse = await page.evaluate(() =>
      fetch('/api/tracks/1/audio', { headers: { range: 'bytes=100-199' } }).then(async (response) => [
        response.status,
        response.headers.get('content-range')?.split('/')[0],
        (await response.arrayBuffer()).byteLength,
      ]),
    )
    expect(rangeResponse).toEqual([206, 'bytes 100-199', 100])
    await player.getByRole('button', { name: 'Pause' }).click()

    await site.connect()
    await page.context().setOffline(false)
    await page.goto(`${site.origin}/`)
    await page.evaluate(() => fetch('/api/auth/logout', { method: 'POST' }))
    await page.reload()
    await expect.poll(() => page.evaluate(() => caches.has('liked-tracks')), 'liked tracks deleted').toBe(false)
    expect(await page.evaluate(() => localStorage.getItem('offline-tracks.v1'))).toBeNull()
  },
)

offlineTest('asks the visitor before a new version reloads the page', { tag: '@desktop' }, async ({ page, site }) => {
  await openControlled(page, `${site.origin}/`)
  site.deploy()
  await page.evaluate(() => navigator.serviceWorker.getRegistration().then((registration) => registration?.update()))
  await expect(statusBar(page)).toContainText('A new version is ready')
  await expectAccessible(page)
  const controller = () => page.evaluate(() => navigator.serviceWorker.controller)
  expect(await controller()).toBeTruthy()
  await page.evaluate(() => Object.assign(window, { isOldPage: true }))
  await statusBar(page).getByRole('button', { name: 'Reload' }).click()
  await page.waitForFunction(() => !('isOldPage' in window))
  const waiting = () =>
    page.evaluate(() => navigator.serviceWorker.getRegistration().then((registration) => registration?.waiting))
  expect(await waiting()).toBeNull()
})

offlineTest('a silent update waits until other tabs are closed', { tag: '@desktop' }, async ({ page, site }) => {
  await openControlled(page, `${site.origin}/`)
  const otherTab = await page.context().newPage()
  await openControlled(otherTab, `${site.origin}/shows`)
  site.deploy()
  await page.evaluate(() => navigator.serviceWorker.getRegistration().then((registration) => registration?.update()))
  await expect(statusBar(page)).toContainText('A new version is ready')
  /** Sends the message that a page of the new version sends. Resolves to whether the service worker still waits. */
  const activateSilently = () =>
    page.evaluate(async () => {
      const registration = await navigator.serviceWorker.getRegistration()
      registration?.waiting?.postMessage({ kind: 'activate', ifOnlyWindow: true })
      await new Promise((resolve) => setTimeout(resolve, 500))
      return Boolean(registration?.waiting)
    })
  expect(await activateSilently()).toBe(true)
  await otherTab.close()
  await expect.poll(activateSilently).toBe(false)
})

/** Signs up with fetch in the page, so the proxy's origin gets the cookies. */
async function signUpInPage(page: Page): Promise<string> {
  const username = `fan-${crypto.randomUUID().slice(0, 8)}`
  const httpStatus = await page.evaluate(
    (body) =>
      fetch('/api/auth/signup', {
        method: 'POST',
        headers: { 'content-type': 'application/json' },
        body: JSON.stringify(body),
      }).then(({ status }) => status),
    { username, email: `${username}@mail.example`, password: PASSWORD },
  )
  expect(httpStatus).toBe(201)
  return username
}
