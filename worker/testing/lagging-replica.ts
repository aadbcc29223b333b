import { applyD1Migrations, type D1Migration, env } from 'cloudflare:test'
import { emptyDatabase } from './reset-stores'

const tests = env as unknown as { FAR_COPY: D1Database; MIGRATIONS: D1Migration[] }

/**
 * The database as Cloudflare replicates it, with a copy that stopped following when `catchUp` was last called. A session
 * without constraint is answered by the copy, one on the primary by the primary, and one that has seen a bookmark by
 * the copy when that knows it, else by the primary. `asked` says who answered, in order.
 */
export async function laggingReplica() {
  let version = 0
  let replicaVersion = 0
  const queried: string[] = []
  const session = (name: string, d1: D1Database, isPrimary: boolean) => {
    // Whatever is prepared is asked, and whatever the primary is asked may have changed it.
    const recordCall = (): D1Database => {
      queried.push(name)
      if (isPrimary) version += 1
      return d1
    }
    return {
      prepare: (sql: string) => recordCall().prepare(sql),
      batch: (statements: D1PreparedStatement[]) => recordCall().batch(statements),
      getBookmark: () => `b${isPrimary ? version : replicaVersion}`,
    }
  }
  const withSession = (from = 'first-unconstrained') => {
    const isCurrent = from === 'first-unconstrained' || (/^b\d+$/.test(from) && Number(from.slice(1)) <= replicaVersion)
    if (from !== 'first-primary' && from !== 'first-unconstrained' && !/^b\d+$/.test(from))
      throw new Error(`D1_ERROR: no bookmark: ${from}`)
    return isCurrent ? session('copy', tests.FAR_COPY, false) : session('primary', env.DB, true)
  }
  await emptyDatabase(tests.FAR_COPY)
  await applyD1Migrations(tests.FAR_COPY, tests.MIGRATIONS)
  await tests.FAR_COPY.batch(
    (await listObjects('trigger')).map((name) => tests.FAR_COPY.prepare(`DROP TRIGGER ${name}`)),
  )
  return {
    asked: queried,
    DB: new Proxy(env.DB, {
      get: (d1, name) => {
        if (name === 'withSession') return withSession
        const value = Reflect.get(d1, name)
        return typeof value === 'function' ? value.bind(d1) : value
      },
    }),
    /** The copy has heard everything that the primary knows. */
    async catchUp(): Promise<void> {
      const tables = await listObjects('table')
      const rows = tables.map((name) => tests.FAR_COPY.prepare(`DELETE FROM ${name}`))
      for (const name of tables)
        for (const row of (await env.DB.prepare(`SELECT * FROM ${name}`).all()).results) {
          const columns = Object.keys(row)
          const placeholders = columns.map(() => '?').join(', ')
          const insert = tests.FAR_COPY.prepare(`INSERT INTO ${name} (${columns.join(', ')}) VALUES (${placeholders})`)
          rows.push(insert.bind(...Object.values(row)))
        }
      await tests.FAR_COPY.batch([tests.FAR_COPY.prepare('PRAGMA defer_foreign_keys = on'), ...rows])
      replicaVersion = version
    },
  }
}

/** What of a kind is in the copy, without what a search index keeps for itself. */
async function listObjects(kind: 'table' | 'trigger'): Promise<string[]> {
  const { results } = await tests.FAR_COPY.prepare(
    `SELECT name FROM sqlite_master WHERE type = ?1 AND name NOT GLOB '_cf_*' AND name NOT GLOB 'sqlite_*'
      AND name NOT GLOB 'd1_*' AND name NOT IN (SELECT name FROM pragma_table_list WHERE type IN ('shadow', 'virtual'))`,
  )
    .bind(kind)
    .all<{ name: string }>()
  return results.map(({ name }) => `"${name}"`)
}
