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
export type RunWrangler = (args: readonly string[]) => Promise<boolean>

export type Deployment = {
  /** Path of the wrangler.toml; its placeholder ids are filled in. */
  config: string
  api: Api
  wrangler: RunWrangler
  print: (line: string) => void
  /** For the first deployment. Never written or printed. */
  signingSecret: string | undefined
  /** How often and in which interval /healthz is asked. */
  health?: { attempts: number; intervalMs: number }
}

const PLACEHOLDER = /^(database_id|id) = "[0-]+"$/m
export const MIN_SECRET_LENGTH = 32

/** Names in a wrangler.toml of what a deployment needs. */
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

/** Fills in ids where the placeholders are. */
export function withIds(
  toml: string,
  { databaseId, namespaceId }: { databaseId: string; namespaceId: string },
): string {
  return toml
    .replace(/^database_id = "[0-]+"$/m, `database_id = "${databaseId}"`)
    .replace(/^id = "[0-]+"$/m, `id = "${namespaceId}"`)
}

/**
 * Creates what is missing, prints the way back, migrates, deploys and checks the site. Each step finds out what is done:
 * after a failure half-way, run it again. @throws Error with a sentence.
 */
export async function deploy({ config, api, wrangler, print, signingSecret, health }: Deployment): Promise<void> {
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
  const back = [
    `To go back to the previous version: npx wrangler rollback --config ${config}`,
    ...(bookmark
      ? [`To also undo changes of the data: npx wrangler d1 time-travel restore DB --bookmark=${bookmark}`]
      : []),
  ].join('\n')
  if (!(await isHealthy(origin, health))) throw new Error(`${origin}/healthz does not answer as it should.\n${back}`)
  print(`${origin} is healthy.\n${back}`)
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

type Named = ReturnType<typeof readResources>

/**
 * A wrangler.toml of a second site for trying changes: its own worker, database, bucket and queues, named after the
 * worker of `config`. @throws Error with a sentence if both sites would share one of them.
 */
export function stagingConfig(config: string, origin: string): string {
  const host = new URL(origin).host
  const production = readResources(config)
  // A worker's name is alphanumeric with hyphens and underscores.
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

/** Resources of a wrangler.toml that is not written yet. */
function readToml(toml: string): Named {
  const folder = mkdtempSync(join(tmpdir(), 'staging-'))
  try {
    writeFileSync(join(folder, 'wrangler.toml'), toml)
    return readResources(join(folder, 'wrangler.toml'))
  } finally {
    rmSync(folder, { recursive: true })
  }
}

function sharedResources(first: Named, second: Named): string[] {
  const named = ({ worker, database, namespace, buckets, queues, origin }: Named) => [
    `the worker ${worker}`,
    `the database ${database}`,
    `the KV namespace ${namespace}`,
    ...buckets.map((bucket) => `the bucket ${bucket}`),
    ...queues.map((queue) => `the queue ${queue}`),
    `the origin ${origin}`,
  ]
  const names = new Set(named(first))
  return named(second).filter((resource) => names.has(resource))
}
