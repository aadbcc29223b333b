import { applyD1Migrations, type D1Migration, env } from 'cloudflare:test'

/** Runs one statement on the test's database. */
export const runSql = (sql: string, ...values: unknown[]) =>
  env.DB.prepare(sql)
    .bind(...values)
    .run()

/** A binding whose methods named in `replaced` behave differently. */
export const withMethods = <T extends object>(binding: T, replaced: { [Name in keyof T]?: unknown }): T =>
  new Proxy(binding, {
    get(target, name) {
      if (Object.hasOwn(replaced, name)) return Reflect.get(replaced, name)
      const value = Reflect.get(target, name)
      return typeof value === 'function' ? value.bind(target) : value
    },
  })

/** A KV namespace that returns stale values: a value that was read once stays cached. */
export function staleKV(kv: KVNamespace): KVNamespace {
  const cached = new Map<string, string | null>()
  const get = async (key: string) => {
    if (!cached.has(key)) cached.set(key, await kv.get(key))
    return cached.get(key)
  }
  return withMethods(kv, { get })
}

/** A database that awaits `callback` before each batch. */
export const beforeBatch = (d1: D1Database, callback: () => Promise<unknown>) =>
  withMethods(d1, { batch: (statements: D1PreparedStatement[]) => callback().then(() => d1.batch(statements)) })

type SchemaObject = { type: string; name: string; sql: string }

/** Tables, indexes, views and triggers in order of creation, without internal tables of search indexes. */
async function readSchema(d1: D1Database): Promise<SchemaObject[]> {
  const { results } = await d1
    .prepare(
      `SELECT type, name, sql FROM sqlite_master
       WHERE sql IS NOT NULL AND name NOT GLOB '_cf_*' AND name NOT GLOB 'sqlite_*'
         AND name NOT IN (SELECT name FROM pragma_table_list WHERE type = 'shadow') ORDER BY rowid`,
    )
    .all<SchemaObject>()
  return results
}

/** Drops everything in a database. */
async function emptyDatabase(d1: D1Database): Promise<void> {
  const schema = await readSchema(d1)
  if (schema.length > 0) await d1.batch(dropStatements(schema).map((sql) => d1.prepare(sql)))
}

/** Drops triggers and views first, because they refer to tables. Dropping a table drops its indexes. */
function dropStatements(schema: SchemaObject[]): string[] {
  const isTable = ({ type }: SchemaObject) => type === 'table'
  const others = schema.filter(({ type }) => type === 'trigger' || type === 'view')
  const drops = [...others, ...childrenFirst(schema.filter(isTable))]
  return ['PRAGMA defer_foreign_keys = on', ...drops.map(({ type, name }) => `DROP ${type} "${name}"`)]
}

const isTrigger = ({ type }: SchemaObject) => type === 'trigger'
const isVirtual = ({ sql }: SchemaObject) => sql.startsWith('CREATE VIRTUAL')
const statementsOf = (objects: SchemaObject[]) => objects.map(({ sql }) => sql)

/** Statements that restore the migrated state of a database. */
type MigratedState = {
  schema: string
  /** For a database with the same schema: deletes all rows, then inserts the rows that migrations insert. */
  resetRows: string[]
  /** For a database without tables: creates the schema, then inserts the rows that migrations insert. */
  recreate: string[]
}

/** The schema for comparison; the order of creation does not matter. */
const schemaText = (schema: SchemaObject[]) => statementsOf(schema).sort().join('\n')

