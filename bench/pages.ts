import { spawn } from 'node:child_process'
import { createServer, type IncomingMessage } from 'node:http'
import { delimiter, dirname } from 'node:path'
import { brotliCompressSync, gzipSync } from 'node:zlib'
import { type Browser, chromium } from '@playwright/test'
import { createTestHarness } from 'wrangler'
import { seedDemo } from '../scripts/demo/seed.ts'
import { CHROMIUM_ARGS, findBrowser } from '../scripts/tools/browser.ts'
import { median } from './calls.ts'
import type { ReportRow } from './table.ts'

// `npm run bench -- --page`: how soon a page is seen, on a slow phone and a slow network, over a bare page.

const ROUNDS = 7
const BARE = '/bare'
/** The pages that the worker draws. */
const PAGES = ['/', '/subscribe', '/privacy-policy', '/shows/show-bayfront-shell']

/**
 * The least that shows the same first picture: a heading and the home page's own picture, as large as there (two thirds of
 * the screen; one that fills it is a background to the browser, and none that is waited for), and no script.
 */
function bare(home: string): string {
  const picture = /<picture>.*?<\/picture>/s.exec(home)?.[0]
  if (!picture) throw new Error('The home page shows no picture.')
  const style =
    'body{margin:0;background:#0b0a08;color:#f4efe4}picture{display:block;height:67vh}img{width:100%;height:100%;object-fit:cover}'
  return `<!doctype html><html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width"><title>Bare</title><style>${style}</style></head><body><h1>Bare</h1>${picture}</body></html>`
}

/** Visits the bare page, each page and the bare page again in rounds whose order rotates. */
async function loadInRounds(browser: Browser, base: string): Promise<Map<string, PageLoad[]>> {
  const stops = [BARE, ...PAGES, `${BARE}?again`]
  const visits = new Map<string, PageLoad[]>(stops.map((stop) => [stop, []]))
  for (const stop of stops) await measurePageLoad(browser, base + stop)
  for (let round = 0; round < ROUNDS; round++)
    for (let i = 0; i < stops.length; i++) {
      const stop = stops[(i + round) % stops.length] as string
      visits.get(stop)?.push(await measurePageLoad(browser, base + stop))
    }
  return visits
}

const sorted = (numbers: readonly number[]) => [...numbers].sort((a, b) => a - b)
const seconds = (ms: number) => `${(ms / 1000).toFixed(2)} s`

async function loadAll(program: string, base: string): Promise<Map<string, PageLoad[]>> {
  const browser = await chromium.launch({ executablePath: program, args: CHROMIUM_ARGS })
  try {
    return await loadInRounds(browser, base)
  } finally {
    await browser.close()
  }
}

/** Measures what `--page` prints. */
export async function measurePages(vars: Record<string, string>): Promise<ReportRow[]> {
  const server = createTestHarness({ workers: [{ configPath: 'wrangler.toml', vars }] })
  const { url } = await server.listen()
  const worker = server.getWorker<{ DB: D1Database; FILES: R2Bucket }>()
  await worker.applyD1Migrations('DB')
  const { DB, FILES } = await worker.getEnv()
  await seedDemo({ db: DB, files: FILES }, Date.now(), console.log)
  const home = await (await fetch(url)).text()
  const page = bare(home)
  const edge = await startCdnProxy(url, new Map([BARE, `${BARE}?again`].map((path) => [path, page])))
  const program = await findBrowser()
  try {
    const visits = await loadAll(program, edge.base)
    return [...pageRows(visits, brotliCompressSync(home).length), ...(await lighthouseRows(edge.base, PAGES, program))]
  } finally {
    edge.close()
    await server.close()
  }
}

