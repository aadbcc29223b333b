import type { Caller } from '../auth/current-user'
import type { SessionCache, SessionPayload } from '../auth/sessions'
import type { Endpoint } from '../contract/endpoint'
import type { EndpointIndex } from '../contract/endpoint-index'
import type { Db } from '../db/client'
import type { Config, Env } from '../env'
import type { Millis } from '../lib/clock'

/** The request's session. Each store is read at most once, and never for a visitor without a cookie. */
export type Session = {
  /** From KV or this isolate's cache, not checked in D1: for writes whose statement checks the session. */
  payload: () => Promise<SessionPayload | null>
  /** As `payload`. @throws AppError `signed_out` for a visitor. */
  requirePayload: () => Promise<SessionPayload>
  /** As `payload`, but also null if KV fails: for public reads, never enough for a write or personal data. */
  payloadIfAvailable: () => Promise<SessionPayload | null>
  /** Checked in D1; null for a visitor. */
  user: () => Promise<Caller | null>
  /** As `user`, but also null if KV or D1 fails. */
  userIfAvailable: () => Promise<Caller | null>
  /** @throws AppError `signed_out` for a visitor, `forbidden` for a banned account. */
  requireSupporter: () => Promise<Caller>
  /** @throws AppError `signed_out`, `session_expired`, or `forbidden` for a supporter. */
  requireAdmin: () => Promise<Caller>
}

/** Context of every handler. Features declare further variables in hono's `ContextVariableMap`. */
export type AppEnv = {
  Bindings: Env
  Variables: {
    requestId: string
    config: Config
    /** The endpoints of the request's route group. */
    endpoints: EndpointIndex
    /** Null for pages and unknown paths. */
    endpoint: Endpoint | null
    db: Db
    /** Tests set the clock. */
    now: () => Millis
    session: Session
    /** Sessions that this isolate has read. */
    sessionCache: SessionCache
    /** The response already has all headers: no middleware changes it. */
    completeResponse?: Response
    /** Whether a file was read from R2, which is billed, or from the data center's cache. */
    fileSource?: 'r2' | 'cache'
    /** Bookmark of a write that did not use `db`. */
    writeBookmark?: string | null
  }
}
