import { spawn } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { SILENT_ENV } from './silent-env.ts'

export const WRANGLER = 'node_modules/wrangler/bin/wrangler.js'

export type TestCounts = { passed: number; failed: number }

/** Runs a Node program and prints its output without known noise. Returns whether it succeeded. */
export function runTool(path: string, args: readonly string[], env: Record<string, string> = {}): Promise<boolean> {
  const child = spawn(process.execPath, [path, ...args], {
    stdio: ['ignore', 'pipe', 'pipe'],
    env: { ...process.env, ...SILENT_ENV, ...env },
  })
  for (const stream of [child.stdout, child.stderr]) {
    let partialLine = ''
    stream.setEncoding('utf8').on('data', (text: string) => {
      const lines = (partialLine + text).split('\n')
      partialLine = lines.pop() ?? ''
      for (const line of lines) if (!isNoise(line)) console.log(line)
    })
    stream.on('end', () => partialLine && !isNoise(partialLine) && console.log(partialLine))
  }
  return new Promise((resolve) => child.on('exit', (code) => resolve(code === 0)))
}

// Some libraries ship source maps without their sources.
const isNoise = (line: string) => /Sourcemap for .* points to missing source files/.test(line)

/** Counts in a vitest or Playwright JSON report. Skipped and flaky tests and an unreadable report count as failed. */
export function readReport(path: string): TestCounts {
  try {
    const data: unknown = JSON.parse(readFileSync(path, 'utf8'))
    if (isVitest(data))
      return { passed: data.numPassedTests, failed: data.numFailedTests + data.numPendingTests + emptySuites(data) }
    if (isPlaywright(data))
      return { passed: data.stats.expected, failed: data.stats.unexpected + data.stats.flaky + data.stats.skipped }
  } catch {
    // Counted below.
  }
  return { passed: 0, failed: 1 }
}

type VitestReport = {
  numPassedTests: number
  numFailedTests: number
  numPendingTests: number
  testResults: { status: string; assertionResults: unknown[] }[]
}
type PlaywrightReport = { stats: { expected: number; unexpected: number; flaky: number; skipped: number } }
const isVitest = (data: unknown): data is VitestReport =>
  typeof data === 'object' && data !== null && 'numPassedTests' in data
const isPlaywright = (data: unknown): data is PlaywrightReport =>
  typeof data === 'object' && data !== null && 'stats' in data

// A file that failed before its first test counts as one failure.
const emptySuites = ({ testResults }: VitestReport) =>
  testResults.filter((file) => file.status === 'failed' && file.assertionResults.length === 0).length