async function readMigratedState(d1: D1Database): Promise<MigratedState> {
  const schema = await readSchema(d1)
  const tables = schema.filter((object) => object.type === 'table' && !isVirtual(object))
  const rows: string[] = []
  const nonEmptyTables: string[] = []
  for (const { name } of tables) {
    const { results } = await d1.prepare(`SELECT * FROM "${name}"`).all()
    if (results.length > 0) nonEmptyTables.push(name)
    for (const row of results) {
      const values = Object.values(row).map((value) =>
        typeof value === 'string' ? `'${value.replaceAll("'", "''")}'` : String(value),
      )
      rows.push(`INSERT INTO "${name}" ("${Object.keys(row).join('", "')}") VALUES (${values.join(', ')})`)
    }
  }
  const searchIndexSettings: string[] = []
  for (const { name } of schema.filter(isVirtual)) {
    const { results } = await d1
      .prepare(`SELECT k, v FROM "${name}_config" WHERE k <> 'version'`)
      .all<{ k: string; v: number }>()
    for (const { k, v } of results)
      searchIndexSettings.push(`INSERT INTO "${name}" ("${name}", rank) VALUES ('${k}', ${v})`)
  }
  const firesOnReset = ({ sql }: SchemaObject) =>
    /\bDELETE\s+ON\b/i.test(sql) ||
    nonEmptyTables.some((name) => new RegExp(`\\bON\\s+["\`]?${name}\\b`, 'i').test(sql))
  const recreatedObjects = schema.filter((object) => isVirtual(object) || (isTrigger(object) && firesOnReset(object)))
  return {
    schema: schemaText(schema),
    resetRows: [
      ...dropStatements(recreatedObjects),
      ...childrenFirst(tables).map(({ name }) => `DELETE FROM "${name}"`),
      'DELETE FROM sqlite_sequence',
      ...statementsOf(recreatedObjects.filter(isVirtual)),
      ...rows,
      ...searchIndexSettings,
      ...statementsOf(recreatedObjects.filter(isTrigger)),
    ],
    recreate: [
      ...statementsOf(schema.filter((object) => !isTrigger(object))),
      ...rows,
      ...searchIndexSettings,
      ...statementsOf(schema.filter(isTrigger)),
    ],
  }
}

/** Survives across test files, which share a runtime. */
const sharedRuntime = globalThis as { migrated?: MigratedState }

/**
 * Resets the database to its migrated state. The first test file of a runtime runs the migrations. Later ones delete
 * the rows, or recreate a schema that a test changed.
 */
export async function resetDatabase(d1: D1Database, migrations: D1Migration[]): Promise<void> {
  if (!sharedRuntime.migrated) {
    await emptyDatabase(d1)
    await applyD1Migrations(d1, migrations)
    sharedRuntime.migrated = await readMigratedState(d1)
    return
  }
  const schema = await readSchema(d1)
  const { schema: migrated, resetRows, recreate } = sharedRuntime.migrated
  const run = (statements: string[]) => d1.batch(statements.map((sql) => d1.prepare(sql)))
  const recreateAll = () => run([...dropStatements(schema), ...recreate])
  // If a trigger aborts the deletion of rows that refer to each other, the schema is created again.
  await (schemaText(schema) === migrated ? run(resetRows).catch(recreateAll) : recreateAll())
}

/** Orders tables so that a table is dropped before those that it references, which avoids foreign key checks. */
function childrenFirst(tables: SchemaObject[]): SchemaObject[] {
  const isParent = ({ name }: SchemaObject) =>
    tables.some((other) => other.name !== name && new RegExp(`REFERENCES [\`"]?${name}[\`"( ]`, 'i').test(other.sql))
  const unreferencedTables = tables.filter((table) => !isParent(table))
  if (unreferencedTables.length === 0) return tables
  return [...unreferencedTables, ...childrenFirst(tables.filter((table) => !unreferencedTables.includes(table)))]
}

/** Deletes all keys of a KV namespace or bucket. */
export async function emptyStore(store: KVNamespace | R2Bucket): Promise<void> {
  for (;;) {
    const listed = await store.list()
    const names = 'keys' in listed ? listed.keys.map(({ name }) => name) : listed.objects.map(({ key }) => key)
    if (names.length === 0) return
    await Promise.all(names.map((name) => store.delete(name)))
  }
}

