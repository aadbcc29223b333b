import { delimiter, dirname } from 'node:path'
import { runInProcessGroup } from '../scripts/tools/run-in-process-group.ts'
import { median } from './comparisons.ts'
import type { ReportRow } from './table.ts'

// npx downloads Lighthouse for this run; it is not a dependency (docs/decisions/0016).

const LIGHTHOUSE_PACKAGE = 'lighthouse@13.5.0'
/** Other pages run once. */
const HOME_PAGE_RUNS = 5
export const HOME_BLOCKING_LIMIT_MS = 150
export const BLOCKING_LIMIT_MS = 50
const INSTALL_TIMEOUT_MS = 120_000
const RUN_TIMEOUT_MS = 120_000
/** These pages have `noindex` on purpose, for which the SEO category takes points off. */
const NOT_INDEXED = ['/login', '/signup']
const CATEGORIES = {
  performance: 'performance',
  accessibility: 'accessibility',
  'best-practices': 'best practices',
  seo: 'SEO',
} as const
type Category = keyof typeof CATEGORIES

/** The fields of Lighthouse's report read here. A score is 0 to 1; null where the audit does not apply. */
type LighthouseReport = {
  runtimeError?: { message: string }
  categories: Record<Category, { score: number | null; auditRefs: { id: string; weight: number }[] }>
  audits: Record<
    string,
    {
      title: string
      score: number | null
      numericValue?: number
      displayValue?: string
      errorMessage?: string
      /** Console errors, in their audit. */
      details?: { items?: { description?: string }[] }
    }
  >
}

const spawnLighthouse = (args: readonly string[], browserPath: string, timeoutMs: number) =>
  runInProcessGroup('npx', ['--yes', '--prefer-offline', LIGHTHOUSE_PACKAGE, ...args], timeoutMs, {
    ...process.env,
    CHROME_PATH: browserPath,
    // The project's Node may be newer than the machine's.
    PATH: `${dirname(process.execPath)}${delimiter}${process.env.PATH}`,
    // Retrying without a network takes a minute.
    npm_config_fetch_retries: '1',
  })

async function runLighthouse(url: string, browserPath: string): Promise<LighthouseReport> {
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
  const result = JSON.parse(await spawnLighthouse(args, browserPath, RUN_TIMEOUT_MS)) as LighthouseReport
  if (result.runtimeError) throw new Error(result.runtimeError.message)
  return result
}

/** The median of the runs with a score, or 'none'. */
function medianScore(reports: readonly LighthouseReport[], category: Category): number | 'none' {
  const scores = reports.map((report) => report.categories[category].score).filter((score) => score !== null)
  return scores.length === 0 ? 'none' : Math.round(median(scores) * 100)
}

/** Titles of the audits that lower a category's score, each with its reason. */
const failingAudits = (report: LighthouseReport, category: Category) =>
  report.categories[category].auditRefs
    .map(({ id, weight }) => ({ weight, audit: report.audits[id] }))
    .filter(({ weight, audit }) => weight > 0 && audit && (audit.errorMessage || (audit.score ?? 1) < 0.9))
    .map(({ audit }) => {
      const reason = audit?.errorMessage ?? audit?.displayValue ?? audit?.details?.items?.[0]?.description
      return `${audit?.title} (${reason ?? 'see Lighthouse'})`
    })

/** Reports of a page, and messages of runs that failed. */
type PageReports = { path: string; reports: LighthouseReport[]; failures: string[] }

async function auditPage(base: string, path: string, runs: number, browserPath: string): Promise<PageReports> {
  const result: PageReports = { path, reports: [], failures: [] }
  for (let i = 0; i < runs; i++)
    try {
      result.reports.push(await runLighthouse(base + path, browserPath))
    } catch (error) {
      result.failures.push(shortMessage(error))
    }
  return result
}

/**
 * Runs Lighthouse on the pages. Returns a row for each category with the score of every page, and one of blocking
 * times. If Lighthouse cannot be downloaded or reports nothing, returns one row that says so.
 */
export async function auditPages(base: string, paths: readonly string[], browserPath: string): Promise<ReportRow[]> {
  try {
    await spawnLighthouse(['--version'], browserPath, INSTALL_TIMEOUT_MS)
  } catch (error) {
    const reason = 'It is not a dependency and has to be downloaded (docs/decisions/0016).'
    return [notRunRow(`npx ${LIGHTHOUSE_PACKAGE} could not be downloaded (${shortMessage(error)}). ${reason}`)]
  }
  const pages: PageReports[] = []
  for (const path of paths) pages.push(await auditPage(base, path, path === paths[0] ? HOME_PAGE_RUNS : 1, browserPath))
  if (pages.every(({ reports }) => reports.length === 0))
    return [notRunRow(`it ran, but reported on no page: ${pages[0]?.failures[0]}.`)]
  return [...(Object.keys(CATEGORIES) as Category[]).map(categoryRow), blockingTimeRow(pages)]

  function categoryRow(category: Category): ReportRow {
    const rated = pages.filter(({ path }) => category !== 'seo' || !NOT_INDEXED.includes(path))
    const scores = rated.map(({ path, reports }) => ({ path, score: medianScore(reports, category) }))
    const causes = rated.flatMap(({ path, reports, failures }) => [
      ...[...new Set(reports.flatMap((report) => failingAudits(report, category)))].map((fault) => `${path}: ${fault}`),
      ...[...new Set(failures)].map((message) => `${path}: a run without a report (${message})`),
    ])
    return {
      label: `Lighthouse, ${CATEGORIES[category]} of the pages`,
      measured: scores.map(({ path, score }) => `${path} ${score}`).join(', '),
      against: 'mobile, applied throttling',
      target: '100',
      passed: scores.every(({ score }) => score === 100),
      cause: causes.join('; ') || 'no single audit of it is below 0.9.',
    }
  }
}

/** Total blocking time of each page, the home page's first. */
function blockingTimeRow(pages: readonly PageReports[]): ReportRow {
  const times = pages.map(({ path, reports }) => ({
    path,
    millis: median(reports.map(({ audits }) => audits['total-blocking-time']?.numericValue ?? Number.NaN)),
  }))
  const limitOf = (path: string) => (path === '/' ? HOME_BLOCKING_LIMIT_MS : BLOCKING_LIMIT_MS)
  return {
    label: 'Lighthouse, total blocking time of the pages',
    measured: times.map(({ path, millis }) => `${path} ${millis.toFixed(0)} ms`).join(', '),
    against: 'mobile, applied throttling',
    target: `${HOME_BLOCKING_LIMIT_MS} ms, ${BLOCKING_LIMIT_MS} ms`,
    passed: times.every(({ path, millis }) => millis <= limitOf(path)),
    cause: 'hydration and layout on a processor four times slower.',
  }
}

/** npm's error code, or the first line of the message. */
function shortMessage(error: unknown): string {
  const text = error instanceof Error ? error.message : String(error)
  return /npm error code \w+/.exec(text)?.[0] ?? text.trim().split('\n')[0] ?? ''
}

const notRunRow = (cause: string): ReportRow => ({
  label: 'Lighthouse, mobile',
  measured: 'not run',
  against: '',
  target: '100 x 4',
  passed: false,
  cause,
})
