import { DurableObject } from 'cloudflare:workers'
import {
  callerBinds,
  requireActiveSession,
  type SessionPayload,
  type SessionStatusRow,
  withSessionStatus,
} from '../auth/sessions'
import type { LiveCounts } from '../contract/polls'
import type { Db } from '../db/client'
import type { Env } from '../env'
import { AppError } from '../lib/app-error'
import type { Millis } from '../lib/clock'
import { SECOND_MS } from '../lib/clock'
import { limits } from '../limits'
import { pollNotFound } from './polls'

export const POLL_COUNTS = `
  SELECT p.ends_at AS endsAt, o.id, o.votes FROM polls p JOIN poll_options o ON o.poll_id = p.id
  WHERE p.id = ?1 AND p.hidden_at IS NULL ORDER BY o.position`

/** What a socket remembers while the object sleeps: which poll it watches, and since when. */
type SocketState = { pollId: string; since: Millis }

/**
 * One poll that is being watched. It holds the sockets of people who have voted and tells them the counts when they
 * change, at most four times a second however many votes there are. It owns no number: each tick reads the counts from
 * D1, so a tick that is lost, late or sent twice is never wrong, and nobody needs it to see results. Between votes it
 * sleeps (hibernation): a socket that waits costs nothing.
 */
export class LivePoll extends DurableObject<Env> {
  constructor(ctx: DurableObjectState, env: Env) {
    super(ctx, env)
    // Answered without waking the object: what keeps a connection open through idle proxies.
    ctx.setWebSocketAutoResponse(new WebSocketRequestResponsePair('ping', 'pong'))
  }

  /** Takes a socket. Who may watch was decided by the route (`requireWatchPermission`); `?poll=` and `?viewer=` are its words. */
  override async fetch(request: Request): Promise<Response> {
    const params = new URL(request.url).searchParams
    const [pollId, viewer] = [params.get('poll') ?? '', params.get('viewer') ?? '']
    const { 0: client, 1: server } = new WebSocketPair()
    // A person with many tabs keeps the latest.
    const userSockets = this.ctx.getWebSockets(viewer)
    for (const socket of userSockets.slice(0, Math.max(0, userSockets.length + 1 - limits.maxLiveSocketsPerUser)))
      socket.close(1008, 'Opened elsewhere')
    this.ctx.acceptWebSocket(server, [viewer])
    server.serializeAttachment({ pollId, since: Date.now() } satisfies SocketState)
    // Who was told that nobody watches keeps quiet for a moment longer: what they do not tell is looked up behind it.
    if ((await this.ctx.storage.getAlarm()) === null)
      await this.ctx.storage.setAlarm(Date.now() + limits.liveUnwatchedTtlMs)
    const counts = await this.#counts(pollId)
    if (counts) server.send(counts)
    else server.close(1001, 'Gone')
    return new Response(null, { status: 101, webSocket: client })
  }

  /**
   * Something changed in the poll: a tick is due within `limits.liveUpdateIntervalMs`. Returns for how many milliseconds the
   * caller need not say so again: until that tick reads, or for `limits.liveUnwatchedTtlMs` while nobody watches.
   */
  async notifyChanged(): Promise<Millis> {
    if (this.ctx.getWebSockets().length === 0) return limits.liveUnwatchedTtlMs
    const due = await this.ctx.storage.getAlarm()
    const now = Date.now()
    if (due !== null && due <= now + limits.liveUpdateIntervalMs) return Math.max(0, due - now)
    await this.ctx.storage.setAlarm(now + limits.liveUpdateIntervalMs)
    return limits.liveUpdateIntervalMs
  }

  override async alarm(): Promise<void> {
    const sockets = this.ctx.getWebSockets()
    const states = sockets.map((socket) => socket.deserializeAttachment() as SocketState)
    const [first] = states
    if (!first) return
    const quietUntil = Math.max(...states.map(({ since }) => since)) + limits.liveUnwatchedTtlMs
    if (Date.now() < quietUntil) await this.ctx.storage.setAlarm(quietUntil)
    const counts = await this.#counts(first.pollId)
    for (const socket of sockets)
      try {
        if (counts) socket.send(counts)
        else socket.close(1001, 'Gone')
      } catch {
        // It closed while we read: nobody is there to be told.
      }
  }

