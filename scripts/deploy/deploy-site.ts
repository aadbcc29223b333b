import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'
import { unstable_readConfig } from 'wrangler'
import {
  type Api,
  ensureBucketsAndQueues,
  ensureStores,
  hasSecret,
  putSecret,
  type Resources,
  timeTravelBookmark,
} from './resources.ts'

/** Runs wrangler with these arguments; false if it failed. */
type RunWrangler = (args: readonly string[]) => Promise<boolean>

type Deployment = {
  /** Path of the wrangler.toml; its placeholder ids are filled in. */
  config: string
  api: Api
  wrangler: RunWrangler
  print: (line: string) => void
  /** For the first deployment. Never written or printed. */
  signingSecret: string | undefined
  /** Requests to /healthz after the deployment. */
  health?: { attempts: number; intervalMs: number }
}

const PLACEHOLDER = /^(database_id|id) = "[0-]+"$/m
const MIN_SECRET_LENGTH = 32

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

/** Replaces the placeholder ids of a wrangler.toml. */
function withIds(toml: string, { databaseId, namespaceId }: { databaseId: string; namespaceId: string }): string {
  return toml
    .replace(/^database_id = "[0-]+"$/m, `database_id = "${databaseId}"`)
    .replace(/^id = "[0-]+"$/m, `id = "${namespaceId}"`)
}

/**
 * Creates missing resources, migrates, deploys, checks the site and prints how to roll back. Each step skips what
 * exists already, so a failed deployment can be run again. @throws Error with a message for the operator.
 */
export async function deploySite({ config, api, wrangler, print, signingSecret, health }: Deployment): Promise<void> {
  const resources = readResources(config)
  const { origin, worker } = resources
  if (!/^https:\/\//.test(origin) || origin.endsWith('.example'))
    throw new Error(`Set SITE_ORIGIN, MAIL_FROM and routes in ${config} to your domain first (README, "Deploy").`)
  const needsSecret = !(await hasSecret(api, worker, 'SIGNING_SECRET'))
  if (needsSecret && (signingSecret?.length ?? 0) < MIN_SECRET_LENGTH)
    throw new Error(
      'This is the first deployment: make a secret with `openssl rand -base64 48`, store it where you store passwords, and run SIGNING_SECRET=... npm run deploy',
    )
  const toml = readFileSync(config, 'utf8')
  if (PLACEHOLDER.test(toml)) {
    writeFileSync(config, withIds(toml, await ensureStores(api, resources, print)))
    print(`Wrote the ids into ${config}. Commit them: they are no secrets.`)
  }
  await ensureBucketsAndQueues(api, resources, print)
  const databaseId = unstable_readConfig({ config }).d1_databases[0]?.database_id ?? ''
  const bookmark = await timeTravelBookmark(api, databaseId)
  if (bookmark) print(`D1 Time Travel bookmark before the migrations: ${bookmark}`)
  const run = async (args: readonly string[], failure: string) => {
    if (!(await wrangler([...args, '--config', config]))) throw new Error(failure)
  }
  await run(
    ['d1', 'migrations', 'apply', 'DB', '--remote'],
    'The migrations failed; the site still runs the previous version. Run npm run deploy again.',
  )
  await run(
    ['deploy', '--minify'],
    'The upload failed; the site still runs the previous version. Run npm run deploy again.',
  )
  if (needsSecret && signingSecret) {
    await putSecret(api, worker, 'SIGNING_SECRET', signingSecret)
    print('Stored SIGNING_SECRET.')
  }
  const rollback = [
    `To go back to the previous version: npx wrangler rollback --config ${config}`,
    ...(bookmark
      ? [`To also undo changes of the data: npx wrangler d1 time-travel restore DB --bookmark=${bookmark}`]
      : []),
  ].join('\n')
  if (!(await isHealthy(origin, health))) throw new Error(`${origin}/healthz is not healthy.\n${rollback}`)
  print(`${origin} is healthy.\n${rollback}`)
}

async function isHealthy(
  origin: string,
  { attempts, intervalMs } = { attempts: 30, intervalMs: 2_000 },
): Promise<boolean> {
  for (let attempt = 0; attempt < attempts; attempt++) {
    if (attempt > 0) await wait(intervalMs)
    const response = await fetch(`${origin}/healthz`).catch(() => null)
    if (response?.ok) return true
  }
  return false
}

type SiteResources = ReturnType<typeof readResources>

/**
 * The text of a wrangler.toml for a staging site, with its own worker, database, bucket and queues, named after the
 * worker of `config`. @throws Error with a message for the operator if both sites would share one of them.
 */
export function stagingConfig(config: string, origin: string): string {
  const host = new URL(origin).host
  const production = readResources(config)
  // A worker's name needs no escaping: it is alphanumeric with hyphens and underscores.
  const name = new RegExp(`(["'])${production.worker}(?=[-"'])`, 'g')
  const toml = readFileSync(config, 'utf8')
    .replace(name, `$1${production.worker}-staging`)
    .replace(/^(database_id|id) = "[^"]*"$/gm, (_, key: string) =>
      key === 'id' ? 'id = "00000000000000000000000000000000"' : 'database_id = "00000000-0000-0000-0000-000000000000"',
    )
    .replace(/^SITE_ORIGIN = .*$/m, `SITE_ORIGIN = "${origin}"`)
    .replace(/^(# )?routes = .*$/m, `routes = [{ pattern = "${host}", custom_domain = true }]`)
  const shared = sharedResources(production, readToml(toml))
  if (shared.length > 0)
    throw new Error(
      `Staging would use ${shared.join(', ')} of ${config}. Begin these names with "${production.worker}-", or write wrangler.staging.toml yourself.`,
    )
  return toml
}

/** Reads the resources of a wrangler.toml from its text; wrangler reads only files. */
function readToml(toml: string): SiteResources {
  const folder = mkdtempSync(join(tmpdir(), 'staging-'))
  try {
    writeFileSync(join(folder, 'wrangler.toml'), toml)
    return readResources(join(folder, 'wrangler.toml'))
  } finally {
    rmSync(folder, { recursive: true })
  }
}

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
