import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { unstable_readConfig } from 'wrangler'
import { defaultImageFiles } from './site/default-images.ts'
import { initialStatements } from './site/initial-rows.ts'
import { missionStatements, seedMissions } from './site/missions.ts'
import { ALREADY_SET_UP, COUNT_SITES, needsSetup, remoteSteps } from './site/remote-setup.ts'
import { readSiteDetails, type SiteDetails, validateSiteDetails } from './site/site-details.ts'
import { markArtistSite } from './site/site-marker.ts'
import { withLocalBindings } from './tools/bindings.ts'
import { migrateLocal } from './tools/migrations.ts'
import { createPrompt } from './tools/prompt.ts'
import { runCommand } from './tools/run-command.ts'
import { runWrangler } from './tools/run-tool.ts'
import { lockState } from './tools/state-lock.ts'

// `npm run site:init -- --name <artist> --city <city>` sets up an artist's site and asks for other details. --empty
// deletes the local data first. --remote sets up a deployment (of --config); --skip-if-set-up skips one with a site.

async function initLocalSite(state: string, details: SiteDetails, deletesLocalData: boolean): Promise<void> {
  process.on('exit', lockState(state).release)
  // Triggers forbid deleting ledger entries, votes and audit entries, so the whole local store is removed.
  if (deletesLocalData) rmSync(join(state, 'v3'), { recursive: true, force: true })
  await migrateLocal(state)
  await withLocalBindings(state, async ({ DB, FILES }) => {
    if (await DB.prepare('SELECT 1 FROM site').first())
      throw new Error(`${ALREADY_SET_UP} To delete the local data and start over, stop the site and add --empty.`)
    for (const { key, file, contentType } of defaultImageFiles())
      await FILES.put(key, readFileSync(file), { httpMetadata: { contentType } })
    await seedMissions(DB)
    await DB.batch(initialStatements(details, Date.now()).map((sql) => DB.prepare(sql)))
  })
  markArtistSite(state)
}

type RemoteSite = { config: string; skipIfSetUp: boolean }

async function initRemoteSite(details: SiteDetails, { config, skipIfSetUp }: RemoteSite): Promise<void> {
  const wrangler = (args: readonly string[]) => runWrangler([...args, '--config', config])
  if (!needsSetup(wrangler(COUNT_SITES), { skipIfSetUp })) return
  const bucket = unstable_readConfig({ config }).r2_buckets[0]?.bucket_name
  if (!bucket) throw new Error(`${config} has no R2 bucket.`)
  const folder = mkdtempSync(join(tmpdir(), 'site-init-'))
  try {
    const content = {
      images: defaultImageFiles(),
      rows: [...missionStatements(), ...initialStatements(details, Date.now())],
    }
    for (const { args, file } of remoteSteps(content, { bucket, folder })) {
      if (file) writeFileSync(file.path, file.text)
      const { succeeded, output } = wrangler(args)
      if (!succeeded)
        throw new Error(`Wrangler failed:\n${output}\nThe site is not set up yet. Run the same command again.`)
    }
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}

async function main(): Promise<void> {
  const prompt = createPrompt(process.stdin, process.stdout)
  const options = await readSiteDetails(process.argv.slice(2), prompt)
  prompt.close()
  const problem = validateSiteDetails(options.details)
  if (problem) throw new Error(problem)
  if (options.remote) await initRemoteSite(options.details, options)
  else await initLocalSite(options.state, options.details, options.empty)
  const otherConfig = options.config === 'wrangler.toml' ? '' : ` --config ${options.config}`
  const remoteFlag = options.remote ? ` --remote${otherConfig}` : ''
  console.log(`The site of ${options.details.name} is set up.
Next: npm run admin:create -- --username <name> --email <address>${remoteFlag}
Then: ${options.remote ? 'log in' : 'npm start, and log in'} at /admin-login. Images, texts and links are under Site.`)
}

runCommand(main)
