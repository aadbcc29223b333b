/** How many rows the batches of `work` read, as D1 counts them. */
export async function countRowsRead(d1: D1Database, work: (counted: D1Database) => Promise<unknown>): Promise<number> {
  let rows = 0
  const counted = new Proxy(d1, {
    get(target, name) {
      if (name === 'batch')
        return async (statements: D1PreparedStatement[]) => {
          const results = await target.batch(statements)
          for (const { meta } of results) rows += meta.rows_read
          return results
        }
      const value = Reflect.get(target, name)
      return typeof value === 'function' ? value.bind(target) : value
    },
  })
  await work(counted)
  return rows
}
