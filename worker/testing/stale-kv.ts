/**
 * A KV as an edge location far away sees it: what was read once goes on being answered after it was deleted or
 * replaced elsewhere, for as long as the test runs.
 */
export function staleKV(kv: KVNamespace): KVNamespace {
  const seen = new Map<string, string | null>()
  return new Proxy(kv, {
    get(target, name) {
      if (name === 'get')
        return async (key: string) => {
          if (!seen.has(key)) seen.set(key, await target.get(key))
          return seen.get(key)
        }
      const value = Reflect.get(target, name)
      return typeof value === 'function' ? value.bind(target) : value
    },
  })
}
