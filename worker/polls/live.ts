import { DurableObject } from 'cloudflare:workers'
import {
  activeSessionSql,
  callerBinds,
  requireActiveSession,
  type SessionPayload,
  type SessionStatusRow,
  withSessionStatus,
} from '../auth/sessions'
import { type LiveCounts, REPLACED_CLOSE_CODE, SESSION_ENDED_CLOSE_CODE } from '../contract/polls'
import type { Db } from '../db/client'
import type { Env } from '../env'
import { AppError } from '../lib/app-error'
import { type Millis, SECOND_MS, toIso } from '../lib/clock'
import { limits } from '../limits'
import { pollIsVisibleSql, pollNotFoundError } from './polls'

export const POLL_COUNTS = `
  SELECT poll.ends_at AS endsAt, option.id, option.votes FROM polls poll JOIN poll_options option ON option.poll_id = poll.id
  WHERE poll.id = ?1 AND ${pollIsVisibleSql('poll')} ORDER BY option.position`

/** Selects the indexes of the active sessions in a JSON array. Raw SQL: one query for all watchers of a poll. */
const ACTIVE_WATCHERS = `
  SELECT watcher.key FROM json_each(?1) AS watcher JOIN users AS user
  ON ${activeSessionSql('user', { userId: "watcher.value ->> 'userId'", epoch: "watcher.value ->> 'epoch'", sid: "watcher.value ->> 'sid'" })}`

/** Attached to a socket; survives hibernation. `since` is when the socket was opened. */
type SocketState = { pollId: string; since: Millis } & Pick<SessionPayload, 'userId' | 'epoch' | 'sid'>

/**
 * Durable Object that pushes the counts of one poll to its watchers and closes sockets whose session has ended. Each
 * alarm reads counts and sessions from D1, so lost, late or repeated alarms are harmless. It hibernates between alarms.
 */
export class LivePoll extends DurableObject<Env> {
  constructor(ctx: DurableObjectState, env: Env) {
    super(ctx, env)
    // Keeps connections open through proxies without waking the object.
    ctx.setWebSocketAutoResponse(new WebSocketRequestResponsePair('ping', 'pong'))
  }

  /** Accepts a socket. The route has checked permission; it passes `?poll=` and the session. */
  override async fetch(request: Request): Promise<Response> {
    const params = new URL(request.url).searchParams
    const pollId = params.get('poll') ?? ''
    // Tags sockets, so that those of one user can be found.
    const userTag = params.get('userId') ?? ''
    const session = { userId: Number(userTag), epoch: Number(params.get('epoch')), sid: params.get('sid') ?? '' }
    const { 0: client, 1: server } = new WebSocketPair()
    const userSockets = this.ctx.getWebSockets(userTag)
    for (const socket of userSockets.slice(0, Math.max(0, userSockets.length + 1 - limits.maxLiveSocketsPerUser)))
      socket.close(REPLACED_CLOSE_CODE, 'Opened elsewhere')
    this.ctx.acceptWebSocket(server, [userTag])
    server.serializeAttachment({ pollId, since: Date.now(), ...session } satisfies SocketState)
    // Isolates may still skip notifications, because the poll had no watchers. So an alarm reads the counts again.
    if ((await this.ctx.storage.getAlarm()) === null)
      await this.ctx.storage.setAlarm(Date.now() + limits.liveUnwatchedTtlMs)
    const counts = await this.#counts(pollId)
    if (counts) server.send(counts)
    else server.close(1001, 'Gone')
    return new Response(null, { status: 101, webSocket: client })
  }

