import { spawnSync } from 'node:child_process'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { unstable_readConfig } from 'wrangler'
import { readDefaultImages } from './site/default-images.ts'
import {
  createPrompt,
  initialRows,
  readSiteDetails,
  type SiteDetails,
  validateSiteDetails,
} from './site/initial-rows.ts'
import { missionRows, seedMissions } from './site/missions.ts'
import { COUNT_SITES, remoteSteps, setupError } from './site/remote.ts'
import { markOwnSite } from './site/site-marker.ts'
import { migrate, withLocal } from './tools/local.ts'

// `npm run site:init -- --name <artist> --city <city>` sets up an artist's site, asking for what no flag says.
// --empty replaces the local demo, --remote sets up the deployment of wrangler.toml.
const WRANGLER = 'node_modules/wrangler/bin/wrangler.js'
const SET_UP = 'This site is set up already. What it says is changed in the admin dashboard, under Site.'

async function local(state: string, facts: SiteDetails, empty: boolean): Promise<void> {
  // Ledger, votes and audit log forbid deletes, so the whole local store is removed.
  if (empty) rmSync(join(state, 'v3'), { recursive: true, force: true })
  await migrate(state)
  await withLocal(state, async ({ DB, FILES }) => {
    if (await DB.prepare('SELECT 1 FROM site').first())
      throw new Error(`${SET_UP} To begin anew on this machine and lose what is here, stop the site and add --empty.`)
    for (const { key, bytes, contentType } of await readDefaultImages())
      await FILES.put(key, bytes, { httpMetadata: { contentType } })
    await seedMissions(DB)
    await DB.batch(initialRows(facts, Date.now()).map((sql) => DB.prepare(sql)))
  })
  markOwnSite(state)
}

async function remote(facts: SiteDetails): Promise<void> {
  const asked = wrangler(COUNT_SITES)
  const refusal = setupError(asked.succeeded, asked.said)
  if (refusal) throw new Error(refusal)
  const bucket = unstable_readConfig({ config: 'wrangler.toml' }).r2_buckets[0]?.bucket_name
  if (!bucket) throw new Error('wrangler.toml names no R2 bucket.')
  const folder = mkdtempSync(join(tmpdir(), 'site-init-'))
  try {
    const what = { pictures: await readDefaultImages(), rows: [...missionRows(), ...initialRows(facts, Date.now())] }
    for (const { args, file } of remoteSteps(what, { bucket, folder })) {
      if (file) writeFileSync(file.path, file.bytes)
      const { succeeded, said } = wrangler(args)
      if (!succeeded) throw new Error(`Wrangler refused:\n${said}\nNothing is shown yet: run the same command again.`)
    }
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}

function wrangler(args: readonly string[]): { succeeded: boolean; said: string } {
  const { status, stdout, stderr } = spawnSync(process.execPath, [WRANGLER, ...args], {
    encoding: 'utf8',
    env: { ...process.env, WRANGLER_SEND_METRICS: 'false' },
  })
  return { succeeded: status === 0, said: stdout + stderr }
}

async function main(): Promise<void> {
  const questions = createPrompt(process.stdin, process.stdout)
  const asked = await readSiteDetails(process.argv.slice(2), questions)
  questions.close()
  const problem = validateSiteDetails(asked.facts)
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