/** Names of the application's tables, sorted. */
async function tableNames(d1: D1Database): Promise<string[]> {
  const { results } = await d1
    .prepare(
      `SELECT name FROM sqlite_master WHERE type = 'table' AND name NOT LIKE 'sqlite_%' AND name NOT LIKE '_cf_%'
       AND name NOT LIKE 'd1_%' ORDER BY name`,
    )
    .all<{ name: string }>()
  return results.map(({ name }) => name)
}

/** All rows of all tables. */
export async function snapshotRows(d1: D1Database): Promise<Record<string, unknown[]>> {
  const names = await tableNames(d1)
  const results = await d1.batch(names.map((name) => d1.prepare(`SELECT * FROM "${name}"`)))
  return Object.fromEntries(names.map((name, i) => [name, results[i]?.results ?? []]))
}

/** Everything in D1, KV and R2 as one text. */
export async function dumpStores(): Promise<string> {
  const { keys } = await env.SESSIONS.list()
  const { objects } = await env.FILES.list()
  return JSON.stringify([
    await snapshotRows(env.DB),
    keys,
    await Promise.all(keys.map(({ name }) => env.SESSIONS.get(name))),
    objects.map(({ key, httpMetadata, customMetadata }) => [key, httpMetadata, customMetadata]),
    await Promise.all(objects.map(async ({ key }) => (await env.FILES.get(key))?.text())),
  ])
}

const testEnv = env as unknown as { REPLICA: D1Database; MIGRATIONS: D1Migration[] }

/**
 * A replicated D1, whose replica (REPLICA) has the rows of the last catchUp().
 * 'first-primary' sessions and those with a later bookmark read the primary, others the replica.
 * `queried` lists the database of each query.
 */
export async function laggingReplica() {
  let version = 0
  let replicaVersion = 0
  const queried: string[] = []
  const session = (name: string, d1: D1Database, isPrimary: boolean) => {
    // Records each prepare() and batch(); on the primary it also raises the version, as a write would.
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
    const readsReplica =
      from === 'first-unconstrained' || (/^b\d+$/.test(from) && Number(from.slice(1)) <= replicaVersion)
    if (from !== 'first-primary' && from !== 'first-unconstrained' && !/^b\d+$/.test(from))
      throw new Error(`D1_ERROR: no bookmark: ${from}`)
    return readsReplica ? session('replica', testEnv.REPLICA, false) : session('primary', env.DB, true)
  }
  replicaTables ??= createReplicaTables()
  const tables = await replicaTables
  const deleteRows = () => [
    testEnv.REPLICA.prepare('PRAGMA defer_foreign_keys = on'),
    ...tables.map((name) => testEnv.REPLICA.prepare(`DELETE FROM ${name}`)),
  ]
  await testEnv.REPLICA.batch(deleteRows())
  return {
    queried,
    DB: withMethods(env.DB, { withSession }),
    /** Copies all rows of the primary to the replica. */
    async catchUp(): Promise<void> {
      const statements = deleteRows()
      for (const name of tables)
        for (const row of (await env.DB.prepare(`SELECT * FROM ${name}`).all()).results) {
          const columns = Object.keys(row)
          const placeholders = columns.map(() => '?').join(', ')
          const insert = testEnv.REPLICA.prepare(`INSERT INTO ${name} (${columns.join(', ')}) VALUES (${placeholders})`)
          statements.push(insert.bind(...Object.values(row)))
        }
      await testEnv.REPLICA.batch(statements)
      replicaVersion = version
    },
  }
}

/** Tables of the replica, created once per test file. */
let replicaTables: Promise<string[]> | undefined
async function createReplicaTables(): Promise<string[]> {
  await emptyDatabase(testEnv.REPLICA)
  await applyD1Migrations(testEnv.REPLICA, testEnv.MIGRATIONS)
  // The copied rows already contain the effects of the triggers.
  const triggers = await quotedNames('trigger')
  await testEnv.REPLICA.batch(triggers.map((name) => testEnv.REPLICA.prepare(`DROP TRIGGER ${name}`)))
  return quotedNames('table')
}