/** @param homeBytes what the home page's HTML comes to, compressed. */
function pageRows(visits: Map<string, PageLoad[]>, homeBytes: number): ReportRow[] {
  const of = (path: string, what: keyof PageLoad) => (visits.get(path) ?? []).map((one) => one[what])
  const over = (figure: string, path: string, what: 'fcp' | 'lcp', target: number | null): ReportRow => {
    const floors = of(BARE, what)
    const ratios = sorted(of(path, what).map((ms, i) => ms / (floors[i] ?? Number.NaN)))
    const middle = median(ratios)
    return {
      figure,
      measured: `${seconds(median(sorted(of(path, what))))} over ${seconds(median(sorted(floors)))}`,
      against: `${middle.toFixed(3)} (${ratios[0]?.toFixed(2)}..${ratios.at(-1)?.toFixed(2)})`,
      target: target?.toFixed(2) ?? '-',
      held: target === null ? null : middle <= target,
      cause: `the network that the browser plays shares its bytes evenly: beside the picture comes the rest of the page, ${(homeBytes / 1024).toFixed(1)} KB of HTML where a bare page has none. Script, letters and the pictures further down wait for it.`,
    }
  }
  const shift = (path: string): ReportRow => {
    const worst = Math.max(...of(path, 'cls'))
    return {
      figure: `layout shift of ${path}`,
      measured: worst === 0 ? '0' : worst.toPrecision(2),
      against: 'the worst of all visits',
      target: '0',
      held: worst === 0,
      cause:
        'letters or a picture came where more or less room was kept than they take; web/e2e/layout-shift.e2e.ts holds late letters under 0.001.',
    }
  }
  const blocked = (path: string): ReportRow => ({
    figure: `script of ${path} holds up its reader`,
    measured: `${median(sorted(of(path, 'blocked'))).toFixed(0)} ms`,
    against: 'processor 4 times slower',
    target: '-',
    held: null,
  })
  return [
    over('A/A: LCP of the bare page against itself', `${BARE}?again`, 'lcp', null),
    over('home LCP over a bare page with its picture', '/', 'lcp', 1.05),
    over('home FCP over a bare page with its picture', '/', 'fcp', null),
    ...PAGES.slice(1).map((path) => over(`LCP of ${path}`, path, 'lcp', null)),
    ...PAGES.map(shift),
    blocked('/'),
  ]
}

/** What a first visit came to: instants and spans in milliseconds, the shift as Chrome scores it. */
export type PageLoad = { fcp: number; lcp: number; cls: number; blocked: number }

/** What the page notes down of itself, from its first moment on. */
type Recorded = { fcp: number; lcp: number; cls: number; tasks: { at: number; took: number }[] }

// Lighthouse's mobile profile, applied: slow 4G and a processor four times slower, on a phone of 412 by 823.
const PHONE = { viewport: { width: 412, height: 823 }, deviceScaleFactor: 1.75, isMobile: true, hasTouch: true }
const KBIT = 1024 / 8
const SLOW_4G = {
  offline: false,
  latency: 562.5,
  downloadThroughput: 1474.56 * KBIT,
  uploadThroughput: 675 * KBIT,
}
const CPU_SLOWDOWN = 4
/** A task holds a reader up from so many milliseconds on. */
const LONG_TASK_MS = 50

/** Opens an address as somebody who has never been here, and waits until nothing is fetched any more. */
export async function measurePageLoad(browser: Browser, url: string): Promise<PageLoad> {
  const context = await browser.newContext(PHONE)
  try {
    const page = await context.newPage()
    const network = await context.newCDPSession(page)
    await network.send('Network.enable')
    await network.send('Network.emulateNetworkConditions', SLOW_4G)
    await network.send('Emulation.setCPUThrottlingRate', { rate: CPU_SLOWDOWN })
    await page.addInitScript(recordMetrics)
    await page.goto(url, { waitUntil: 'networkidle', timeout: 60_000 })
    const { fcp, lcp, cls, tasks } = await page.evaluate(() => (window as unknown as { noted: Recorded }).noted)
    const blocked = tasks
      .filter(({ at }) => at > fcp)
      .reduce((sum, { took }) => sum + Math.max(0, took - LONG_TASK_MS), 0)
    return { fcp, lcp, cls, blocked }
  } finally {
    await context.close()
  }
}

/** Runs in the page. */
function recordMetrics(): void {
  const noted: Recorded = { fcp: 0, lcp: 0, cls: 0, tasks: [] }
  Object.assign(window, { noted })
  const observe = (type: string, note: (entry: PerformanceEntry) => void) =>
    new PerformanceObserver((list) => list.getEntries().forEach(note)).observe({ type, buffered: true })
  observe('paint', ({ name, startTime }) => {
    if (name === 'first-contentful-paint') noted.fcp = startTime
  })
  observe('largest-contentful-paint', ({ startTime }) => {
    noted.lcp = startTime
  })
  observe('layout-shift', (entry) => {
    noted.cls += (entry as PerformanceEntry & { value: number }).value
  })
  observe('longtask', ({ startTime, duration }) => noted.tasks.push({ at: startTime, took: duration }))
}

type CachedFile = { status: number; headers: Record<string, string>; body: Uint8Array }

const TEXT = /^(text\/|application\/(json|javascript|manifest\+json))/
/** What only holds between two hops. */
const HOP_BY_HOP_HEADERS = ['content-encoding', 'content-length', 'transfer-encoding', 'connection', 'keep-alive']

