import { createHash } from 'node:crypto'
import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { glob } from 'node:fs/promises'

const STAMP_FILE = 'dist/.stamp'
const STAMPED_FILES = [
  'web/**/*',
  'worker/contract/**/*',
  // The web app imports it for the preview of the legal texts.
  'worker/lib/markdown.ts',
  'vite.config.ts',
  'scripts/tools/build*.ts',
  'package-lock.json',
  'tsconfig.json',
]

/** The digest of the web app's sources, and whether the last build had the same. Loads no build tools. */
export async function readBuildStamp(): Promise<{ digest: string; isCurrent: boolean }> {
  const digest = await digestFiles(STAMPED_FILES)
  return { digest, isCurrent: existsSync(STAMP_FILE) && readFileSync(STAMP_FILE, 'utf8') === digest }
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

export const writeBuildStamp = (digest: string): void => writeFileSync(STAMP_FILE, digest)
