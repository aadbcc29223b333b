import { createServer, type IncomingMessage } from 'node:http'
import { text } from 'node:stream/consumers'
import { brotliCompressSync, gzipSync } from 'node:zlib'
import { type Browser, chromium } from '@playwright/test'
import { createTestHarness } from 'wrangler'
import { seedDemo } from '../scripts/demo/seed.ts'
import { CHROMIUM_ARGS, findBrowser } from '../scripts/tools/browser.ts'
import { listenOnLoopback } from '../scripts/tools/ports.ts'
import { median } from './comparisons.ts'
import { CPU_SLOWDOWN, measureInteractions, PHONE } from './interactions.ts'
import { auditPages, BLOCKING_LIMIT_MS, HOME_BLOCKING_LIMIT_MS } from './lighthouse.ts'
import type { ReportRow } from './table.ts'

// `npm run bench -- --page` measures page loads on a slow phone and compares them with a reference page.

const ROUNDS = 7
const REFERENCE_PATH = '/reference'
/** The reference page a second time: the difference is the noise of the measurement. */
const REPEATED_REFERENCE_PATH = `${REFERENCE_PATH}?repeat`
/** Server-rendered pages. */
const PAGES = ['/', '/subscribe', '/privacy-policy', '/shows/bayfront-shell-tampa']
/** Lighthouse also measures one page of each other kind. */
const LIGHTHOUSE_PAGES = [
  ...PAGES,
  '/challenge',
  '/shows',
  '/music',
  '/music/causeway-season',
  '/music/causeway-season/palm-reader',
  '/merch',
  '/merch/gold-nose-clip',
  '/community',
  '/hub',
  '/login',
  '/signup',
]

/**
 * The floor of a page load: a heading and the home page's LCP image. The image fills two thirds of the screen, because
 * a full-screen image does not count as LCP.
 */
function referencePage(home: string): string {
  const heroImage = /<picture>.*?<\/picture>/s.exec(home)?.[0]
  if (!heroImage) throw new Error('The home page has no <picture>.')
  const style =
    'body{margin:0;background:#0b0a08;color:#f4efe4}picture{display:block;height:67vh}img{width:100%;height:100%;object-fit:cover}'
  return `<!doctype html><html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width"><title>Reference</title><style>${style}</style></head><body><h1>Reference</h1>${heroImage}</body></html>`
}

/** Loads the reference page, every page and the reference page again, in rounds of rotating order. */
async function loadInRounds(browser: Browser, base: string): Promise<Map<string, PageLoad[]>> {
  const paths = [REFERENCE_PATH, ...PAGES, REPEATED_REFERENCE_PATH]
  const loads = new Map<string, PageLoad[]>(paths.map((path) => [path, []]))
  for (const path of paths) await measurePageLoad(browser, base + path)
  for (let round = 0; round < ROUNDS; round++)
    for (let i = 0; i < paths.length; i++) {
      const path = paths[(i + round) % paths.length] as string
      loads.get(path)?.push(await measurePageLoad(browser, base + path))
    }
  return loads
}

const formatSeconds = (ms: number) => `${(ms / 1000).toFixed(2)} s`

async function measureLoads(browserPath: string, base: string): Promise<Map<string, PageLoad[]>> {
  const browser = await chromium.launch({ executablePath: browserPath, args: CHROMIUM_ARGS })
  try {
    return await loadInRounds(browser, base)
  } finally {
    await browser.close()
  }
}

/** Measures the built site with the demo. @param only 'loads', 'interactions' or 'lighthouse'; null measures all. */
export async function measurePages(vars: Record<string, string>, only: string | null): Promise<ReportRow[]> {
  const server = createTestHarness({ workers: [{ configPath: 'wrangler.toml', vars }] })
  const { url } = await server.listen()
  const worker = server.getWorker<{ DB: D1Database; FILES: R2Bucket }>()
  await worker.applyD1Migrations('DB')
  const { DB, FILES } = await worker.getEnv()
  await seedDemo({ db: DB, files: FILES }, Date.now(), console.log)
  const home = await (await fetch(url)).text()
  const reference = referencePage(home)
  const proxy = await startCdnProxy(
    url,
    new Map([REFERENCE_PATH, REPEATED_REFERENCE_PATH].map((path) => [path, reference])),
  )
  const browserPath = await findBrowser()
  try {
    const measurements: Record<string, () => Promise<ReportRow[]>> = {
      loads: async () => pageRows(await measureLoads(browserPath, proxy.base), brotliCompressSync(home).length),
      interactions: () => measureInteractions(browserPath, url.origin),
      lighthouse: () => auditPages(proxy.base, LIGHTHOUSE_PAGES, browserPath),
    }
    const rows: ReportRow[] = []
    for (const [name, measure] of Object.entries(measurements))
      if (!only || only === name) rows.push(...(await measure()))
    return rows
  } finally {
    await proxy.close()
    await server.close()
  }
}

