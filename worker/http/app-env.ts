import type { Config, Env } from '../config'
import type { TierId } from '../contract/site'
import type { Db } from '../db/client'
import type { Millis } from '../lib/clock'

/** Who is calling, once the session has been checked; null for a visitor. */
export type Caller = { userId: number; tier: TierId; role: 'supporter' | 'administrator' }

/** What every handler finds on its context. */
export type AppEnv = {
  Bindings: Env
  Variables: {
    requestId: string
    config: Config
    db: Db
    /** The clock; tests set it. */
    now: () => Millis
    caller: Caller | null
  }
}
