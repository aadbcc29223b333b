import { spawn } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { readdir, readFile } from 'node:fs/promises'
import { join, resolve } from 'node:path'
import { parseEnv } from 'node:util'
import { getPlatformProxy, unstable_readConfig } from 'wrangler'
import { WRANGLER_BIN } from './run-tool.ts'
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

/** The table that `wrangler d1 migrations apply` also uses. */
const CREATE_MIGRATIONS_TABLE = `CREATE TABLE IF NOT EXISTS d1_migrations (
  id INTEGER PRIMARY KEY AUTOINCREMENT, name TEXT UNIQUE, applied_at TIMESTAMP DEFAULT CURRENT_TIMESTAMP NOT NULL)`

/** Applies pending migrations to the database in `state`. */
export const migrateLocal = (state: string): Promise<void> => withLocalBindings(state, ({ DB }) => applyMigrations(DB))

/**
 * Applies pending migrations in one transaction: with one for each, a new database takes seconds longer. `wrangler d1
 * migrations apply` takes half a minute, because it restarts the runtime for each file.
 */
export async function applyMigrations(db: D1Database): Promise<void> {
  const files = (await readdir('migrations')).filter((name) => name.endsWith('.sql')).sort()
  await db.prepare(CREATE_MIGRATIONS_TABLE).run()
  const { results } = await db.prepare('SELECT name FROM d1_migrations').all<{ name: string }>()
  const applied = new Set(results.map(({ name }) => name))
  const statements: D1PreparedStatement[] = []
  for (const file of files.filter((name) => !applied.has(name))) {
    const sql = await readFile(join('migrations', file), 'utf8')
    const parts = sql.split('--> statement-breakpoint').filter((statement) => statement.trim() !== '')
    statements.push(...parts.map((statement) => db.prepare(statement)))
    statements.push(db.prepare('INSERT INTO d1_migrations (name) VALUES (?1)').bind(file))
  }
  if (statements.length > 0) await db.batch(statements)
}

/** Starts `wrangler dev`; the caller stops it. */
export function startWrangler({
  state,
  port,
  vars,
  inheritOutput,
}: {
  state: string
  port: number
  vars: Record<string, string>
  inheritOutput: boolean
}) {
  const args = [
    'dev',
    '--local',
    '--port',
    String(port),
    '--inspector-port',
    '0',
    '--persist-to',
    state,
    '--show-interactive-dev-session=false',
  ]
  for (const [name, value] of Object.entries(vars)) args.push('--var', `${name}:${value}`)
  return spawn(process.execPath, [WRANGLER_BIN, ...args], {
    env: { ...process.env, ...SILENT_ENV },
    stdio: ['ignore', inheritOutput ? 'inherit' : 'pipe', inheritOutput ? 'inherit' : 'pipe'],
  })
}

/** Waits until the site is healthy. @throws Error after a minute. */
export async function waitUntilReady(origin: string): Promise<void> {
  for (let attempt = 0; attempt < 1200; attempt++) {
    const response = await fetch(`${origin}/healthz`).catch(() => null)
    if (response?.ok) return
    await new Promise((resolve) => setTimeout(resolve, 50))
  }
  throw new Error(`No response from ${origin} within a minute.`)
}
