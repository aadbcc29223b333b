import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { unstable_readConfig } from 'wrangler'
import type { Ask } from '../tools/ask.ts'
import type { Resources } from './resources.ts'

/** Reads the names of the resources that a wrangler.toml refers to. */
export function readResources(config: string): Resources & { origin: string } {
  const { name, d1_databases, r2_buckets, queues, vars } = unstable_readConfig({ config })
  const queueNames = (entries: readonly { queue: string }[] = []) => entries.map(({ queue }) => queue)
  const worker = name ?? ''
  return {
    worker,
    database: d1_databases[0]?.database_name ?? worker,
    namespace: `${worker}-sessions`,
    buckets: r2_buckets.flatMap(({ bucket_name }: { bucket_name?: string | undefined }) => bucket_name ?? []),
    queues: [
      ...new Set([
        ...queueNames(queues.consumers),
        ...queueNames(queues.producers),
        ...(queues.consumers ?? []).flatMap(
          ({ dead_letter_queue }: { dead_letter_queue?: string | undefined }) => dead_letter_queue ?? [],
        ),
      ]),
    ],
    origin: String(vars.SITE_ORIGIN),
  }
}

const PLACEHOLDER_ID = /^(database_id|id) = "[0-]+"$/m
export const hasPlaceholderIds = (toml: string): boolean => PLACEHOLDER_ID.test(toml)

/** Replaces the placeholder ids of a wrangler.toml. */
export function withIds(
  toml: string,
  { databaseId, namespaceId }: { databaseId: string; namespaceId: string },
): string {
  return toml
    .replace(/^database_id = "[0-]+"$/m, `database_id = "${databaseId}"`)
    .replace(/^id = "[0-]+"$/m, `id = "${namespaceId}"`)
}

export const isPlaceholderOrigin = (origin: string): boolean =>
  !/^https:\/\//.test(origin) || origin.endsWith('.example')

const ROUTES = /^(# )?routes = .*$/m
const routesOf = (host: string) => `routes = [{ pattern = "${host}", custom_domain = true }]`

/** The host that an operator typed. @throws Error with a message for the operator. */
function parseHost(text: string): string {
  const typed = text.trim().replace(/^https:\/\//, '')
  const url = URL.canParse(`https://${typed}`) ? new URL(`https://${typed}`) : null
  const isHost = url !== null && `${url.pathname}${url.search}${url.hash}${url.username}` === '/'
  if (!isHost || !/\.[a-z0-9-]{2,}$|^localhost$/.test(url.hostname) || isPlaceholderOrigin(url.origin))
    throw new Error(`“${text.trim()}” is not a domain of yours. Enter one like artist.com.`)
  return url.host
}

type Domain = { domain?: string | undefined; mailFrom?: string | undefined }

/**
 * Writes domain, sender and route into a wrangler.toml that has the placeholders. Asks for what no flag says; `ask` is
 * null without a terminal. @throws Error with a message for the operator; nothing is written then.
 */
export async function fillInDomain(config: string, flags: Domain, ask: Ask | null): Promise<void> {
  const toml = readFileSync(config, 'utf8')
  const { origin } = readResources(config)
  if (!isPlaceholderOrigin(origin)) {
    if (flags.domain !== undefined && `https://${parseHost(flags.domain)}` !== origin)
      throw new Error(`${config} has SITE_ORIGIN = "${origin}" already. To move the site, change it and routes there.`)
    return
  }
  const typed = flags.domain ?? (await ask?.('Domain of the site, a zone of your Cloudflare account (artist.com): '))
  if (typed === undefined)
    throw new Error(
      `Say where the site will be: npm run deploy -- --domain artist.com, or set SITE_ORIGIN, MAIL_FROM and routes in ${config}.`,
    )
  const host = parseHost(typed)
  const usual = `hello@${host.replace(/:\d+$/, '')}`
  const answer = flags.mailFrom ?? (flags.domain === undefined ? await ask?.(`Sender of all email [${usual}]: `) : '')
  const sender = answer?.trim() || usual
  if (!/^[^\s@"]+@[^\s@"]+$/.test(sender)) throw new Error(`“${sender}” is not an email address.`)
  writeFileSync(
    config,
    toml
      .replace(/^SITE_ORIGIN = .*$/m, `SITE_ORIGIN = "https://${host}"`)
      .replace(/^MAIL_FROM = .*$/m, () => `MAIL_FROM = "${sender}"`)
      .replace(ROUTES, routesOf(new URL(`https://${host}`).hostname)),
  )
}

/**
 * The text of a wrangler.toml for a second site, such as `staging`, with its own worker, database, bucket and queues,
 * named after the worker of `config`. A site on workers.dev has no route.
 * @throws Error with a message for the operator if both sites would share one of them.
 */
export function secondSiteConfig(config: string, { suffix, origin }: { suffix: string; origin: string }): string {
  const host = new URL(origin).host
  const production = readResources(config)
  // A worker's name needs no escaping: it is alphanumeric with hyphens and underscores.
  const name = new RegExp(`(["'])${production.worker}(?=[-"'])`, 'g')
  const toml = readFileSync(config, 'utf8')
    .replace(name, `$1${production.worker}-${suffix}`)
    .replace(/^(database_id|id) = "[^"]*"$/gm, (_, key: string) =>
      key === 'id' ? 'id = "00000000000000000000000000000000"' : 'database_id = "00000000-0000-0000-0000-000000000000"',
    )
    .replace(/^SITE_ORIGIN = .*$/m, `SITE_ORIGIN = "${origin}"`)
    .replace(ROUTES, host.endsWith('.workers.dev') ? 'workers_dev = true' : routesOf(host))
  const shared = sharedResources(production, readToml(toml))
  if (shared.length > 0)
    throw new Error(
      `The site ${suffix} would use ${shared.join(', ')} of ${config}. Begin these names with "${production.worker}-", or write wrangler.${suffix}.toml yourself.`,
    )
  return toml
}

/** Reads the resources of a wrangler.toml from its text; wrangler reads only files. */
function readToml(toml: string): SiteResources {
  const folder = mkdtempSync(join(tmpdir(), 'second-site-'))
  try {
    writeFileSync(join(folder, 'wrangler.toml'), toml)
    return readResources(join(folder, 'wrangler.toml'))
  } finally {
    rmSync(folder, { recursive: true })
  }
}

type SiteResources = ReturnType<typeof readResources>

function sharedResources(first: SiteResources, second: SiteResources): string[] {
  const describe = ({ worker, database, namespace, buckets, queues, origin }: SiteResources) => [
    `the worker ${worker}`,
    `the database ${database}`,
    `the KV namespace ${namespace}`,
    ...buckets.map((bucket) => `the bucket ${bucket}`),
    ...queues.map((queue) => `the queue ${queue}`),
    `the origin ${origin}`,
  ]
  const names = new Set(describe(first))
  return describe(second).filter((resource) => names.has(resource))
}
