import type { ShowPage } from './check-in'
import type { Concert } from './concerts'
import type { HallOfFameEntry } from './hall-of-fame'
import type { Leaderboard, Mission } from './points'
import type { PollView } from './polls'
import type { Product } from './products'
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
  challenge?: HallOfFameEntry | null
  show?: ShowPage
  /**
   * The last moment before the drawing at which this page turned into another by itself, in epoch milliseconds: what the
   * time says, it says as of then, so that the browser begins with the very same page. Only that moment, not the
   * drawing's own: the page stays the same, and so does its tag, until the next turn.
   */
  drawnAt?: number
}
