type SchemaObject = { type: string; name: string; sql: string }

/** Takes everything out of a database, all at once. */
export async function emptyDatabase(d1: D1Database): Promise<void> {
  // By their texts: D1 answers no pragma about a database that holds tables of its own.
  const { results } = await d1
    .prepare(
      `SELECT type, name, sql FROM sqlite_master
       WHERE type IN ('trigger', 'view', 'table') AND name NOT GLOB '_cf_*' AND name NOT GLOB 'sqlite_*'`,
    )
    .all<SchemaObject>()
  const indexes = results.filter(({ sql }) => sql.startsWith('CREATE VIRTUAL')).map(({ name }) => `${name}_`)
  const tables = results.filter(({ type, name }) => type === 'table' && !indexes.some((it) => name.startsWith(it)))
  // Triggers first, which guard the rows, and views, which read them.
  const drops = results.filter(({ type }) => type !== 'table').concat(childrenFirst(tables))
  if (drops.length === 0) return
  const statements = drops.map(({ type, name }) => `DROP ${type} "${name}"`)
  await d1.batch(['PRAGMA defer_foreign_keys = on', ...statements].map((statement) => d1.prepare(statement)))
}

/** Who refers before who is referred to: a table that is dropped looks for its children row by row. */
function childrenFirst(tables: SchemaObject[]): SchemaObject[] {
  const isParent = ({ name }: SchemaObject) =>
    tables.some((other) => other.name !== name && new RegExp(`REFERENCES [\`"]?${name}[\`"( ]`, 'i').test(other.sql))
  const free = tables.filter((table) => !isParent(table))
  if (free.length === 0) return tables
  return [...free, ...childrenFirst(tables.filter((table) => !free.includes(table)))]
}

/** Takes everything out of a KV namespace or a bucket, a page of names at a time. */
export async function emptyStore(store: KVNamespace | R2Bucket): Promise<void> {
  for (;;) {
    const listed = await store.list()
    const names = 'keys' in listed ? listed.keys.map(({ name }) => name) : listed.objects.map(({ key }) => key)
    if (names.length === 0) return
    await Promise.all(names.map((name) => store.delete(name)))
  }
}