/** Quoted names of the replica's tables or triggers, without search indexes. */
async function quotedNames(kind: 'table' | 'trigger'): Promise<string[]> {
  const { results } = await testEnv.REPLICA.prepare(
    `SELECT name FROM sqlite_master WHERE type = ?1 AND name NOT GLOB '_cf_*' AND name NOT GLOB 'sqlite_*'
      AND name NOT GLOB 'd1_*' AND name NOT IN (SELECT name FROM pragma_table_list WHERE type IN ('shadow', 'virtual'))`,
  )
    .bind(kind)
    .all<{ name: string }>()
  return results.map(({ name }) => `"${name}"`)
}

type SpyHooks = {
  /**
   * Called before each round trip, numbered from 1. An error fails the call before it is executed; a promise delays it.
   */
  before?: (trip: number, sql: readonly string[]) => unknown
  /** Called after each round trip. An error fails the call after it was executed: an ambiguous commit. */
  after?: (trip: number) => void
  /** Called with the SQL of each statement. */
  prepared?: (sql: string) => void
  /** Called with the SQL and the values of each binding. */
  bound?: (sql: string, values: unknown[]) => void
}

const EXECUTE_METHODS = new Set(['run', 'all', 'raw'])
const rawStatement = Symbol('the statement itself')
const sqlOf = Symbol('the SQL of the statement')

/** A database that counts round trips (a batch is one) and rows read, except those read by the method raw(). */
export function spyOnD1(d1: D1Database, { before, after, prepared, bound }: SpyHooks = {}) {
  let trips = 0
  let rowsRead = 0
  const countRows = (results: unknown) => {
    for (const result of (Array.isArray(results) ? results : [results]) as (Partial<D1Result> | null)[])
      rowsRead += result?.meta?.rows_read ?? 0
  }
  const trip = async <T>(sql: readonly string[], work: () => Promise<T>): Promise<T> => {
    const current = ++trips
    await before?.(current, sql)
    const result = await work()
    countRows(result)
    after?.(current)
    return result
  }
  const spyOnStatement = (statement: D1PreparedStatement, sql: string): D1PreparedStatement =>
    new Proxy(statement, {
      get(target, name) {
        if (name === rawStatement) return target
        if (name === sqlOf) return sql
        const method = Reflect.get(target, name)
        if (typeof method !== 'function') return method
        if (name === 'bind')
          return (...values: unknown[]) => {
            bound?.(sql, values)
            return spyOnStatement(target.bind(...values), sql)
          }
        // D1 implements `first` like this; `all` also reports rows read.
        if (name === 'first')
          return async (column?: string) => {
            const [row] = (await trip([sql], () => target.all<Record<string, unknown>>())).results
            return column === undefined || !row ? (row ?? null) : row[column]
          }
        return EXECUTE_METHODS.has(String(name))
          ? (...args: unknown[]) => trip([sql], () => method.apply(target, args))
          : method.bind(target)
      },
    })
  const DB = new Proxy(d1, {
    get(target, name) {
      if (name === 'prepare')
        return (sql: string) => {
          prepared?.(sql)
          return spyOnStatement(target.prepare(sql), sql)
        }
      if (name === 'batch')
        return (statements: D1PreparedStatement[]) =>
          trip(
            statements.map((statement) => Reflect.get(statement, sqlOf)),
            () => target.batch(statements.map((statement) => Reflect.get(statement, rawStatement) ?? statement)),
          )
      const value = Reflect.get(target, name)
      return typeof value === 'function' ? value.bind(target) : value
    },
  })
  return { DB, trips: () => trips, rowsRead: () => rowsRead }
}
