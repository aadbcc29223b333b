import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { unstable_readConfig } from 'wrangler'
import type { Ask } from '../tools/prompt.ts'
import type { Resources } from './resources.ts'
import { parseStatements, withoutPaths } from './toml-statements.ts'

/** `routes` are patterns of routes and custom domains; `ids` are those of D1 and KV, without placeholders. */
type SiteResources = Resources & { origin: string; routes: readonly string[]; ids: readonly string[] }

/** Reads the names of the resources that a wrangler.toml refers to. */
export function readResources(config: string): SiteResources {
  const { name, d1_databases, kv_namespaces, r2_buckets, queues, vars, route, routes } = unstable_readConfig({ config })
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
    routes: [...(route === undefined ? [] : [route]), ...(routes ?? [])].map((entry) =>
      typeof entry === 'string' ? entry : entry.pattern,
    ),
    ids: [d1_databases[0]?.database_id, kv_namespaces[0]?.id].flatMap((id = '') => (/^[0-]*$/.test(id) ? [] : id)),
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

/** Also true for an origin without https. */
export const isPlaceholderOrigin = (origin: string): boolean =>
  !/^https:\/\//.test(origin) || origin.endsWith('.example')

const isOnWorkersDev = (host: string) => host.endsWith('.workers.dev')
const ROUTE_PATHS = ['route', 'routes']
const hasRoutes = (toml: string) => withoutPaths(toml, ROUTE_PATHS) !== toml

/** Replaces the routes of a wrangler.toml, in any TOML form, with the domain `host`; on workers.dev, with none. */
function withDomain(toml: string, host: string): string {
  const [line, replacedPaths] = isOnWorkersDev(host)
    ? ['workers_dev = true\n', [...ROUTE_PATHS, 'workers_dev']]
    : [`routes = [{ pattern = "${host}", custom_domain = true }]\n`, ROUTE_PATHS]
  const otherStatements = parseStatements(withoutPaths(toml, replacedPaths))
  const example = otherStatements.findIndex(({ table, text }) => table === 0 && text.startsWith('# routes = '))
  const firstKey = otherStatements.findIndex(({ path }) => path !== '')
  // The line replaces the commented-out routes, or follows the first key.
  const start = example === -1 ? firstKey + 1 : example
  const deleteCount = example === -1 ? 0 : 1
  return otherStatements
    .map(({ text }) => text)
    .toSpliced(start, deleteCount, line)
    .join('')
}

/** The host that an operator typed. @throws Error with a message for the operator. */
function parseHost(text: string): string {
  const typedHost = text.trim().replace(/^https:\/\//, '')
  const url = URL.canParse(`https://${typedHost}`) ? new URL(`https://${typedHost}`) : null
  const isHost = url !== null && `${url.pathname}${url.search}${url.hash}${url.username}` === '/'
  if (!isHost || !/\.[a-z0-9-]{2,}$|^localhost$/.test(url.hostname) || isPlaceholderOrigin(url.origin))
    throw new Error(`“${text.trim()}” is not a domain of yours. Enter one like artist.com.`)
  return url.host
}

type Domain = { domain?: string | undefined; mailFrom?: string | undefined }

/**
 * Writes domain, sender and route into a wrangler.toml with placeholders; if only the route is missing, writes that.
 * Without `--domain`, asks for the domain and, unless a flag gives it, the sender; with it, the sender is `hello@` that
 * domain by default. `ask` is null without a terminal.
 * @throws Error with a message for the operator; nothing is written then.
 */
export async function fillInDomain(config: string, flags: Domain, ask: Ask | null): Promise<void> {
  const toml = readFileSync(config, 'utf8')
  const { origin } = readResources(config)
  if (!isPlaceholderOrigin(origin)) {
    if (flags.domain !== undefined && `https://${parseHost(flags.domain)}` !== origin)
      throw new Error(`${config} has SITE_ORIGIN = "${origin}" already. To move the site, change it and routes there.`)
    // The deploy button asks for SITE_ORIGIN but not for routes.
    const { hostname } = new URL(origin)
    if (!hasRoutes(toml) && !isOnWorkersDev(hostname)) writeFileSync(config, withDomain(toml, hostname))
    return
  }
  const typedDomain =
    flags.domain ?? (await ask?.('Domain of the site, a zone of your Cloudflare account (artist.com): '))
  if (typedDomain === undefined)
    throw new Error(
      `Say where the site will be: npm run deploy -- --domain artist.com, or set SITE_ORIGIN, MAIL_FROM and routes in ${config}.`,
    )
  const host = parseHost(typedDomain)
  const defaultSender = `hello@${host.replace(/:\d+$/, '')}`
  const answer =
    flags.mailFrom ?? (flags.domain === undefined ? await ask?.(`Sender of all email [${defaultSender}]: `) : '')
  const sender = answer?.trim() || defaultSender
  if (!/^[^\s@"]+@[^\s@"]+$/.test(sender)) throw new Error(`“${sender}” is not an email address.`)
  const text = toml
    .replace(/^SITE_ORIGIN = .*$/m, `SITE_ORIGIN = "https://${host}"`)
    .replace(/^MAIL_FROM = .*$/m, () => `MAIL_FROM = "${sender}"`)
  writeFileSync(config, withDomain(text, new URL(`https://${host}`).hostname))
}

type SecondSite = {
  /** Part of the names of its resources and of its wrangler.toml, such as `staging`. */
  suffix: string
  origin: string
  sendsEmail: boolean
}

/** Vars that must not be copied from production to a second site. */
const PRODUCTION_VARS = ['STRIPE_TAX', 'SUBSCRIPTIONS', 'PUBLIC_IMAGES_ORIGIN']

/**
 * The text of a wrangler.toml for a second site, such as `staging`, with its own worker, database, bucket and queues,
 * named after the worker of `config`. It has no route of production; if it is on workers.dev, no route.
 * @throws Error with a message for the operator if both sites would share a resource, a domain or a setting.
 */
export function secondSiteConfig(config: string, { suffix, origin, sendsEmail }: SecondSite): string {
  const production = readResources(config)
  // A worker's name needs no escaping: it is alphanumeric with hyphens and underscores.
  const namePattern = new RegExp(`(["'])${production.worker}(?=[-"'])`, 'g')
  const inherited = withoutPaths(withoutPublicBucket(readFileSync(config, 'utf8')), [
    ...PRODUCTION_VARS.map((key) => `vars.${key}`),
    ...(sendsEmail ? [] : ['send_email', 'vars.EMAIL_SENDING']),
  ])
    .replace(namePattern, `$1${production.worker}-${suffix}`)
    .replace(/^(database_id|id) = "[^"]*"$/gm, (_, key: string) =>
      key === 'id' ? 'id = "00000000000000000000000000000000"' : 'database_id = "00000000-0000-0000-0000-000000000000"',
    )
    .replace(/^SITE_ORIGIN = .*$/m, `SITE_ORIGIN = "${origin}"${sendsEmail ? '' : '\nEMAIL_SENDING = "off"'}`)
  const toml = withDomain(inherited, new URL(origin).hostname)
  readToml(toml, (file) => {
    requireOwnResources(production, readResources(file), { config, suffix })
    const settings = inheritedProductionSettings(file, { sendsEmail })
    if (settings.length > 0)
      throw new Error(
        `The site ${suffix} would inherit ${settings.join(', ')} of ${config}, written in a form that cannot be removed. Write each on its own line under its own table, or write wrangler.${suffix}.toml yourself.`,
      )
  })
  return toml
}

/** Removes the bucket with the binding PUBLIC_IMAGES. */
function withoutPublicBucket(toml: string): string {
  const statements = parseStatements(toml)
  const bucket = statements.find(
    ({ path, text }) => path === 'r2_buckets.binding' && /["']PUBLIC_IMAGES["']/.test(text),
  )
  return statements
    .filter(({ table, path }) => table !== bucket?.table || path === '')
    .map(({ text }) => text)
    .join('')
}

/** Names of the production settings in a second site's wrangler.toml, which must have none. */
function inheritedProductionSettings(config: string, { sendsEmail }: { sendsEmail: boolean }): string[] {
  const { vars, r2_buckets, send_email } = unstable_readConfig({ config })
  return [
    ...PRODUCTION_VARS.filter((name) => name in vars),
    ...(r2_buckets.some(({ binding }: { binding: string }) => binding === 'PUBLIC_IMAGES') ? ['PUBLIC_IMAGES'] : []),
    ...(!sendsEmail && (send_email.length > 0 || vars.EMAIL_SENDING !== 'off') ? ['send_email'] : []),
  ]
}

/** Reads a wrangler.toml from its text; wrangler reads only files. */
function readToml(toml: string, read: (config: string) => void): void {
  const folder = mkdtempSync(join(tmpdir(), 'second-site-'))
  try {
    writeFileSync(join(folder, 'wrangler.toml'), toml)
    read(join(folder, 'wrangler.toml'))
  } finally {
    rmSync(folder, { recursive: true })
  }
}

/** @throws Error with a message for the operator if the second site uses a resource or a domain of production. */
export function requireOwnResources(
  production: SiteResources,
  second: SiteResources,
  { config, suffix }: { config: string; suffix: string },
): void {
  const shared = sharedResources(production, second)
  if (shared.length > 0)
    throw new Error(
      `The site ${suffix} would use ${shared.join(', ')} of ${config}. Begin these names with "${production.worker}-", or write wrangler.${suffix}.toml yourself.`,
    )
  const takenHosts = hostsOf(second).filter((host) => hostsOf(production).some((other) => hostsOverlap(host, other)))
  if (takenHosts.length > 0)
    throw new Error(
      `The site ${suffix} would take over ${[...new Set(takenHosts)].join(', ')}, which ${config} serves. Give it an address that no route of ${config} covers, such as https://${suffix}.artist.com, in --staging or wrangler.${suffix}.toml.`,
    )
}

/** Hosts that a site serves; those of routes may have wildcards. */
const hostsOf = ({ origin, routes }: SiteResources): string[] =>
  [origin, ...routes].map((address) => address.toLowerCase().replace(/^\w+:\/\/|[/:].*$/g, ''))

/** Whether one of two hosts, with or without wildcards, covers the other. */
function hostsOverlap(one: string, other: string): boolean {
  const covers = (pattern: string, host: string) =>
    new RegExp(`^${pattern.split('*').map(escapeRegExp).join('.*')}$`).test(host)
  return covers(one, other) || covers(other, one)
}
const escapeRegExp = (text: string) => text.replace(/[.+?^${}()|[\]\\]/g, '\\$&')

function sharedResources(first: SiteResources, second: SiteResources): string[] {
  const describe = ({ worker, database, namespace, buckets, queues, ids }: SiteResources) => [
    `the worker ${worker}`,
    `the database ${database}`,
    `the KV namespace ${namespace}`,
    ...buckets.map((bucket) => `the bucket ${bucket}`),
    ...queues.map((queue) => `the queue ${queue}`),
    ...ids.map((id) => `the id ${id}`),
  ]
  const names = new Set(describe(first))
  return describe(second).filter((resource) => names.has(resource))
}
