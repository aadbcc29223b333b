import { brotliCompressSync } from 'node:zlib'
import { type Browser, chromium } from '@playwright/test'
import { createTestHarness } from 'wrangler'
import { seedDemo } from '../scripts/demo/seed.ts'
import { CHROMIUM_ARGS, findBrowser } from '../scripts/tools/browser.ts'
import { startCdnProxy } from './cdn-proxy.ts'
import { lighthouseRows } from './lighthouse.ts'
import { median } from './measure.ts'
import { measurePageLoad, type PageLoad } from './page-load.ts'
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
