import { randomBytes } from 'node:crypto'
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { resolve } from 'node:path'
import { parseEnv } from 'node:util'
import { getPlatformProxy, unstable_readConfig } from 'wrangler'
import { SILENT_ENV } from './silent-env.ts'

/** The storage bindings of a site. */
export type SiteEnv = { DB: D1Database; FILES: R2Bucket; SESSIONS: KVNamespace }

/** Creates .dev.vars with a random signing secret unless it exists. */
export function ensureSecrets(): void {
  if (!existsSync('.dev.vars'))
    writeFileSync('.dev.vars', `SIGNING_SECRET="${randomBytes(32).toString('base64url')}"\n`, { mode: 0o600 })
}

/** The signing secret of the local site. */
export const localSecret = (): string => parseEnv(readFileSync('.dev.vars', 'utf8')).SIGNING_SECRET ?? ''

/** Calls `use` with the local D1, R2 and KV of `wrangler dev --persist-to <state>`, then closes them. */
export async function withLocalBindings<T>(state: string, use: (env: SiteEnv) => Promise<T>): Promise<T> {
  Object.assign(process.env, SILENT_ENV)
  // Wrangler appends /v3 to --persist-to.
  const proxy = await getPlatformProxy<SiteEnv>({
    configPath: writeStorageConfig(),
    persist: { path: resolve(state, 'v3') },
    remoteBindings: false,
  })
  try {
    return await use(proxy.env)
  } finally {
    await proxy.dispose()
  }
}

/** Calls `use` with the D1, R2 and KV of the deployment in wrangler.toml, through the account that wrangler uses. */
export async function withRemoteBindings<T>(use: (env: SiteEnv) => Promise<T>): Promise<T> {
  Object.assign(process.env, SILENT_ENV)
  const proxy = await getPlatformProxy<SiteEnv>({ configPath: writeStorageConfig({ remote: true }), persist: false })
  try {
    return await use(proxy.env)
  } finally {
    await proxy.dispose()
  }
}

/**
 * Writes a config with the storage bindings of wrangler.toml and returns its path. The Durable Objects are left out:
 * without a running worker, they only print a warning.
 */
function writeStorageConfig({ remote = false } = {}): string {
  const { name, compatibility_date, d1_databases, kv_namespaces, r2_buckets } = unstable_readConfig({
    config: 'wrangler.toml',
  })
  const path = remote ? '.wrangler/remote-storage.json' : '.wrangler/storage.json'
  const bindings = <B extends object>(all: B[]) => (remote ? all.map((binding) => ({ ...binding, remote })) : all)
  const storage = {
    d1_databases: bindings(d1_databases),
    kv_namespaces: bindings(kv_namespaces),
    r2_buckets: bindings(r2_buckets),
  }
  mkdirSync('.wrangler', { recursive: true })
  writeFileSync(path, JSON.stringify({ name, compatibility_date, ...storage }))
  return path
}
