import { execFile } from 'node:child_process'
import { delimiter, dirname } from 'node:path'
import { promisify } from 'node:util'
import { median } from './rounds.ts'
import type { Line } from './table.ts'

// Lighthouse's own scores, by Lighthouse itself. It is fetched for this run alone and is no dependency (decision 0024).

const PACKAGE = 'lighthouse@13.5.0'
/** Of the page whose speed is a target; of the others, whose speed is told beside it, one. */
const RUNS = 3
const FETCHED_WITHIN_MS = 120_000
const RUN_WITHIN_MS = 120_000
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

const run = promisify(execFile)

async function lighthouse(args: readonly string[], browser: string, timeout: number): Promise<string> {
  const { stdout } = await run('npx', ['--yes', '--prefer-offline', PACKAGE, ...args], {
    timeout,
    maxBuffer: 64 * 1024 * 1024,
    // On the house's Node, which may be newer than the machine's.
    env: {
      ...process.env,
      CHROME_PATH: browser,
      PATH: `${dirname(process.execPath)}${delimiter}${process.env.PATH}`,
      // Where there is no way out, a minute of trying again brings none.
      npm_config_fetch_retries: '1',
    },
  })
  return stdout
}

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
  const told = JSON.parse(await lighthouse(args, browser, RUN_WITHIN_MS)) as Report
  if (told.runtimeError) throw new Error(told.runtimeError.message)
  return told
}

/** The median of the runs that gave a score; none where no run did (a figure of theirs could not be taken: see `faults`). */
function middle(reports: readonly Report[], category: Category): number | 'none' {
  const given = reports.map((one) => one.categories[category].score).filter((score) => score !== null)
  return given.length === 0 ? 'none' : Math.round(median(given.sort((a, b) => a - b)) * 100)
}

/** The audits that cost a category points, with what Lighthouse says of them. */
const faults = (told: Report, category: Category) =>
  told.categories[category].auditRefs
    .map(({ id, weight }) => ({ weight, audit: told.audits[id] }))
    .filter(({ weight, audit }) => weight > 0 && audit && (audit.errorMessage || (audit.score ?? 1) < 0.9))
    .map(({ audit }) => `${audit?.title} (${audit?.errorMessage ?? audit?.displayValue ?? 'see Lighthouse'})`)

/** A row for each of the four scores, the first page's speed as a median; one row that says so where it cannot be run. */
export async function lighthouseLines(base: string, paths: readonly string[], browser: string): Promise<Line[]> {
  const told: { path: string; reports: Report[] }[] = []
  try {
    await lighthouse(['--version'], browser, FETCHED_WITHIN_MS)
    for (const path of paths) {
      const reports: Report[] = []
      for (let i = 0; i < (path === paths[0] ? RUNS : 1); i++) reports.push(await report(base + path, browser))
      told.push({ path, reports })
    }
  } catch (error) {
    return [notRun(error)]
  }
  return (Object.keys(CATEGORIES) as Category[]).map((category) => {
    const scores = told.map(({ reports }) => middle(reports, category))
    const causes = told.flatMap(({ path, reports }) =>
      [...new Set(reports.flatMap((one) => faults(one, category)))].map((fault) => `${path}: ${fault}`),
    )
    return {
      figure: `Lighthouse, mobile, ${CATEGORIES[category]} of ${paths[0]}`,
      measured: `${scores[0]}`,
      against: `others ${scores.slice(1).join(', ')}`,
      target: '100',
      held: scores.every((score) => score === 100),
      cause: causes.join('; ') || 'no single audit of it is below 0.9.',
    }
  })
}

/** @param error what npm, the browser or Lighthouse said: mostly that the machine has no way to npm's registry. */
function notRun(error: unknown): Line {
  const text = error instanceof Error ? error.message : String(error)
  const said = /npm error code \w+/.exec(text)?.[0] ?? text.split('\n')[0]
  return {
    figure: 'Lighthouse, mobile',
    measured: 'not run',
    against: '',
    target: '100 x 4',
    held: false,
    cause: `npx ${PACKAGE} gave no scores (${said}). It is no dependency of this house and has to be fetched (decision 0024).`,
  }
}
