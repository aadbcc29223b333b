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

/** A feature with pending tasks adds its source here. */
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
  const tasks = sources.flatMap(({ screen, toTasks }, i) =>
    toTasks(results[i]?.results ?? [], at).map((task) => ({ ...task, screen })),
  )
  return tasks.sort((a, b) => Number(b.isUrgent) - Number(a.isUrgent) || dueTime(a) - dueTime(b))
}

/** When a task is due; tasks without a due date come last. */
const dueTime = ({ dueAt }: PendingTask): Millis => (dueAt === null ? Number.MAX_SAFE_INTEGER : Date.parse(dueAt))
