import type { Context } from 'hono'
import { contract } from '../contract'
import { pathPattern } from '../contract/endpoint'
import { PAGES } from '../contract/pages'
import { AppError } from '../lib/app-error'
import type { AppEnv } from './app-env'

const endpoints = Object.values(contract).flatMap((api) => Object.values(api))
const servedPaths: { pattern: RegExp; methods: string[] }[] = [
  ...[...new Set(endpoints.map((e) => e.path))].map((path) => ({
    pattern: pathPattern(path),
    methods: endpoints.filter((e) => e.path === path).map((e): string => e.method),
  })),
  ...PAGES.map((path) => ({ pattern: pathPattern(path), methods: ['GET'] })),
]

/** Answers a request that no route took: 405 when its path is served by another method, else 404. */
export function notFound(c: Context<AppEnv>): never {
  const rows = servedPaths.filter(({ pattern }) => pattern.test(c.req.path))
  const methods = [...new Set(rows.flatMap((row) => row.methods))]
  if (methods.length > 0) {
    c.header('allow', methods.includes('GET') ? [...methods, 'HEAD'].join(', ') : methods.join(', '))
    throw new AppError('method_not_allowed', 'That cannot be done here.')
  }
  throw new AppError('not_found', 'There is nothing at this address.')
}
