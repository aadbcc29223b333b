import { challengeSteps } from '../challenge/waiting'
import { reportedPosts } from '../community/waiting'
import { showsThisWeek } from '../concerts/waiting'
import { screensOf } from '../contract/admin-screens'
import type { TeamRole } from '../contract/endpoint'
import type { WaitingItem } from '../contract/waiting'
import { type Db, prepare } from '../db/client'
import type { WaitingSource } from '../db/waiting'
import { failedEmails } from '../email/waiting'
import { openInquiries } from '../gdpr/waiting'
import type { Millis } from '../lib/clock'
import { failedPayments, ordersToPack, ordersToShip, refusedRefunds } from '../orders/waiting'
import { lowStock } from '../products/waiting'

/** What can wait for the team. A feature adds its sources here. */
export const WAITING_SOURCES: readonly WaitingSource<never>[] = [
  ordersToPack,
  ordersToShip,
  refusedRefunds,
  failedPayments,
  reportedPosts,
  openInquiries,
  failedEmails,
  challengeSteps,
  showsThisWeek,
  lowStock,
]

/** What waits on the screens of a team role, in one round trip: urgent first, then by due date. */
export async function listWaiting(db: Db, role: TeamRole | null, at: Millis): Promise<WaitingItem[]> {
  const screens = new Set<string>(screensOf(role).map(({ id }) => id))
  const sources = WAITING_SOURCES.filter(({ screen }) => screens.has(screen))
  if (sources.length === 0) return []
  const results = await db.$client.batch<never>(sources.map(({ query }) => prepare(db, query(at))))
  const items = sources.flatMap(({ screen, toItems }, i) =>
    toItems(results[i]?.results ?? [], at).map((item) => ({ ...item, screen })),
  )
  const dueAt = (item: WaitingItem) => (item.dueAt === null ? Number.POSITIVE_INFINITY : Date.parse(item.dueAt))
  return items.sort((a, b) => Number(b.isUrgent) - Number(a.isUrgent) || compare(dueAt(a), dueAt(b)))
}

const compare = (a: number, b: number) => (a === b ? 0 : a < b ? -1 : 1)
