import { readFileSync, writeFileSync } from 'node:fs'
import { setTimeout as wait } from 'node:timers/promises'
import { unstable_readConfig } from 'wrangler'
import {
  type CloudflareApi,
  ensureBucketsAndQueues,
  ensureStores,
  hasSecret,
  putSecret,
  timeTravelBookmark,
} from './resources.ts'
import { hasPlaceholderIds, isPlaceholderOrigin, readResources, withIds } from './site-config.ts'

/** Runs wrangler with these arguments; false if it failed. */
type RunWrangler = (args: readonly string[]) => Promise<boolean>

type Deployment = {
  /** The operator's command, for messages that say to repeat it. */
  command: string
  /** Path of the wrangler.toml; its placeholder ids are filled in. */
  config: string
  api: CloudflareApi
  wrangler: RunWrangler
  /** Builds the web app. */
  build: () => Promise<void>
  print: (line: string) => void
  /** Called for the first deployment. The secret goes to Cloudflare only, never into a file or the output. */
  readSecret: () => Promise<string | undefined>
  /** How often and at what interval /healthz is requested after the deployment. */
  health?: { attempts: number; intervalMs: number }
}

const MIN_SECRET_LENGTH = 32

/**
 * Creates missing resources, migrates, deploys, checks the site and prints how to roll back. Steps skip what exists, so
 * the operator can repeat a failed deployment. @throws Error with a message for the operator.
 */
export async function deploySite({
  command,
  config,
  api,
  wrangler,
  build,
  print,
  readSecret,
  health,
}: Deployment): Promise<void> {
  const resources = readResources(config)
  const { origin, worker } = resources
  if (isPlaceholderOrigin(origin))
    throw new Error(`Set SITE_ORIGIN, MAIL_FROM and routes in ${config} to your domain first (README, "Deploy").`)
  const isFirst = !(await hasSecret(api, worker, 'SIGNING_SECRET'))
  const signingSecret = isFirst ? ((await readSecret()) ?? '') : ''
  if (isFirst && signingSecret.length < MIN_SECRET_LENGTH)
    throw new Error(
      `${signingSecret === '' ? 'The first deployment needs a signing secret' : `A signing secret has at least ${MIN_SECRET_LENGTH} characters`}. Make one with \`openssl rand -base64 48\`, store it where you store passwords, and run SIGNING_SECRET='...' ${command}`,
    )
  await build()
  const toml = readFileSync(config, 'utf8')
  if (hasPlaceholderIds(toml)) {
    writeFileSync(config, withIds(toml, await ensureStores(api, resources, print)))
    print(`Wrote the ids into ${config}. Commit them: they are not secret.`)
  }
  await ensureBucketsAndQueues(api, resources, print)
  const databaseId = unstable_readConfig({ config }).d1_databases[0]?.database_id ?? ''
  const bookmark = await timeTravelBookmark(api, databaseId)
  if (bookmark) print(`D1 Time Travel bookmark before the migrations: ${bookmark}`)
  const run = async (args: readonly string[], failure: string) => {
    if (!(await wrangler([...args, '--config', config]))) throw new Error(failure)
  }
  const siteStatus = isFirst ? 'nothing is served yet' : 'the site still runs the previous version'
  await run(
    ['d1', 'migrations', 'apply', 'DB', '--remote'],
    `The migrations failed; ${siteStatus}. The reason is above. Run ${command} again.`,
  )
  await run(['deploy', '--minify'], `The upload failed; ${siteStatus}. The reason is above. Run ${command} again.`)
  if (isFirst) {
    await putSecret(api, worker, 'SIGNING_SECRET', signingSecret)
    print('Stored SIGNING_SECRET.')
  }
  const problem = await healthProblem(origin, health)
  if (problem === null) print(`${origin} is healthy.`)
  const rollback = rollbackHint(config, { isFirst, bookmark })
  if (problem !== null)
    throw new Error(
      `${origin}/healthz is not healthy: ${problem}. If the domain is new, its certificate needs some minutes; then run ${command} again.\n${rollback}`,
    )
  print(rollback)
  if (isFirst) print(nextSteps(config))
}

function rollbackHint(config: string, { isFirst, bookmark }: { isFirst: boolean; bookmark: string | null }): string {
  const goBack = `npx wrangler rollback --config ${config}`
  if (isFirst) return `From the next deployment on, ${goBack} goes back to the previous version.`
  const undo = bookmark
    ? `\nTo also undo changes to the data: npx wrangler d1 time-travel restore DB --bookmark=${bookmark} --config ${config}`
    : ''
  return `To go back to the previous version: ${goBack}${undo}`
}

function nextSteps(config: string): string {
  const target = config === 'wrangler.toml' ? '--remote' : `--remote --config ${config}`
  return `Next: npm run site:init -- ${target}
Then: npm run admin:create -- --username <name> --email <address> ${target}`
}

/** Why the site is not healthy after all attempts; null once it is. */
async function healthProblem(
  origin: string,
  { attempts, intervalMs } = { attempts: 30, intervalMs: 2_000 },
): Promise<string | null> {
  let problem = 'it does not respond'
  for (let attempt = 0; attempt < attempts; attempt++) {
    if (attempt > 0) await wait(intervalMs)
    const response = await fetch(`${origin}/healthz`).catch(() => null)
    if (response?.ok) return null
    if (response) problem = `it responds with ${response.status} ${(await response.text()).slice(0, 200)}`
  }
  return problem
}
