import { type Browser, type CDPSession, chromium, type Page } from '@playwright/test'
import { CHROMIUM_ARGS } from '../scripts/tools/browser.ts'
import { median } from './comparisons.ts'
import type { ReportRow } from './table.ts'

// `npm run bench -- --page` measures the time from a tap or key press to the next paint, on controls of public pages.

const PAGES = [
  '/',
  '/music',
  '/music/causeway-season',
  '/music/causeway-season/palm-reader',
  '/merch',
  '/merch/gold-nose-clip',
  '/shows',
  '/shows/bayfront-shell-tampa',
  '/community',
  '/hub',
  '/hub/missions',
  '/challenge',
  '/subscribe',
  '/checkout?product=gold-nose-clip&quantity=1',
  '/login',
  '/signup',
]
/** Lighthouse's mobile profile: 412 by 823, CPU four times slower. */
export const PHONE = { viewport: { width: 412, height: 823 }, deviceScaleFactor: 1.75, isMobile: true, hasTouch: true }
export const CPU_SLOWDOWN = 4
const INTERACTION_TARGET_MS = 100
const INTERACTION_LIMIT_MS = 200
const CONTENT_TARGET_MS = 100
const SKELETON_TARGET_MS = 50
/** Slow interactions are repeated; the median counts. */
const REPEATS = 3
/** The first tap on a link loads data; the second finds it loaded. */
const LINK_REPEATS = 2
const REFERENCE_TAPS = 9
const SETTLE_MS = 300
const TOUCH_MS = 80
const INTERACTIVE_ELEMENTS = 'a[href], button, input, select, textarea, summary, [role=slider], [role=tab]'

/** `index` is the position among the page's interactive elements. */
type Control = { index: number; name: string; group: string }
/**
 * Milliseconds of an interaction's longest event, whose `total` Chrome rounds to 8. `toContent` is the time from a
 * click to the paint of the next page's heading or skeleton; null if none appeared.
 */
type Timing = { total: number; delay: number; processing: number; presentation: number; toContent: number | null }
type Interaction = Timing & { path: string; name: string }

/** Runs in the page: the first and last visible control of each group of similar ones, such as the rows of a list. */
function listControls(interactive: string): Control[] {
  const groups = new Map<string, Control[]>()
  for (const [index, element] of [...document.querySelectorAll(interactive)].entries()) {
    if (!element.checkVisibility({ visibilityProperty: true }) || element.matches(':disabled, .sr-only')) continue
    const landmark = element.closest('header, nav, section, footer, main')
    const place = landmark?.getAttribute('aria-label') ?? landmark?.id ?? ''
    const group = `${landmark?.tagName} ${place} ${element.tagName} ${element.className}`
    const name = element.getAttribute('aria-label') || element.textContent || element.id
    groups.set(group, [...(groups.get(group) ?? []), { index, name, group }])
  }
  const controls = [...groups.values()].flatMap((similar) => [...new Set([similar[0], similar.at(-1)])])
  return controls.filter((control) => control !== undefined)
}

/** Runs in the page: scrolls to a control. Returns the point to tap or the key to press; null if covered or gone. */
function findTarget({ interactive, index, name }: { interactive: string; index: number; name: string }) {
  const element = [...document.querySelectorAll<HTMLElement>(interactive)][index]
  if (!element || (element.getAttribute('aria-label') || element.textContent || element.id) !== name) return null
  element.scrollIntoView({ block: 'center', behavior: 'instant' })
  const box = element.getBoundingClientRect()
  const x = box.x + box.width / 2
  const y = box.y + box.height / 2
  const key = element.matches('select, [type=range]') ? 'ArrowDown' : element.matches('textarea, input') ? 'a' : null
  const isTappable = element.contains(document.elementFromPoint(x, y))
  if (element.matches('[type=checkbox], [type=radio]') || !key) return isTappable ? { x, y, key: null } : null
  element.focus()
  return { x, y, key }
}

