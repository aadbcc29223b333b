import { mkdirSync, readdirSync, rmSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { createSession } from '../../worker/auth/sessions'
import { seedSite } from '../../worker/testing/seed'
import { ensureSecrets, type SiteEnv, withLocalBindings } from '../tools/bindings'
import { copyMigratedState } from './prebuilt'

type Options = { store?: 'd1' | 'r2' /** Set it only while no server runs. */; isWritable?: boolean }

/** Calls `use` with the SQLite file of a local D1 database or R2 bucket, also while the server runs. */
export function withSqliteFile<T>(
  state: string,
  use: (file: DatabaseSync) => T,
  { store = 'd1', isWritable = false }: Options = {},
): T {
  const file = new DatabaseSync(localFilePath(state, store), { readOnly: !isWritable, timeout: 5_000 })
  try {
    return use(file)
  } finally {
    file.close()
  }
}

/** Replaces an existing local D1 database while no server runs. Its file is named after the database's id. */
export function replaceLocalDatabase(state: string, bytes: Uint8Array): void {
  const path = localFilePath(state, 'd1')
  rmSync(dirname(path), { recursive: true })
  mkdirSync(dirname(path))
  writeFileSync(path, bytes)
}

function localFilePath(state: string, store: 'd1' | 'r2'): string {
  const folder = join(state, 'v3', store, `miniflare-${store === 'd1' ? 'D1Database' : 'R2Bucket'}Object`)
  return join(folder, readdirSync(folder).find((file) => /^[0-9a-f]+\.sqlite$/.test(file)) ?? '')
}

/** Inserts subscribers reader1, reader2 and so on; `suffix` makes their addresses longer. */
export async function seedSubscribers(db: D1Database, count: number, suffix = ''): Promise<void> {
  await db
    .prepare(
      `WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < ?1)
       INSERT INTO subscribers (id, email, email_key, state, consent_version, consent_at, created_at)
       SELECT 'row' || i, 'reader' || i || ?2 || '@mail.example', 'reader' || i, 'confirmed', 'v', 0, i FROM n`,
    )
    .bind(count, suffix)
    .run()
}

/** Seeds a new site, runs `seed`, adds an owner. Returns the owner's cookie. */
export function seedLocalSite(state: string, seed: (env: SiteEnv) => Promise<unknown>): Promise<string> {
  ensureSecrets()
  copyMigratedState(state)
  return withLocalBindings(state, async (env) => {
    const { DB, SESSIONS } = env
    await seedSite(DB)
    await seed(env)
    const owner = await DB.prepare(
      "INSERT INTO users (username, username_key, role, created_at, last_active_at) VALUES ('owner', 'owner', 'administrator', 0, 0) RETURNING id",
    ).first<{ id: number }>()
    await DB.prepare("UPDATE team_members SET role = 'owner'").run()
    const { token } = await createSession(SESSIONS, 'administrator', { userId: owner?.id ?? 0, epoch: 0 }, Date.now())
    return `admin=${token}`
  })
}
