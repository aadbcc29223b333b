import * as z from 'zod/mini'
import { get, team } from './endpoint'
import { timestamp } from './fields'

/** A task for the team. */
export const PendingTask = z.object({
  /** Unique in the list. */
  id: z.string(),
  /** The screen whose entry in the sidebar shows the count. */
  screen: z.string(),
  count: z.int(),
  /** 'Orders to pack'. */
  title: z.string(),
  /** Details. */
  text: z.string(),
  /** Path in the dashboard, with its query string. */
  href: z.string(),
  /** Label of the link: 'Open the check-in'. */
  action: z.string(),
  /** When it is due; null without a date. */
  dueAt: z.nullable(timestamp),
  /** Overdue, or harmful while it is not done. */
  isUrgent: z.boolean(),
})
export type PendingTask = z.infer<typeof PendingTask>

export const pendingTasksApi = {
  pendingTasks: get('/api/admin/waiting', z.array(PendingTask), {
    ...team,
    description: "Tasks on the screens of the caller's role: urgent first, then by due date.",
  }),
}
