import { spawnSync } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { existsSync, rmSync, writeFileSync } from 'node:fs'
import { parseArgs } from 'node:util'
import { deploySite } from './deploy/deploy-site.ts'
import { type Account, chooseAccount, connectToApi, workersDevOrigin } from './deploy/resources.ts'
import { fillInDomain, readResources, requireOwnResources, secondSiteConfig } from './deploy/site-config.ts'
import { buildWeb } from './tools/build.ts'
import { askOnTerminal } from './tools/prompt.ts'
import { runCommand } from './tools/run-command.ts'
import { runTool, WRANGLER_BIN } from './tools/run-tool.ts'

// `npm run deploy` asks for missing settings, creates missing resources at Cloudflare, builds, migrates, deploys and
// checks the site. --staging https://staging.artist.com deploys a second site, --preview <name> one on workers.dev.
const API_BASE_URL = process.env.CLOUDFLARE_API_BASE_URL ?? 'https://api.cloudflare.com/client/v4'
const PREVIEW_NAME = /^[a-z0-9]([a-z0-9-]{0,18}[a-z0-9])?$/
const ask = process.stdin.isTTY ? askOnTerminal : null

function storedToken(): string {
  const { status, stdout } = spawnSync(process.execPath, [WRANGLER_BIN, 'auth', 'token'], { encoding: 'utf8' })
  return (status === 0 && /\S+$/.exec(stdout.trim())?.[0]) || ''
}

/** The API token from the environment or from wrangler's login; on a terminal, opens that login if needed. */
function resolveApiToken(): string {
  const token = process.env.CLOUDFLARE_API_TOKEN ?? storedToken()
  if (token !== '') return token
  if (ask) spawnSync(process.execPath, [WRANGLER_BIN, 'login'], { stdio: 'inherit' })
  const newToken = ask ? storedToken() : ''
  if (newToken === '') throw new Error('Log in first with npx wrangler login, or set CLOUDFLARE_API_TOKEN.')
  return newToken
}

/** The account id from the environment, or a chosen account of the token, which is then set in the environment. */
async function resolveAccountId(token: string): Promise<string> {
  if (process.env.CLOUDFLARE_ACCOUNT_ID) return process.env.CLOUDFLARE_ACCOUNT_ID
  const response = await fetch(`${API_BASE_URL}/accounts`, { headers: { authorization: `Bearer ${token}` } })
  const { result } = (await response.json().catch(() => ({}))) as { result?: Account[] | null }
  const id = await chooseAccount(result ?? [], ask)
  // Wrangler reads it too.
  process.env.CLOUDFLARE_ACCOUNT_ID = id
  return id
}

/** Runs wrangler. `deploy` gets the terminal, because wrangler may ask before it moves another worker's domain. */
async function runWrangler(args: readonly string[]): Promise<boolean> {
  if (args[0] !== 'deploy' || !process.stdout.isTTY) return runTool(WRANGLER_BIN, args)
  return spawnSync(process.execPath, [WRANGLER_BIN, ...args], { stdio: 'inherit' }).status === 0
}

/** The signing secret from the environment or the terminal; undefined without both. */
async function askSecret(): Promise<string | undefined> {
  if (process.env.SIGNING_SECRET || !ask) return process.env.SIGNING_SECRET
  console.log(
    'This is the first deployment. Make a signing secret with `openssl rand -base64 48` in another window and store it where you store passwords: a restore needs it.',
  )
  return (await ask('Signing secret (not shown): ', { isHidden: true })).trim()
}

async function main(): Promise<void> {
  const stringOption = { type: 'string' } as const
  const { values } = parseArgs({
    options: { staging: stringOption, preview: stringOption, domain: stringOption, 'mail-from': stringOption },
  })
  const { staging, preview, domain } = values
  if (preview !== undefined && !PREVIEW_NAME.test(preview))
    throw new Error('The name of a preview has up to 20 lowercase letters, digits and dashes, such as pr-12.')
  if (staging !== undefined && !/^https:\/\/[^/]+$/.test(staging))
    throw new Error('--staging takes the address of the second site, such as https://staging.artist.com.')
  const isSecondSite = staging !== undefined || preview !== undefined
  if (staging !== undefined && preview !== undefined)
    throw new Error('A deployment is either staging or a preview. Use one of --staging and --preview.')
  if (isSecondSite && (domain !== undefined || values['mail-from'] !== undefined))
    throw new Error(
      '--domain and --mail-from set up the artist’s own site. Leave them out with --staging and --preview.',
    )
  const flag = staging ? ` -- --staging ${staging}` : preview ? ` -- --preview ${preview}` : ''
  const command = `npm run deploy${flag}`
  if (!isSecondSite) await fillInDomain('wrangler.toml', { domain, mailFrom: values['mail-from'] }, ask)
  const token = resolveApiToken()
  const api = connectToApi({ baseUrl: API_BASE_URL, accountId: await resolveAccountId(token), token, command })
  let config = 'wrangler.toml'
  const prepareSecondSite = (suffix: string, origin: string) => {
    config = `wrangler.${suffix}.toml`
    if (existsSync(config))
      requireOwnResources(readResources('wrangler.toml'), readResources(config), { config: 'wrangler.toml', suffix })
    else writeFileSync(config, secondSiteConfig('wrangler.toml', { suffix, origin, sendsEmail: preview === undefined }))
  }
  if (staging !== undefined) prepareSecondSite('staging', staging)
  if (preview !== undefined) {
    const suffix = `preview-${preview}`
    prepareSecondSite(suffix, await workersDevOrigin(api, `${readResources('wrangler.toml').worker}-${suffix}`))
  }
  await deploySite({
    command,
    config,
    api,
    wrangler: runWrangler,
    async build() {
      await buildWeb()
      rmSync('dist/client/media/demo', { recursive: true, force: true })
    },
    print: console.log,
    // A preview is never restored, so there is no need to store its secret.
    readSecret: preview === undefined ? askSecret : async () => randomBytes(48).toString('base64'),
  })
}

runCommand(main)
