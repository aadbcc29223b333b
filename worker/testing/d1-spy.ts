type SpyHooks = {
  /** Called before each round trip, numbered from 1. What it throws is what the worker sees, and nothing was done. */
  before?: (trip: number) => void
  /** Called after each. What it throws the worker sees although the database has done everything: an ambiguous commit. */
  after?: (trip: number) => void
  /** Called with each statement's text. */
  prepared?: (sql: string) => void
  /** Called with each statement's text and what it binds. */
  bound?: (sql: string, values: unknown[]) => void
}

const EXECUTE_METHODS = new Set(['run', 'all', 'raw'])
const raw = Symbol('the statement itself')

/**
 * The database with somebody watching the wire: `trips()` says how often it was asked. A batch is one round trip,
 * however many statements it holds. `rowsRead()` is what D1 says that its statements had to read, where it says so:
 * not of `raw`.
 */
export function spyOnD1(d1: D1Database, { before, after, prepared, bound }: SpyHooks = {}) {
  let trips = 0
  let rowsRead = 0
  const count = (answer: unknown) => {
    for (const result of (Array.isArray(answer) ? answer : [answer]) as (Partial<D1Result> | null)[])
      rowsRead += result?.meta?.rows_read ?? 0
  }
  const trip = async <T>(work: () => Promise<T>): Promise<T> => {
    const current = ++trips
    before?.(current)
    const result = await work()
    count(result)
    after?.(current)
    return result
  }
  const spyOnStatement = (statement: D1PreparedStatement, sql: string): D1PreparedStatement =>
    new Proxy(statement, {
      get(target, name) {
        if (name === raw) return target
        const method = Reflect.get(target, name)
        if (typeof method !== 'function') return method
        if (name === 'bind')
          return (...values: unknown[]) => {
            bound?.(sql, values)
            return spyOnStatement(target.bind(...values), sql)
          }
        // The same as D1 does it, with what D1 tells of it.
        if (name === 'first')
          return async (column?: string) => {
            const [row] = (await trip(() => target.all<Record<string, unknown>>())).results
            return column === undefined || !row ? (row ?? null) : row[column]
          }
        return EXECUTE_METHODS.has(String(name))
          ? (...args: unknown[]) => trip(() => method.apply(target, args))
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
          trip(() => target.batch(statements.map((statement) => Reflect.get(statement, raw) ?? statement)))
      const value = Reflect.get(target, name)
      return typeof value === 'function' ? value.bind(target) : value
    },
  })
  return { DB, trips: () => trips, rowsRead: () => rowsRead }
}
