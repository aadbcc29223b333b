import type { Db } from './db/client'
import type { Millis } from './lib/clock'

/** Dependencies of domain functions. A function takes the part it uses: `Pick<Deps, 'db' | 'secret'>`. */
export type Deps = {
  db: Db
  files: R2Bucket
  sessions: KVNamespace
  /** Signs links and cookies, and keys hashes. */
  secret: string
  /** Base URL of links in emails, e.g. `https://artist.example`. */
  origin: string
}

/** The administrator who does an action, and when. */
export type Actor = { actorId: number; at: Millis }
