import type { Browser, Page } from '@playwright/test'

/** The fields of a trace event that are read; times in microseconds. */
type TraceEvent = {
  name: string
  ph: string
  pid: number
  tid: number
  ts: number
  dur?: number
  /** Processor time of the thread, which depends less on other load than `dur`. */
  tdur?: number
  args: { data?: { documentLoaderURL?: string }; beginData?: { stackTrace?: readonly unknown[] } }
}
type Span = TraceEvent & { dur: number }

/** Work of a page's main thread while it loaded. */
type PageTrace = {
  longestTaskMs: number
  /** Stacks of scripts that forced a layout; not animation frame callbacks, after which a layout follows anyway. */
  forcedLayouts: string[]
}

const CATEGORIES = [
  'blink.user_timing',
  'devtools.timeline',
  'disabled-by-default-devtools.timeline',
  'disabled-by-default-devtools.timeline.stack',
]
const STACK_DEPTH = 4
const SCRIPT_EVENTS = ['EvaluateScript', 'FunctionCall', 'v8.evaluateModule']

/** Traces `visit`, which loads the page. A browser records one trace at a time. */
export async function tracePage(browser: Browser, page: Page, visit: () => Promise<void>): Promise<PageTrace> {
  await browser.startTracing(page, { categories: CATEGORIES })
  await visit()
  const { traceEvents } = JSON.parse(`${await browser.stopTracing()}`) as { traceEvents: TraceEvent[] }
  const start = traceEvents.findLast(
    ({ name, args }) => name === 'navigationStart' && args.data?.documentLoaderURL === page.url(),
  )
  if (!start) throw new Error(`The trace contains no navigation to ${page.url()}.`)
  const spans = traceEvents.filter(
    (event): event is Span =>
      event.ph === 'X' && event.pid === start.pid && event.tid === start.tid && event.ts >= start.ts,
  )
  const spansNamed = (...names: string[]) => spans.filter(({ name }) => names.includes(name))
  const scripts = spansNamed(...SCRIPT_EVENTS)
  const frameCallbacks = spansNamed('FireAnimationFrame')
  const isIn = (outer: readonly Span[], { ts }: Span) => outer.some((span) => ts >= span.ts && ts < span.ts + span.dur)
  return {
    longestTaskMs: Math.max(...spansNamed('RunTask').map(({ dur, tdur }) => tdur ?? dur)) / 1000,
    forcedLayouts: spansNamed('Layout')
      .filter((layout) => isIn(scripts, layout) && !isIn(frameCallbacks, layout))
      .map(({ args }) => JSON.stringify(args.beginData?.stackTrace?.slice(0, STACK_DEPTH))),
  }
}

/** Reference for a page's tasks: milliseconds to lay out a fixed text in a blank page, the fastest of five runs. */
export const timeReferenceTask = (blankPage: Page): Promise<number> =>
  blankPage.evaluate(() => {
    const times = Array.from({ length: 5 }, () => {
      const start = performance.now()
      const list = document.createElement('div')
      for (let line = 0; line < 1600; line += 1) {
        const paragraph = document.createElement('p')
        paragraph.textContent = `Line ${line} of a text that is long enough to need several lines on a phone.`
        list.appendChild(paragraph)
      }
      document.body.appendChild(list)
      list.getBoundingClientRect()
      list.remove()
      return performance.now() - start
    })
    return Math.min(...times)
  })