type RecordedEvents = { events: PerformanceEventTiming[]; toContent: number | null }

/** Runs in the page before its own scripts: records interactions and disables links to other sites. */
function recordInteractions(): void {
  const recorded: RecordedEvents = { events: [], toContent: null }
  // A native prompt would block the page.
  Object.assign(window, { recorded, prompt: () => null })
  new PerformanceObserver((list) => {
    for (const entry of list.getEntries() as PerformanceEventTiming[])
      if (entry.interactionId) recorded.events.push(entry)
  }).observe({ type: 'event', durationThreshold: 16, buffered: true } as PerformanceObserverInit)
  addEventListener('click', (event) => {
    const link = event.target instanceof Element && event.target.closest('a')
    if (link && (link.target === '_blank' || link.origin !== location.origin || link.download)) event.preventDefault()
  })
  // While a skeleton shows, the previous page is hidden, not removed.
  const content = () =>
    [...document.querySelectorAll('main h1, main > .skeleton')].find((element) => element.checkVisibility())
  const recordContent = ({ timeStamp }: Event) => {
    const before = content()
    const check = () => {
      if (content() && content() !== before)
        setTimeout(() => {
          recorded.toContent = performance.now() - timeStamp
        })
      else if (performance.now() - timeStamp < 1000) requestAnimationFrame(check)
    }
    requestAnimationFrame(check)
  }
  addEventListener('click', recordContent, { capture: true })
}

/** Runs in the page: returns the timing of the longest recorded event and clears the records. */
function takeTiming(): Timing {
  const { recorded } = window as unknown as { recorded: RecordedEvents }
  const [longest] = recorded.events.splice(0).sort((a, b) => b.duration - a.duration)
  const { toContent } = recorded
  recorded.toContent = null
  // Events shorter than the observer's threshold are not reported.
  if (!longest) return { total: 0, delay: 0, processing: 0, presentation: 0, toContent }
  const { startTime, duration, processingStart, processingEnd } = longest
  return {
    total: duration,
    delay: processingStart - startTime,
    processing: processingEnd - processingStart,
    presentation: Math.max(0, startTime + duration - processingEnd),
    toContent,
  }
}

/** A page in a phone's viewport; the processor is slowed down during interactions. */
class Visit {
  readonly page: Page
  readonly #devtools: CDPSession

  private constructor(page: Page, devtools: CDPSession) {
    this.page = page
    this.#devtools = devtools
  }

  static async start(browser: Browser): Promise<Visit> {
    const context = await browser.newContext({ ...PHONE, serviceWorkers: 'block' })
    const page = await context.newPage()
    await page.addInitScript(recordInteractions)
    return new Visit(page, await context.newCDPSession(page))
  }

  /** Opens a page and scrolls through it, so that its lazy sections load. */
  async open(url: string): Promise<void> {
    await this.page.goto(url, { waitUntil: 'networkidle' })
    await this.page.evaluate(async () => {
      for (let y = 0; y < document.body.scrollHeight; y += innerHeight) {
        scrollTo({ top: y, behavior: 'instant' })
        await new Promise((resolve) => setTimeout(resolve, 50))
      }
    })
    await this.page.waitForLoadState('networkidle')
  }

  /** Goes back from an opened page, or closes an opened dialog or menu. */
  async restore(url: string): Promise<void> {
    if (this.page.url() !== url) await this.page.goBack()
    else await this.page.keyboard.press('Escape')
    await this.page.waitForTimeout(SETTLE_MS)
    const isOpen = () => document.querySelector('[role=dialog], [aria-expanded=true]') !== null
    if (this.page.url() !== url || (await this.page.evaluate(isOpen))) await this.open(url)
  }

