import type { Caller } from '../auth/current-user'
import type { SessionCache, SessionPayload } from '../auth/sessions'
import type { ResponseCache } from '../cache/response-cache'
import type { PageData } from '../contract/pages'
import type { Db } from '../db/client'
import type { Config, Env } from '../env'
import type { Millis } from '../lib/clock'
import type { LiveNotifier } from '../polls/live'
import type { VoteQueue } from '../polls/vote-queue'

export type Render = (path: string, data: Partial<PageData>) => Promise<{ html: string; state: unknown }>

/** The request's session. Asking is free for a visitor without a cookie; each store is read once at the most. */
export type Session = {
  /**
   * What KV alone says, or said here within half a minute, for a hot write that joins the check in D1 to its own
   * statement (auth/sessions, CALLER).
   */
  payload: () => Promise<SessionPayload | null>
  /** The same, for a row that the guard has let through. @throws AppError `signed_out` for a visitor. */
  requirePayload: () => Promise<SessionPayload>
  /** The same for public reads: a failing KV makes the reader a visitor. Never enough for a write or personal data. */
  optionalPayload: () => Promise<SessionPayload | null>
  /** The person, confirmed by D1; null for a visitor. */
  user: () => Promise<Caller | null>
  /** @throws AppError `signed_out` for a visitor, `forbidden` for a suspended account. */
  requireSupporter: () => Promise<Caller>
  /** @throws AppError `signed_out`, `session_expired`, or `forbidden` for a supporter. */
  requireAdmin: () => Promise<Caller>
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
    responseCache: ResponseCache
    /** Sessions that this isolate has looked up. */
    sessionCache: SessionCache
    /** What this isolate told the objects of live polls. */
    liveNotifier: LiveNotifier
    /** Votes that this isolate has under way. */
    voteQueue: VoteQueue
    /** What marks a write that did not go through `db`. */
    writeBookmark?: string | null
    /** Draws a page; tests hand in one that fails. */
    render: Render
  }
}
