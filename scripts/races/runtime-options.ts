import { resolve } from 'node:path'
import { unstable_getMiniflareWorkerOptions } from 'wrangler'
import { WORKER_BUNDLE } from './prebuilt.ts'

export const WORKER_NAME = 'artist-house'

type RateLimits = Record<string, { namespace_id: string; simple: { limit: number; period?: 10 | 60 } }>
type ServerOptions = {
  state: string
  port: number
  vars: Record<string, string>
  /** Path of the Wrangler configuration; default: the site's. `script` is its bundle. */
  config?: string
  script?: string
}

/**
 * Options of a local runtime that serves the bundled worker with the bindings of its configuration and the stores in
 * `state`. They can be sent as JSON. Port 0 means any free port.
 */
export function runtimeOptions({
  state,
  port,
  vars,
  config = 'wrangler.toml',
  script = `${WORKER_BUNDLE}/silent.js`,
}: ServerOptions) {
  const { modulesRules: _, ...worker } = unstable_getMiniflareWorkerOptions(config).workerOptions
  return {
    ...worker,
    ratelimits: worker.ratelimits as RateLimits,
    name: WORKER_NAME,
    rootPath: '.',
    modules: true as const,
    scriptPath: script,
    bindings: { ...(worker.bindings as Record<string, string>), ...vars },
    cf: false as const,
    host: '127.0.0.1',
    port,
    resourcePersistencePath: resolve(state, 'v3'),
    unsafeTriggerHandlers: true,
  }
}
