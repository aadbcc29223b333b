import { challengeSteps } from '../challenge/pending-tasks'
import { reportedPosts } from '../community/pending-tasks'
import { showsThisWeek } from '../concerts/pending-tasks'
import { screensOf } from '../contract/admin-screens'
import type { TeamRole } from '../contract/endpoint'
import type { PendingTask } from '../contract/pending-tasks'
import { type Db, prepare } from '../db/client'
import type { PendingTaskSource } from '../db/pending-tasks'
import { failedEmails } from '../email/pending-tasks'
import { openInquiries } from '../gdpr/pending-tasks'
import type { Millis } from '../lib/clock'
import { failedPayments, ordersToPack, ordersToShip, rejectedRefunds } from '../orders/pending-tasks'
import { lowStock } from '../products/pending-tasks'

/** Sources of pending tasks. A feature adds its own here. */
const PENDING_TASK_SOURCES: readonly PendingTaskSource<never>[] = [
  ordersToPack,
  ordersToShip,
  rejectedRefunds,
  failedPayments,
  reportedPosts,
  openInquiries,
  failedEmails,
  challengeSteps,
  showsThisWeek,
  lowStock,
]

/** Pending tasks on the screens of a team role, in one round trip: urgent first, then by due date. */
export async function listPendingTasks(db: Db, role: TeamRole | null, at: Millis): Promise<PendingTask[]> {
  const screens = new Set<string>(screensOf(role).map(({ id }) => id))
  const sources = PENDING_TASK_SOURCES.filter(({ screen }) => screens.has(screen))
  if (sources.length === 0) return []
  const results = await db.$client.batch<never>(sources.map(({ query }) => prepare(db, query(at))))
  const items = sources.flatMap(({ screen, toItems }, i) =>
    toItems(results[i]?.results ?? [], at).map((item) => ({ ...item, screen })),
  )
  const dueAt = (item: PendingTask) => (item.dueAt === null ? Number.POSITIVE_INFINITY : Date.parse(item.dueAt))
  return items.sort((a, b) => Number(b.isUrgent) - Number(a.isUrgent) || compare(dueAt(a), dueAt(b)))
}

const compare = (a: number, b: number) => (a === b ? 0 : a < b ? -1 : 1)