  /**
   * Sets the alarm, which pushes the new counts.
   * @returns milliseconds for which the caller need not notify again: until the alarm, or `limits.liveUnwatchedTtlMs`
   * while the poll has no watchers.
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
    const now = Date.now()
    const mayMissChangesUntil = Math.max(...states.map(({ since }) => since)) + limits.liveUnwatchedTtlMs
    await this.ctx.storage.setAlarm(now < mayMissChangesUntil ? mayMissChangesUntil : now + limits.liveSessionCheckMs)
    const [counts, active] = await Promise.all([this.#counts(first.pollId), this.#activeWatchers(states)])
    for (const [index, socket] of sockets.entries())
      try {
        if (!active.has(index)) socket.close(SESSION_ENDED_CLOSE_CODE, 'The session has ended')
        else if (counts) socket.send(counts)
        else socket.close(1001, 'Gone')
      } catch {
        // The socket closed meanwhile.
      }
  }

  /** Indexes of the watchers whose session is active. */
  async #activeWatchers(watchers: readonly SocketState[]): Promise<Set<number>> {
    const { results } = await this.env.DB.prepare(ACTIVE_WATCHERS).bind(JSON.stringify(watchers)).all<{ key: number }>()
    return new Set(results.map(({ key }) => key))
  }

  override webSocketMessage(socket: WebSocket): void {
    socket.close(1003, 'Nothing is expected')
  }

  override webSocketClose(socket: WebSocket): void {
    socket.close()
  }

  /** Message with the current counts; null if the poll is hidden or does not exist. */
  async #counts(pollId: string): Promise<string | null> {
    const { results } = await this.env.DB.prepare(POLL_COUNTS)
      .bind(pollId)
      .all<{ endsAt: Millis; id: string; votes: number }>()
    const [first] = results
    if (!first) return null
    const counts: LiveCounts = {
      endDate: toIso(first.endsAt),
      options: results.map(({ id, votes }) => ({ id, voteCount: votes })),
    }
    return JSON.stringify(counts)
  }
}

const WATCH_PERMISSION = withSessionStatus(`
  EXISTS (SELECT 1 FROM polls WHERE id = ?4 AND ${pollIsVisibleSql('polls')}) AS isPoll,
  EXISTS (SELECT 1 FROM poll_votes WHERE poll_id = ?4 AND user_id = ?1) AS hasVoted`)

/** @throws AppError `not_found`; `signed_out`; `forbidden` for a user who has not voted. */
export async function requireWatchPermission(
  db: Db,
  { session, pollId }: { session: SessionPayload; pollId: string },
): Promise<void> {
  const row = await db.$client
    .prepare(WATCH_PERMISSION)
    .bind(...callerBinds(session), pollId)
    .first<SessionStatusRow & { isPoll: number; hasVoted: number }>()
  const { isPoll, hasVoted } = requireActiveSession(row ?? undefined, null)
  if (!isPoll) throw pollNotFoundError()
  if (!hasVoted) throw new AppError('forbidden', 'Vote first to watch the results.')
}

/** Longer than any call takes. After this, another call may start: the request of the first may have been canceled. */
const NOTIFY_TIMEOUT_MS: Millis = 2 * SECOND_MS
const MAX_TRACKED_POLLS = 1000

type PollNotification = { coveredUntil: Millis; sentAt: Millis | null; isPending: boolean }
export type LiveNotifier = ReturnType<typeof createLiveNotifier>

/**
 * Throttles an isolate's calls to LivePoll objects: one call per poll at a time, and none for the milliseconds that the
 * last call returned. After a call, changes that it does not cover cause another. A failed call is retried once.
 */
export function createLiveNotifier(now: () => Millis = Date.now) {
  const notifications = new Map<string, PollNotification>()
  return {
    /** Calls `notifyObject`, which returns the milliseconds that its call covers; null if no call is needed. */
    notify(pollId: string, notifyObject: () => Promise<Millis>): Promise<void> | null {
      const notification = notifications.get(pollId) ?? { coveredUntil: 0, sentAt: null, isPending: false }
      if (notifications.size >= MAX_TRACKED_POLLS) notifications.clear()
      notifications.set(pollId, notification)
      if (now() < notification.coveredUntil) return null
      if (notification.sentAt !== null && now() - notification.sentAt < NOTIFY_TIMEOUT_MS) {
        notification.isPending = true
        return null
      }
      return sendNotification(notification, notifyObject)
    },
  }

  async function sendNotification(notification: PollNotification, notifyObject: () => Promise<Millis>): Promise<void> {
    try {
      do {
        notification.isPending = false
        const sentAt = now()
        notification.sentAt = sentAt
        notification.coveredUntil = sentAt + (await notifyObject().catch(notifyObject))
      } while (notification.isPending && now() >= notification.coveredUntil)
    } finally {
      notification.sentAt = null
    }
  }
}
