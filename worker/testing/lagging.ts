import { applyD1Migrations, type D1Migration, env } from 'cloudflare:test'
import { emptyDatabase } from './emptied'

const tests = env as unknown as { FAR_COPY: D1Database; MIGRATIONS: D1Migration[] }

/**
 * The database as Cloudflare replicates it, with a copy that stopped following when `catchUp` was last called. A session
 * without constraint is answered by the copy, one on the primary by the primary, and one that has seen a bookmark by
 * the copy when that knows it, else by the primary. `asked` says who answered, in order.
 */
export async function laggingCopies() {
  let version = 0
  let known = 0
  const asked: string[] = []
  const session = (name: string, d1: D1Database, isPrimary: boolean) => {
    // Whatever is prepared is asked, and whatever the primary is asked may have changed it.
    const noted = (): D1Database => {
      asked.push(name)
      if (isPrimary) version += 1
      return d1
    }
    return {
      prepare: (sql: string) => noted().prepare(sql),
      batch: (statements: D1PreparedStatement[]) => noted().batch(statements),
      getBookmark: () => `b${isPrimary ? version : known}`,
    }
  }
  const withSession = (from = 'first-unconstrained') => {
    const knows = from === 'first-unconstrained' || (/^b\d+$/.test(from) && Number(from.slice(1)) <= known)
    if (from !== 'first-primary' && from !== 'first-unconstrained' && !/^b\d+$/.test(from))
      throw new Error(`D1_ERROR: no bookmark: ${from}`)
    return knows ? session('copy', tests.FAR_COPY, false) : session('primary', env.DB, true)
  }
  await emptyDatabase(tests.FAR_COPY)
  await applyD1Migrations(tests.FAR_COPY, tests.MIGRATIONS)
  await tests.FAR_COPY.batch((await named('trigger')).map((name) => tests.FAR_COPY.prepare(`DROP TRIGGER ${name}`)))
  return {
    asked,
    DB: new Proxy(env.DB, {
      get: (d1, name) => {
        if (name === 'withSession') return withSession
        const value = Reflect.get(d1, name)
        return typeof value === 'function' ? value.bind(d1) : value
      },
    }),
    /** The copy has heard everything that the primary knows. */
    async catchUp(): Promise<void> {
      const tables = await named('table')
      const rows = tables.map((name) => tests.FAR_COPY.prepare(`DELETE FROM ${name}`))
      for (const name of tables)
        for (const row of (await env.DB.prepare(`SELECT * FROM ${name}`).all()).results) {
          const columns = Object.keys(row)
          const marks = columns.map(() => '?').join(', ')
          const insert = tests.FAR_COPY.prepare(`INSERT INTO ${name} (${columns.join(', ')}) VALUES (${marks})`)
          rows.push(insert.bind(...Object.values(row)))
        }
      await tests.FAR_COPY.batch([tests.FAR_COPY.prepare('PRAGMA defer_foreign_keys = on'), ...rows])
      known = version
    },
  }
}

/** What of a kind is in the copy, without what a search index keeps for itself. */
async function named(kind: 'table' | 'trigger'): Promise<string[]> {
  const { results } = await tests.FAR_COPY.prepare(
    `SELECT name FROM sqlite_master WHERE type = ?1 AND name NOT GLOB '_cf_*' AND name NOT GLOB 'sqlite_*'
      AND name NOT GLOB 'd1_*' AND name NOT IN (SELECT name FROM pragma_table_list WHERE type IN ('shadow', 'virtual'))`,
  )
    .bind(kind)
    .all<{ name: string }>()
  return results.map(({ name }) => `"${name}"`)
}
