import type { Caller } from '../auth/people'
import type { Remembered } from '../auth/remembered'
import type { Claim } from '../auth/sessions'
import type { Config, Env } from '../config'
import type { PageData } from '../contract/page-data'
import type { Db } from '../db/client'
import type { Millis } from '../lib/clock'
import type { Told } from '../live/told'
import type { Rush } from '../polls/rush'
import type { Kept } from './kept'

export type Render = (path: string, data: Partial<PageData>) => Promise<{ html: string; state: unknown }>

/** The request's session. Asking is free for a visitor without a cookie; each store is read once at the most. */
export type Session = {
  /**
   * What KV alone says, or said here within half a minute, for a hot write that joins the check in D1 to its own
   * statement (auth/sessions, CALLER).
   */
  claim: () => Promise<Claim | null>
  /** The same, for a row that the guard has let through. @throws Refused `signed_out` for a visitor. */
  claimed: () => Promise<Claim>
  /** The same for public reads: a failing KV makes the reader a visitor. Never enough for a write or personal data. */
  reader: () => Promise<Claim | null>
  /** The person, confirmed by D1; null for a visitor. */
  caller: () => Promise<Caller | null>
  /** @throws Refused `signed_out` for a visitor, `forbidden` for a suspended account. */
  supporter: () => Promise<Caller>
  /** @throws Refused `signed_out`, `session_expired`, or `forbidden` for a supporter. */
  administrator: () => Promise<Caller>
}

/** What every handler finds on its context. */
export type AppEnv = {
  Bindings: Env
  Variables: {
    requestId: string
    config: Config
    db: Db
    /** The clock; tests set it. */
    now: () => Millis
    session: Session
    /** Public answers of this isolate. */
    kept: Kept
    /** Sessions that this isolate has looked up. */
    remembered: Remembered
    /** What this isolate told the objects of live polls. */
    told: Told
    /** Votes that this isolate has under way. */
    rush: Rush
    /** What marks a write that did not go through `db`. */
    leftBookmark?: string | null
    /** Draws a page; tests hand in one that fails. */
    render: Render
  }
}
