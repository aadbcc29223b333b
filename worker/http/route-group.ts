import type { Hono } from 'hono'
import type { Endpoint } from '../contract/endpoint'
import type { AppEnv } from './app-env'

/** Routes that an isolate loads together, when a request first needs one of them. */
export type RouteGroup = {
  routes: readonly Hono<AppEnv>[]
  /** Every endpoint that `routes` serve. */
  endpoints: readonly Endpoint[]
}
