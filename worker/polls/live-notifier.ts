import { type Millis, SECOND_MS } from '../lib/clock'

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