  /** Taps the control, or presses a key in a field. Null if the control is covered or gone. */
  async interact({ index, name }: Pick<Control, 'index' | 'name'>): Promise<Timing | null> {
    const target = await this.page.evaluate(findTarget, { interactive: INTERACTIVE_ELEMENTS, index, name })
    if (!target) return null
    await this.page.waitForTimeout(SETTLE_MS)
    await this.page.evaluate(takeTiming)
    await this.#devtools.send('Emulation.setCPUThrottlingRate', { rate: CPU_SLOWDOWN })
    if (target.key) await this.page.keyboard.press(target.key)
    else await this.#tap(target)
    await this.page.waitForTimeout(SETTLE_MS)
    await this.page.evaluate(() => new Promise((resolve) => requestAnimationFrame(() => setTimeout(resolve, 50))))
    await this.#devtools.send('Emulation.setCPUThrottlingRate', { rate: 1 })
    return this.page.evaluate(takeTiming)
  }

  /** Holds the touch for `TOUCH_MS`, in which the page may preload. */
  async #tap({ x, y }: { x: number; y: number }): Promise<void> {
    await this.#devtools.send('Input.dispatchTouchEvent', { type: 'touchStart', touchPoints: [{ x, y }] })
    await this.page.waitForTimeout(TOUCH_MS)
    await this.#devtools.send('Input.dispatchTouchEvent', { type: 'touchEnd', touchPoints: [] })
  }
}

/** Median milliseconds of taps on a page that has only a button; at least 8, the resolution of Chrome's timing. */
async function measureReference(visit: Visit, base: string): Promise<number> {
  const url = `${base}/reference-button`
  await visit.page.route(url, (route) =>
    route.fulfill({ contentType: 'text/html', body: '<!doctype html><title>Reference</title><button>Press</button>' }),
  )
  await visit.open(url)
  await visit.page.evaluate(() => {
    const button = document.querySelector('button')
    button?.addEventListener('click', () => button.toggleAttribute('aria-pressed'))
  })
  const totals: number[] = []
  for (let i = 0; i < REFERENCE_TAPS; i++) totals.push((await visit.interact({ index: 0, name: 'Press' }))?.total ?? 0)
  return Math.max(8, median(totals))
}

/**
 * Interacts with the controls of a page, except those in `measuredGroups`. Adds the page's header, navigation and
 * footer to these groups, so that only the first page measures them.
 */
async function measurePage(
  visit: Visit,
  base: string,
  path: string,
  measuredGroups: Set<string>,
): Promise<Interaction[]> {
  const url = base + path
  await visit.open(url)
  const controls = (await visit.page.evaluate(listControls, INTERACTIVE_ELEMENTS)).filter(
    ({ group }) => !measuredGroups.has(group),
  )
  for (const { group } of controls) if (/^(HEADER|NAV|FOOTER)/.test(group)) measuredGroups.add(group)
  const interactions: Interaction[] = []
  for (const control of controls) {
    const timings: Timing[] = []
    for (let i = 0; i < REPEATS; i++) {
      const timing = await visit.interact(control)
      await visit.restore(url)
      if (timing) timings.push(timing)
      const repeats = timing?.toContent != null ? LINK_REPEATS : REPEATS
      if (!timing || i + 1 >= repeats || (timing.total <= INTERACTION_TARGET_MS && repeats === REPEATS)) break
    }
    // The last tap counts: the first one also waited for data.
    const toContent = timings.length > 1 ? (timings.at(-1)?.toContent ?? null) : null
    const middle = timings.sort((a, b) => a.total - b.total)[Math.floor(timings.length / 2)]
    if (middle)
      interactions.push({ ...middle, toContent, path, name: control.name.trim().replace(/\s+/g, ' ').slice(0, 40) })
    // An opened element, such as the player, may cover the control: reload the page.
    else await visit.open(url)
  }
  return interactions
}

const formatMs = (value: number) => `${value.toFixed(0)} ms`