/**
 * A server that answers as Cloudflare's edge does where the local runtime does not: with text compressed. Each address
 * is fetched from `origin` once and given from memory from then on, so that a page and its floor wait for the network that
 * the browser plays and for nothing else. `own` are pages that stand beside the site.
 */
export async function startCdnProxy(origin: URL, own: ReadonlyMap<string, string>) {
  const kept = new Map<string, Promise<CachedFile>>()
  const server = createServer(async (request, response) => {
    const path = request.url ?? '/'
    const how = encodingFor(request)
    const key = `${how} ${request.method} ${path}`
    const found = kept.get(key) ?? fetchCompressed(new URL(path, origin), own.get(path), how, request.method ?? 'GET')
    kept.set(key, found)
    const { status, headers, body } = await found
    response.writeHead(status, headers).end(body)
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const address = server.address()
  if (address === null || typeof address === 'string') throw new Error('The edge has no port.')
  return { base: `http://localhost:${address.port}`, close: () => server.close() }
}

async function fetchCompressed(
  url: URL,
  own: string | undefined,
  how: 'br' | 'gzip',
  method: string,
): Promise<CachedFile> {
  const response =
    own === undefined
      ? await fetch(url, { method, redirect: 'manual' })
      : new Response(own, { headers: { 'content-type': 'text/html; charset=utf-8' } })
  const plain = new Uint8Array(await response.arrayBuffer())
  const headers = Object.fromEntries([...response.headers].filter(([name]) => !HOP_BY_HOP_HEADERS.includes(name)))
  if (!TEXT.test(headers['content-type'] ?? '') || plain.length === 0)
    return { status: response.status, headers, body: plain }
  const body = how === 'br' ? brotliCompressSync(plain) : gzipSync(plain)
  return { status: response.status, headers: { ...headers, 'content-encoding': how }, body }
}

const encodingFor = (request: IncomingMessage) =>
  /\bbr\b/.test(`${request.headers['accept-encoding']}`) ? 'br' : 'gzip'

// Lighthouse's own scores, by Lighthouse itself. It is fetched for this run alone and is no dependency (decision 0024).

const PACKAGE = 'lighthouse@13.5.0'
/** Over the home page, whose speed differs most from run to run; over each other page one. */
const RUNS = 3
const INSTALL_TIMEOUT_MS = 120_000
const RUN_TIMEOUT_MS = 120_000
const CATEGORIES = {
  performance: 'performance',
  accessibility: 'accessibility',
  'best-practices': 'best practices',
  seo: 'SEO',
} as const
type Category = keyof typeof CATEGORIES

/** What of Lighthouse's report is read. A score is 0 to 1, null where it does not apply. */
type Report = {
  runtimeError?: { message: string }
  categories: Record<Category, { score: number | null; auditRefs: { id: string; weight: number }[] }>
  audits: Record<string, { title: string; score: number | null; displayValue?: string; errorMessage?: string }>
}

const lighthouse = (args: readonly string[], browser: string, withinMs: number) =>
  runInProcessGroup('npx', ['--yes', '--prefer-offline', PACKAGE, ...args], withinMs, {
    // On the house's Node, which may be newer than the machine's.
    ...process.env,
    CHROME_PATH: browser,
    PATH: `${dirname(process.execPath)}${delimiter}${process.env.PATH}`,
    // Where there is no way out, a minute of trying again brings none.
    npm_config_fetch_retries: '1',
  })

async function report(url: string, browser: string): Promise<Report> {
  const args = [
    url,
    '--quiet',
    '--output=json',
    '--output-path=stdout',
    '--form-factor=mobile',
    '--throttling-method=devtools',
    `--only-categories=${Object.keys(CATEGORIES).join(',')}`,
    '--chrome-flags=--headless=new --no-sandbox --disable-gpu',
  ]
  const given = JSON.parse(await lighthouse(args, browser, RUN_TIMEOUT_MS)) as Report
  if (given.runtimeError) throw new Error(given.runtimeError.message)
  return given
}

/** The median of the runs that gave a score; none where no run did (a figure of theirs could not be taken: see `faults`). */
function middle(reports: readonly Report[], category: Category): number | 'none' {
  const given = reports.map((one) => one.categories[category].score).filter((score) => score !== null)
  return given.length === 0 ? 'none' : Math.round(median(given.sort((a, b) => a - b)) * 100)
}

/** The audits that cost a category points, with what Lighthouse says of them. */
const faults = (report: Report, category: Category) =>
  report.categories[category].auditRefs
    .map(({ id, weight }) => ({ weight, audit: report.audits[id] }))
    .filter(({ weight, audit }) => weight > 0 && audit && (audit.errorMessage || (audit.score ?? 1) < 0.9))
    .map(({ audit }) => `${audit?.title} (${audit?.errorMessage ?? audit?.displayValue ?? 'see Lighthouse'})`)

/** What the runs over one page gave: reports, and of the runs that gave none what was said. */
type PageReports = { path: string; reports: Report[]; broke: string[] }

async function reportPage(base: string, path: string, runs: number, browser: string): Promise<PageReports> {
  const of: PageReports = { path, reports: [], broke: [] }
  for (let i = 0; i < runs; i++)
    try {
      of.reports.push(await report(base + path, browser))
    } catch (error) {
      of.broke.push(shortly(error))
    }
  return of
}

/**
 * A row for each of the four scores of the drawn pages: the first one's as a median, the others' beside it. One row that
 * says so where Lighthouse cannot be fetched, or gives no report at all.
 */
export async function lighthouseRows(base: string, paths: readonly string[], browser: string): Promise<ReportRow[]> {
  try {
    await lighthouse(['--version'], browser, INSTALL_TIMEOUT_MS)
  } catch (error) {
    const why = 'It is no dependency of this house and has to be fetched (decision 0024).'
    return [notRun(`npx ${PACKAGE} was not to be had (${shortly(error)}). ${why}`)]
  }
  const pages: PageReports[] = []
  for (const path of paths) pages.push(await reportPage(base, path, path === paths[0] ? RUNS : 1, browser))
  if (pages.every(({ reports }) => reports.length === 0))
    return [notRun(`it was there, and ended on every page without a report: ${pages[0]?.broke[0]}.`)]
  return (Object.keys(CATEGORIES) as Category[]).map((category) => {
    const scores = pages.map(({ reports }) => middle(reports, category))
    const causes = pages.flatMap(({ path, reports, broke }) => [
      ...[...new Set(reports.flatMap((one) => faults(one, category)))].map((fault) => `${path}: ${fault}`),
      ...[...new Set(broke)].map((said) => `${path}: a run without a report (${said})`),
    ])
    return {
      figure: `Lighthouse, ${CATEGORIES[category]} of the drawn pages`,
      measured: scores.join(', '),
      against: 'mobile, home page first',
      target: '100',
      held: scores.every((score) => score === 100),
      cause: causes.join('; ') || 'no single audit of it is below 0.9.',
    }
  })
}

/** What npm, the browser or Lighthouse said, in one line. */
function shortly(error: unknown): string {
  const text = error instanceof Error ? error.message : String(error)
  return /npm error code \w+/.exec(text)?.[0] ?? text.trim().split('\n')[0] ?? ''
}

const notRun = (cause: string): ReportRow => ({
  figure: 'Lighthouse, mobile',
  measured: 'not run',
  against: '',
  target: '100 x 4',
  held: false,
  cause,
})

/** How long a group may take to tidy up, before all of it is killed. */
const KILL_GRACE_MS = 3_000

/**
 * Runs a program in a process group of its own and tells what it printed. When it takes too long all of the group ends,
 * and not only the first of it: `npx` starts Lighthouse. SIGINT comes first, for Lighthouse then kills its browser, which
 * stands in a third group.
 * @throws Error with what it printed as its errors, or that it was not done in time.
 */
export function runInProcessGroup(
  program: string,
  args: readonly string[],
  withinMs: number,
  env = process.env,
): Promise<string> {
  return new Promise((resolve, reject) => {
    const child = spawn(program, args, { detached: true, stdio: ['ignore', 'pipe', 'pipe'], env })
    const printed = { out: '', err: '' }
    child.stdout.setEncoding('utf8').on('data', (text) => (printed.out += text))
    child.stderr.setEncoding('utf8').on('data', (text) => (printed.err += text))
    const end = (signal: NodeJS.Signals) => {
      try {
        if (child.pid) process.kill(-child.pid, signal)
      } catch {
        // All of it has ended by itself.
      }
    }
    let late = false
    let last: NodeJS.Timeout | undefined
    const first = setTimeout(() => {
      late = true
      end('SIGINT')
      last = setTimeout(end, KILL_GRACE_MS, 'SIGKILL')
    }, withinMs)
    const over = (error: Error | null) => {
      clearTimeout(first)
      clearTimeout(last)
      if (late) {
        end('SIGKILL')
        reject(new Error(`${program} was not done after ${withinMs / 1000} s.`))
      } else if (error) reject(error)
      else resolve(printed.out)
    }
    child.on('error', over)
    child.on('close', (code) => over(code === 0 ? null : new Error(printed.err || `${program} ended with ${code}.`)))
  })
}