/** @param homeBytes compressed size of the home page's HTML */
function pageRows(loads: Map<string, PageLoad[]>, homeBytes: number): ReportRow[] {
  const valuesOf = (path: string, metric: keyof PageLoad) => (loads.get(path) ?? []).map((load) => load[metric])
  const ratioRow = (label: string, path: string, metric: 'fcp' | 'lcp', target: number | null): ReportRow => {
    const floors = valuesOf(REFERENCE_PATH, metric)
    const ratios = valuesOf(path, metric)
      .map((ms, i) => ms / (floors[i] ?? Number.NaN))
      .sort((a, b) => a - b)
    const middle = median(ratios)
    return {
      label,
      measured: `${formatSeconds(median(valuesOf(path, metric)))} over ${formatSeconds(median(floors))}`,
      against: `${middle.toFixed(3)} (${ratios[0]?.toFixed(2)}..${ratios.at(-1)?.toFixed(2)})`,
      target: target?.toFixed(2) ?? '-',
      passed: target === null ? null : middle <= target,
      cause: `the emulated network shares bytes evenly: the image competes with the rest of the page, ${(homeBytes / 1024).toFixed(1)} KB of HTML where the reference page has none.`,
    }
  }
  const layoutShiftRow = (path: string): ReportRow => {
    const worst = Math.max(...valuesOf(path, 'cls'))
    return {
      label: `layout shift of ${path}`,
      measured: worst === 0 ? '0' : worst.toPrecision(2),
      against: 'the worst of all loads',
      target: '0',
      passed: worst === 0,
      cause: 'a font or an image took more or less space than reserved; web/e2e/layout-shift.e2e.ts limits late fonts.',
    }
  }
  const taskRow = (label: string, path: string, metric: 'blockingTime' | 'longestTask', maxMs: number): ReportRow => {
    const ms = median(valuesOf(path, metric))
    return {
      label: `${label} of ${path}`,
      measured: `${ms.toFixed(0)} ms`,
      against: 'processor 4 times slower',
      target: `${maxMs} ms`,
      passed: ms <= maxMs,
      cause:
        'traced: styles and first layout of the whole document, before the first paint; scripts run in shorter tasks.',
    }
  }
  return [
    ratioRow('A/A: LCP of the reference page against itself', REPEATED_REFERENCE_PATH, 'lcp', null),
    ratioRow('home LCP over the reference page', '/', 'lcp', 1.05),
    ratioRow('home FCP over the reference page', '/', 'fcp', null),
    ...PAGES.slice(1).map((path) => ratioRow(`LCP of ${path}`, path, 'lcp', null)),
    ...PAGES.map(layoutShiftRow),
    ...PAGES.flatMap((path) => [
      taskRow('total blocking time', path, 'blockingTime', path === '/' ? HOME_BLOCKING_LIMIT_MS : BLOCKING_LIMIT_MS),
      taskRow('longest task', path, 'longestTask', path === '/' ? HOME_TASK_LIMIT_MS : TASK_LIMIT_MS),
    ]),
  ]
}

/** Metrics of a page load with an empty cache: times in milliseconds, CLS as Chrome scores it. */
type PageLoad = { fcp: number; lcp: number; cls: number; blockingTime: number; longestTask: number }

/** What `recordMetrics` collects in the page. */
type RecordedLoad = { fcp: number; lcp: number; cls: number; tasks: { startTime: number; duration: number }[] }

// Lighthouse's mobile profile: slow 4G.
const KBIT = 1024 / 8
const SLOW_4G = {
  offline: false,
  latency: 562.5,
  downloadThroughput: 1474.56 * KBIT,
  uploadThroughput: 675 * KBIT,
}
/** The part of a task beyond this counts as blocking. */
const LONG_TASK_MS = 50
/** Limits of a page's longest task. */
const HOME_TASK_LIMIT_MS = 150
const TASK_LIMIT_MS = 100