/** Milliseconds from a tap on a link to the skeleton of the next page, whose code never loads. */
async function measureSkeleton(browser: Browser, base: string): Promise<number> {
  const visit = await Visit.start(browser)
  await visit.open(`${base}/`)
  await visit.page.route('**/assets/*.js', () => undefined)
  const controls = await visit.page.evaluate(listControls, INTERACTIVE_ELEMENTS)
  const link = controls.find(({ name }) => name === 'All music')
  const timing = link && (await visit.interact(link))
  await visit.page.context().close()
  return timing?.toContent ?? Number.NaN
}

/** Measures the controls of the pages, printing progress, and returns rows of the report. */
export async function measureInteractions(
  browserPath: string,
  base: string,
  paths: readonly string[] = PAGES,
): Promise<ReportRow[]> {
  const browser = await chromium.launch({ executablePath: browserPath, args: CHROMIUM_ARGS })
  try {
    const visit = await Visit.start(browser)
    const reference = await measureReference(visit, base)
    const measuredGroups = new Set<string>()
    const interactions: Interaction[] = []
    for (const path of paths) {
      interactions.push(...(await measurePage(visit, base, path, measuredGroups)))
      console.log(`${path}: ${interactions.length} controls so far`)
    }
    const toSkeleton: number[] = []
    for (let i = 0; i < REPEATS; i++) toSkeleton.push(await measureSkeleton(browser, base))
    return [
      ...nextPaintRows(
        interactions.sort((a, b) => b.total - a.total),
        reference,
      ),
      ...navigationRows(
        interactions,
        toSkeleton.sort((a, b) => a - b),
        reference,
      ),
    ]
  } finally {
    await browser.close()
  }
}

/** Prints the ten slowest and returns rows of the report. @param interactions slowest first */
function nextPaintRows(interactions: readonly Interaction[], reference: number): ReportRow[] {
  console.log('\nslowest interactions: input delay + processing + presentation')
  for (const { path, name, total, delay, processing, presentation } of interactions.slice(0, 10))
    console.log(
      `${(total / reference).toFixed(1).padStart(5)} x  ${[delay, processing, presentation].map(formatMs).join(' + ')}  ${path}: ${name}`,
    )
  const worst = interactions[0]?.total ?? Number.NaN
  const overTarget = interactions.filter(({ total }) => total > INTERACTION_TARGET_MS).length
  const cause = 'see the slowest interactions printed above.'
  return [
    {
      label: 'slowest interaction to next paint',
      measured: `${formatMs(worst)}, ${interactions.length} controls`,
      against: `${(worst / reference).toFixed(1)} x the reference button's`,
      target: formatMs(INTERACTION_LIMIT_MS),
      passed: worst <= INTERACTION_LIMIT_MS,
      cause,
    },
    {
      label: `interactions over ${INTERACTION_TARGET_MS} ms`,
      measured: `${overTarget} of ${interactions.length}`,
      against: 'processor 4 times slower',
      target: '0',
      passed: overTarget === 0,
      cause,
    },
  ]
}

function navigationRows(
  interactions: readonly Interaction[],
  toSkeleton: readonly number[],
  reference: number,
): ReportRow[] {
  const times = interactions.flatMap(({ toContent }) => toContent ?? []).sort((a, b) => a - b)
  const row = (label: string, sorted: readonly number[], targetMs: number, cause: string): ReportRow => {
    const middle = median(sorted)
    return {
      label,
      measured: `${formatMs(middle)}, at most ${formatMs(sorted.at(-1) ?? Number.NaN)}`,
      against: `${(middle / reference).toFixed(1)} x the reference button's`,
      target: formatMs(targetMs),
      passed: middle <= targetMs,
      cause,
    }
  }
  return [
    row(`tap to content, ${times.length} links`, times, CONTENT_TARGET_MS, 'the next page is rendered in one task.'),
    row(
      'tap to skeleton',
      toSkeleton,
      SKELETON_TARGET_MS,
      'hiding the current page and rendering the skeleton are one task.',
    ),
  ]
}
