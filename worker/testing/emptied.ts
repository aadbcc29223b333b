/** Takes everything out of a database: its triggers first, which guard the rows, then the tables, all at once. */
export async function emptyDatabase(d1: D1Database): Promise<void> {
  const { results } = await d1
    .prepare(
      `SELECT type, name FROM sqlite_master WHERE type IN ('trigger', 'view', 'table') AND name NOT GLOB '_cf_*'
         AND name NOT GLOB 'sqlite_*'
         AND name NOT IN (SELECT s.name FROM sqlite_master v JOIN pragma_table_list s ON s.type = 'shadow'
           WHERE v.sql LIKE 'CREATE VIRTUAL%' AND s.name GLOB v.name || '_*')
       ORDER BY type = 'table', sql NOT LIKE 'CREATE VIRTUAL%'`,
    )
    .all<{ type: string; name: string }>()
  if (results.length === 0) return
  await d1.batch([
    d1.prepare('PRAGMA defer_foreign_keys = on'),
    ...results.map(({ type, name }) => d1.prepare(`DROP ${type} "${name}"`)),
  ])
}

/** Takes everything out of a KV namespace or a bucket, a page of names at a time. */
export async function emptyNames(store: KVNamespace | R2Bucket): Promise<void> {
  for (;;) {
    const listed = await store.list()
    const names = 'keys' in listed ? listed.keys.map(({ name }) => name) : listed.objects.map(({ key }) => key)
    if (names.length === 0) return
    await Promise.all(names.map((name) => store.delete(name)))
  }
}
