const QUERY_METHODS = new Set(['first', 'run', 'all', 'raw'])
const UNWRAPPED_STATEMENT = Symbol('the statement itself')

/**
 * Wraps a database to count calls: D1 allows a thousand per invocation of a worker, and a batch counts as one
 * (developers.cloudflare.com/d1/platform/limits).
 */
export function countD1Calls(d1: D1Database): { d1: D1Database; calls: () => number } {
  let calls = 0
  const wrapStatement = (statement: D1PreparedStatement): D1PreparedStatement =>
    new Proxy(statement, {
      get(target, name) {
        if (name === UNWRAPPED_STATEMENT) return target
        const value = Reflect.get(target, name)
        if (typeof value !== 'function') return value
        if (name === 'bind') return (...values: unknown[]) => wrapStatement(target.bind(...values))
        return (...values: unknown[]) => {
          if (QUERY_METHODS.has(String(name))) calls++
          return value.apply(target, values)
        }
      },
    })
  const proxy = new Proxy(d1, {
    get(target, name) {
      if (name === 'prepare') return (sql: string) => wrapStatement(target.prepare(sql))
      if (name === 'batch')
        return (statements: D1PreparedStatement[]) => {
          calls++
          return target.batch(statements.map((statement) => Reflect.get(statement, UNWRAPPED_STATEMENT) ?? statement))
        }
      const value = Reflect.get(target, name)
      return typeof value === 'function' ? value.bind(target) : value
    },
  })
  return { d1: proxy, calls: () => calls }
}
