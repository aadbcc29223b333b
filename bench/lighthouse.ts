import { delimiter, dirname } from 'node:path'
import { median } from './measure.ts'
import { runInProcessGroup } from './process-group.ts'
import type { ReportRow } from './table.ts'

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
