import { type Endpoint, pathPattern } from './endpoint'

/** Finds endpoint definitions of requests. */
export type EndpointIndex = {
  /** Null if none matches. HEAD counts as GET; `/api/concerts/upcoming` takes precedence over `/api/concerts/:id`. */
  find: (method: string, path: string) => Endpoint | null
  /** Methods of all endpoints whose path matches. */
  methodsOf: (path: string) => string[]
}

export function indexEndpoints(endpoints: readonly Endpoint[]): EndpointIndex {
  const byPath = new Map(endpoints.map((endpoint) => [`${endpoint.method} ${endpoint.path}`, endpoint]))
  const patterns = endpoints.map((endpoint) => ({ endpoint, pattern: pathPattern(endpoint.path) }))
  const withParams = patterns.filter(({ endpoint }) => endpoint.path.includes(':'))
  return {
    find: (requestMethod, path) => {
      const method = requestMethod === 'HEAD' ? 'GET' : requestMethod
      return (
        byPath.get(`${method} ${path}`) ??
        withParams.find(({ endpoint, pattern }) => endpoint.method === method && pattern.test(path))?.endpoint ??
        null
      )
    },
    methodsOf: (path) => patterns.filter(({ pattern }) => pattern.test(path)).map(({ endpoint }) => endpoint.method),
  }
}
