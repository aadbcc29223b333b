import type { Challenge } from './challenge'
import type { Concert } from './concerts'
import type { Leaderboard, Mission } from './points'
import type { PollView } from './polls'
import type { Product } from './shop'
import type { SiteConfig } from './site'
import type { Track } from './tracks'

/**
 * What a page that the worker renders is given, as a visitor would be answered: each is the answer of the call that the
 * page would make. What is left out the browser asks for itself, like everything that is one person's.
 */
export type PageData = {
  config: SiteConfig
  tracks?: Track[]
  products?: Product[]
  upcoming?: Concert[]
  polls?: PollView[]
  leaderboard?: Leaderboard
  missions?: Mission[]
  /** Null where none has been finished. */
  challenge?: Challenge | null
}
