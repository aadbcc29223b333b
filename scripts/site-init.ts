import { spawnSync } from 'node:child_process'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createInterface } from 'node:readline/promises'
import { unstable_readConfig } from 'wrangler'
import { firstPictures } from './site/first-pictures.ts'
import { type Facts, factsOf, firstRows, problemOf } from './site/first-rows.ts'
import { missionRows, seedMissions } from './site/missions.ts'
import { markOwnSite } from './site/own-site.ts'
import { migrate, withLocal } from './tools/local.ts'

// `npm run site:init -- --name <artist> --city <city>`: an artist's own site where there is none yet, asking for what no
// flag says. On this machine it takes the place of the demo (--empty); with --remote it sets up the deployment that
// wrangler.toml names. Everything else is the desk's: pictures, tracks, shows, products, words and links.
const WRANGLER = 'node_modules/wrangler/bin/wrangler.js'
const SET_UP = 'This site is set up already. What it says is changed at the desk, under Site.'

async function local(state: string, facts: Facts, empty: boolean): Promise<void> {
  // The ledger, the votes and the audit log let nobody delete: what is emptied is the whole of these local stores.
  if (empty) rmSync(join(state, 'v3'), { recursive: true, force: true })
  await migrate(state)
  await withLocal(state, async ({ DB, FILES }) => {
    if (await DB.prepare('SELECT 1 FROM site').first())
      throw new Error(`${SET_UP} To begin anew on this machine and lose what is here, stop the site and add --empty.`)
    for (const { key, bytes, contentType } of await firstPictures())
      await FILES.put(key, bytes, { httpMetadata: { contentType } })
    await seedMissions(DB)
    await DB.batch(firstRows(facts, Date.now()).map((sql) => DB.prepare(sql)))
  })
  markOwnSite(state)
}

async function remote(facts: Facts): Promise<void> {
  const found = wrangler([
    'd1',
    'execute',
    'DB',
    '--remote',
    '--yes',
    '--json',
    '--command',
    'SELECT count(*) AS sites FROM site',
  ])
  if (!/"sites":\s*0/.test(found)) throw new Error(SET_UP)
  const [bucket] = unstable_readConfig({ config: 'wrangler.toml' }).r2_buckets
  const folder = mkdtempSync(join(tmpdir(), 'site-init-'))
  try {
    for (const { key, bytes, contentType } of await firstPictures()) {
      writeFileSync(join(folder, 'picture'), bytes)
      const place = `${bucket?.bucket_name}/${key}`
      wrangler([
        'r2',
        'object',
        'put',
        place,
        '--file',
        join(folder, 'picture'),
        '--content-type',
        contentType,
        '--remote',
      ])
    }
    writeFileSync(join(folder, 'rows.sql'), [...missionRows(), ...firstRows(facts, Date.now())].join(';\n'))
    wrangler(['d1', 'execute', 'DB', '--remote', '--yes', '--file', join(folder, 'rows.sql')])
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}

function wrangler(args: readonly string[]): string {
  const { status, stdout, stderr } = spawnSync(process.execPath, [WRANGLER, ...args], {
    encoding: 'utf8',
    env: { ...process.env, WRANGLER_SEND_METRICS: 'false' },
  })
  if (status !== 0) throw new Error(`Wrangler refused:\n${stdout}${stderr}`)
  return stdout
}

async function main(): Promise<void> {
  const lines = process.stdin.isTTY ? createInterface({ input: process.stdin, output: process.stdout }) : null
  const asked = await factsOf(process.argv.slice(2), lines && ((question) => lines.question(question)))
  lines?.close()
  const problem = problemOf(asked.facts)
  if (problem) throw new Error(problem)
  if (asked.remote) await remote(asked.facts)
  else await local(asked.state, asked.facts, asked.empty)
  const to = asked.remote ? ' --remote' : ''
  console.log(`${asked.facts.name} has a site.
Next: npm run admin:create -- --username <name> --email <address>${to}
Then: ${asked.remote ? 'log in' : 'npm start, and log in'} at /admin-login. Pictures, words and links are under Site.`)
}

main().catch((error: Error) => {
  console.error(error.message)
  process.exit(1)
})
