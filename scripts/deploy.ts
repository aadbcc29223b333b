import { spawnSync } from 'node:child_process'
import { existsSync, rmSync, writeFileSync } from 'node:fs'
import { parseArgs } from 'node:util'
import { deploySite, stagingConfig } from './deploy/deploy-site.ts'
import { connect } from './deploy/resources.ts'
import { buildWeb } from './tools/build.ts'
import { runTool } from './tools/steps.ts'

// `npm run deploy` creates what is missing in the Cloudflare account, builds, migrates, deploys and checks the site.
// --staging https://staging.artist.example deploys a second site from wrangler.staging.toml.
const WRANGLER = 'node_modules/wrangler/bin/wrangler.js'
const API = process.env.CLOUDFLARE_API_BASE_URL ?? 'https://api.cloudflare.com/client/v4'
const STAGING = 'wrangler.staging.toml'

function wranglerOutput(args: readonly string[]): string {
  const { status, stdout } = spawnSync(process.execPath, [WRANGLER, ...args], { encoding: 'utf8' })
  return status === 0 ? stdout.trim() : ''
}

/** The API token: from the environment, or of `npx wrangler login`. */
const apiToken = () => process.env.CLOUDFLARE_API_TOKEN ?? /\S+$/.exec(wranglerOutput(['auth', 'token']))?.[0] ?? ''

/** The account id: from the environment, or the only account of the token. */
async function accountId(token: string): Promise<string> {
  if (process.env.CLOUDFLARE_ACCOUNT_ID) return process.env.CLOUDFLARE_ACCOUNT_ID
  const response = await fetch(`${API}/accounts`, { headers: { authorization: `Bearer ${token}` } })
  const { result = [] } = (await response.json()) as { result?: { id: string; name: string }[] }
  if (result.length === 1 && result[0]) return result[0].id
  throw new Error(
    result.length === 0
      ? 'Log in first: npx wrangler login'
      : `Choose an account with CLOUDFLARE_ACCOUNT_ID: ${result.map(({ id, name }) => `${id} (${name})`).join(', ')}`,
  )
}

async function main(): Promise<void> {
  const { values } = parseArgs({ options: { staging: { type: 'string' } } })
  if (values.staging !== undefined && !existsSync(STAGING))
    writeFileSync(STAGING, stagingConfig('wrangler.toml', values.staging))
  const token = apiToken()
  if (!token) throw new Error('Log in first: npx wrangler login')
  await buildWeb()
  rmSync('dist/client/media/demo', { recursive: true, force: true })
  await deploySite({
    config: values.staging === undefined ? 'wrangler.toml' : STAGING,
    api: connect(API, await accountId(token), token),
    wrangler: (args) => runTool(WRANGLER, args),
    print: console.log,
    signingSecret: process.env.SIGNING_SECRET,
  })
}

main().then(
  () => process.exit(0),
  (error: Error) => {
    console.error(error.message)
    process.exit(1)
  },
)
