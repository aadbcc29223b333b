const ASKS = new Set(['first', 'run', 'all', 'raw'])
const plain = Symbol('the statement itself')

/**
 * The same database, which counts how often it is asked: D1 answers one invocation of a worker a thousand times, and a
 * batch is one of them (developers.cloudflare.com/d1/platform/limits). For work that must know when to stop.
 */
export function counted(d1: D1Database): { d1: D1Database; calls: () => number } {
  let calls = 0
  const statement = (one: D1PreparedStatement): D1PreparedStatement =>
    new Proxy(one, {
      get(target, name) {
        if (name === plain) return target
        const value = Reflect.get(target, name)
        if (typeof value !== 'function') return value
        if (name === 'bind') return (...values: unknown[]) => statement(target.bind(...values))
        return (...values: unknown[]) => {
          if (ASKS.has(String(name))) calls++
          return value.apply(target, values)
        }
      },
    })
  const proxy = new Proxy(d1, {
    get(target, name) {
      if (name === 'prepare') return (sql: string) => statement(target.prepare(sql))
      if (name === 'batch')
        return (all: D1PreparedStatement[]) => {
          calls++
          return target.batch(all.map((one) => Reflect.get(one, plain) ?? one))
        }
      const value = Reflect.get(target, name)
      return typeof value === 'function' ? value.bind(target) : value
    },
  })
  return { d1: proxy, calls: () => calls }
}
