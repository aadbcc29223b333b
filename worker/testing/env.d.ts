import type { Env as WorkerEnv } from '../config'

declare global {
  namespace Cloudflare {
    interface Env extends WorkerEnv {}
  }
}
