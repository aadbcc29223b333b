import { readdirSync } from 'node:fs'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { createSession } from '../../worker/auth/sessions'
import { seedSite } from '../../worker/testing/seed'
import { ensureSecrets, type SiteEnv, withLocalBindings } from '../tools/wrangler'
import { copyMigratedState } from './prebuilt'

type Options = { store?: 'd1' | 'r2' /** Set it only while no server runs. */; isWritable?: boolean }

/** Calls `use` with the SQLite file of a local D1 database or R2 bucket, also while the server runs. */
export function withLocalFile<T>(
  state: string,
  use: (file: DatabaseSync) => T,
  { store = 'd1', isWritable = false }: Options = {},
): T {
  const folder = join(state, 'v3', store, `miniflare-${store === 'd1' ? 'D1Database' : 'R2Bucket'}Object`)
  const name = readdirSync(folder).find((file) => /^[0-9a-f]+\.sqlite$/.test(file))
  const file = new DatabaseSync(join(folder, name ?? ''), { readOnly: !isWritable, timeout: 5_000 })
  try {
    return use(file)
  } finally {
    file.close()
  }
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
