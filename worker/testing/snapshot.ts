/** The names of all tables that are ours, in order. */
export async function tableNames(d1: D1Database): Promise<string[]> {
  const { results } = await d1
    .prepare(
      `SELECT name FROM sqlite_master WHERE type = 'table' AND name NOT LIKE 'sqlite_%' AND name NOT LIKE '_cf_%'
       AND name NOT LIKE 'd1_%' ORDER BY name`,
    )
    .all<{ name: string }>()
  return results.map(({ name }) => name)
}

/** Every row of every table: what a test compares before and after. */
export async function snapshot(d1: D1Database): Promise<Record<string, unknown[]>> {
  const names = await tableNames(d1)
  const results = await d1.batch(names.map((name) => d1.prepare(`SELECT * FROM "${name}"`)))
  return Object.fromEntries(names.map((name, i) => [name, results[i]?.results ?? []]))
}
