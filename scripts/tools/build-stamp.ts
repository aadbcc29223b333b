import { createHash } from 'node:crypto'
import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { glob } from 'node:fs/promises'

const STAMP = 'dist/.stamp'
const SOURCES = [
  'web/**/*',
  'worker/contract/**/*',
  'vite.config.ts',
  'scripts/tools/build*.ts',
  'package-lock.json',
  'tsconfig.json',
]

/** A digest of the web app's sources, and whether the last build was of the same. Loads no build tools. */
export async function readBuildStamp(): Promise<{ sources: string; isCurrent: boolean }> {
  const sources = await digestFiles(SOURCES)
  return { sources, isCurrent: existsSync(STAMP) && readFileSync(STAMP, 'utf8') === sources }
}

/** SHA-256 of the names and contents of all files that match. */
export async function digestFiles(patterns: readonly string[]): Promise<string> {
  const files: string[] = []
  for await (const entry of glob(patterns, { withFileTypes: true }))
    if (entry.isFile()) files.push(`${entry.parentPath}/${entry.name}`)
  const hash = createHash('sha256')
  for (const file of files.sort()) hash.update(file).update(readFileSync(file))
  return hash.digest('hex')
}

export const writeBuildStamp = (sources: string): void => writeFileSync(STAMP, sources)
