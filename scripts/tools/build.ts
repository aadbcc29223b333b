import { createHash } from 'node:crypto'
import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { glob } from 'node:fs/promises'
import { build } from 'vite'

const STAMP = 'dist/.stamp'
const SOURCES = [
  'web/**/*',
  'worker/contract/**/*',
  'vite.config.ts',
  'scripts/tools/contract-rows.ts',
  'package-lock.json',
  'tsconfig.json',
]

/** Builds the web app when its sources are not those of the last build. Returns whether it built. */
export async function buildWeb(): Promise<boolean> {
  const wanted = await digest()
  if (existsSync(STAMP) && readFileSync(STAMP, 'utf8') === wanted) return false
  // vite says 'production' to the whole process when it builds; what runs after it must not believe that.
  const { NODE_ENV } = process.env
  await build({ logLevel: 'warn' })
  if (NODE_ENV === undefined) delete process.env.NODE_ENV
  else process.env.NODE_ENV = NODE_ENV
  writeFileSync(STAMP, wanted)
  return true
}

async function digest(): Promise<string> {
  const files: string[] = []
  for await (const entry of glob(SOURCES, { withFileTypes: true }))
    if (entry.isFile()) files.push(`${entry.parentPath}/${entry.name}`)
  const hash = createHash('sha256')
  for (const file of files.sort()) hash.update(file).update(readFileSync(file))
  return hash.digest('hex')
}