  /** Nobody has anything to say here. */
  override webSocketMessage(socket: WebSocket): void {
    socket.close(1008, 'Nothing is expected')
  }

  override webSocketClose(socket: WebSocket): void {
    socket.close()
  }

  /** The message of a tick; null when the poll is hidden or was never there. */
  async #counts(pollId: string): Promise<string | null> {
    const { results } = await this.env.DB.prepare(POLL_COUNTS)
      .bind(pollId)
      .all<{ endsAt: Millis; id: string; votes: number }>()
    const [first] = results
    if (!first) return null
    const counts: LiveCounts = {
      endDate: new Date(first.endsAt).toISOString(),
      options: results.map(({ id, votes }) => ({ id, voteCount: votes })),
    }
    return JSON.stringify(counts)
  }
}

const WATCH_PERMISSION = withSessionStatus(`
  EXISTS (SELECT 1 FROM polls WHERE id = ?4 AND hidden_at IS NULL) AS isPoll,
  EXISTS (SELECT 1 FROM poll_votes WHERE poll_id = ?4 AND user_id = ?1) AS hasVoted`)

/**
 * Lets those watch a poll's counts who have voted in it (ruling 22).
 * @throws AppError `not_found`, `forbidden` for who has not voted, `signed_out`.
 */
export async function requireWatchPermission(
  db: Db,
  { session, pollId }: { session: SessionPayload; pollId: string },
): Promise<void> {
  const row = await db.$client
    .prepare(WATCH_PERMISSION)
    .bind(...callerBinds(session), pollId)
    .first<SessionStatusRow & { isPoll: number; hasVoted: number }>()
  const { isPoll, hasVoted } = requireActiveSession(row ?? undefined, null)
  if (!isPoll) throw pollNotFound()
  if (!hasVoted) throw new AppError('forbidden', 'Vote first to watch the results.')
}

/** Longer than any telling takes: one whose request was cut off holds up no other. */
const NOTIFY_TIMEOUT_MS: Millis = 2 * SECOND_MS
const MAX_POLLS = 1000

type Notification = { coveredUntil: Millis; sentAt: Millis | null; pending: boolean }
export type LiveNotifier = ReturnType<typeof createLiveNotifier>

/**
 * What this isolate told the objects of live polls. An object answers for how long it need not be told again, so that a
 * rush of votes is a call a tick, and votes that nobody watches are a call a second. One call a poll is under way at a
 * time: what changes meanwhile is told behind it, unless its answer covers that, too. One that fails is told once more.
 */
export function createLiveNotifier(now: () => Millis = Date.now) {
  const notifications = new Map<string, Notification>()
  return {
    /** `changed` tells and returns the milliseconds that are covered from when it was sent. Null where nobody needs to. */
    notify(pollId: string, changed: () => Promise<Millis>): Promise<void> | null {
      const notification = notifications.get(pollId) ?? { coveredUntil: 0, sentAt: null, pending: false }
      if (notifications.size >= MAX_POLLS) notifications.clear()
      notifications.set(pollId, notification)
      if (now() < notification.coveredUntil) return null
      if (notification.sentAt !== null && now() - notification.sentAt < NOTIFY_TIMEOUT_MS) {
        notification.pending = true
        return null
      }
      return sendNotification(notification, changed)
    },
  }

  async function sendNotification(notification: Notification, changed: () => Promise<Millis>): Promise<void> {
    try {
      do {
        notification.pending = false
        const sentAt = now()
        notification.sentAt = sentAt
        notification.coveredUntil = sentAt + (await changed().catch(changed))
      } while (notification.pending && now() >= notification.coveredUntil)
    } finally {
      notification.sentAt = null
    }
  }
}