/** Loads a page with an empty cache and waits until the network is idle. */
async function measurePageLoad(browser: Browser, url: string): Promise<PageLoad> {
  const context = await browser.newContext(PHONE)
  try {
    const page = await context.newPage()
    const network = await context.newCDPSession(page)
    await network.send('Network.enable')
    await network.send('Network.emulateNetworkConditions', SLOW_4G)
    await network.send('Emulation.setCPUThrottlingRate', { rate: CPU_SLOWDOWN })
    await page.addInitScript(recordMetrics)
    await page.goto(url, { waitUntil: 'networkidle', timeout: 60_000 })
    const { fcp, lcp, cls, tasks } = await page.evaluate(
      () => (window as unknown as { recorded: RecordedLoad }).recorded,
    )
    const blockingTime = tasks
      .filter(({ startTime }) => startTime > fcp)
      .reduce((sum, { duration }) => sum + Math.max(0, duration - LONG_TASK_MS), 0)
    return { fcp, lcp, cls, blockingTime, longestTask: Math.max(0, ...tasks.map(({ duration }) => duration)) }
  } finally {
    await context.close()
  }
}

/** Runs in the page before its own scripts. */
function recordMetrics(): void {
  const recorded: RecordedLoad = { fcp: 0, lcp: 0, cls: 0, tasks: [] }
  Object.assign(window, { recorded })
  const observe = (type: string, onEntry: (entry: PerformanceEntry) => void) =>
    new PerformanceObserver((list) => list.getEntries().forEach(onEntry)).observe({ type, buffered: true })
  observe('paint', ({ name, startTime }) => {
    if (name === 'first-contentful-paint') recorded.fcp = startTime
  })
  observe('largest-contentful-paint', ({ startTime }) => {
    recorded.lcp = startTime
  })
  observe('layout-shift', (entry) => {
    recorded.cls += (entry as PerformanceEntry & { value: number }).value
  })
  observe('longtask', ({ startTime, duration }) => recorded.tasks.push({ startTime, duration }))
}

type CachedFile = { status: number; headers: Record<string, string>; body: Uint8Array }

const TEXT_CONTENT_TYPE = /^(text\/|application\/(json|javascript|manifest\+json))/
/** The proxy must not pass these on: they describe the worker's connection and encoding. */
const UNFORWARDED_HEADERS = ['content-encoding', 'content-length', 'transfer-encoding', 'connection', 'keep-alive']

/**
 * Starts a proxy that compresses text as Cloudflare's edge does and stores the first response of each URL in memory.
 * `extraPages` maps further paths to their HTML.
 */
async function startCdnProxy(origin: URL, extraPages: ReadonlyMap<string, string>) {
  const cache = new Map<string, Promise<CachedFile>>()
  const server = createServer(async (request, response) => {
    const path = request.url ?? '/'
    const url = new URL(path, origin)
    const encoding = encodingFor(request)
    const key = `${encoding} ${request.method} ${path}`
    const file = cache.get(key) ?? fetchCompressed(url, extraPages.get(path), encoding, forwardedRequest(request, url))
    if (request.method !== 'POST') cache.set(key, file)
    try {
      const { status, headers, body } = await file
      response.writeHead(status, headers).end(body)
    } catch {
      cache.delete(key)
      response.writeHead(502).end()
    }
  })
  const { port, close } = await listenOnLoopback(server)
  return { base: `http://localhost:${port}`, close }
}

/** A POST gets the worker's own origin: the worker rejects the proxy's, and pages would log an error. */
async function forwardedRequest(request: IncomingMessage, { origin }: URL): Promise<RequestInit> {
  if (request.method !== 'POST') return { method: request.method ?? 'GET' }
  const headers = { origin, 'content-type': request.headers['content-type'] ?? 'application/json' }
  return { method: 'POST', headers, body: await text(request) }
}

async function fetchCompressed(
  url: URL,
  extraPage: string | undefined,
  encoding: 'br' | 'gzip',
  init: Promise<RequestInit>,
): Promise<CachedFile> {
  const response =
    extraPage === undefined
      ? await fetch(url, { ...(await init), redirect: 'manual' })
      : new Response(extraPage, { headers: { 'content-type': 'text/html; charset=utf-8' } })
  const uncompressed = new Uint8Array(await response.arrayBuffer())
  const headers = Object.fromEntries([...response.headers].filter(([name]) => !UNFORWARDED_HEADERS.includes(name)))
  if (!TEXT_CONTENT_TYPE.test(headers['content-type'] ?? '') || uncompressed.length === 0)
    return { status: response.status, headers, body: uncompressed }
  const body = encoding === 'br' ? brotliCompressSync(uncompressed) : gzipSync(uncompressed)
  return { status: response.status, headers: { ...headers, 'content-encoding': encoding }, body }
}

const encodingFor = (request: IncomingMessage) =>
  /\bbr\b/.test(`${request.headers['accept-encoding']}`) ? 'br' : 'gzip'
