import * as z from 'zod/mini'
import { get, team } from './endpoint'
import { timestamp } from './fields'

/** Something that the team should look at today. */
export const WaitingItem = z.object({
  /** Unique in the list. */
  id: z.string(),
  /** The screen whose entry in the sidebar shows the count. */
  screen: z.string(),
  count: z.int(),
  /** 'Orders to pack'. */
  title: z.string(),
  /** A sentence with the details that matter. */
  text: z.string(),
  /** Path in the dashboard, with its query string. */
  href: z.string(),
  /** What the link does: 'Open the door'. */
  action: z.string(),
  /** When it is due; null without a date. */
  dueAt: z.nullable(timestamp),
  /** It should have been done, or harms someone while it waits. */
  isUrgent: z.boolean(),
})
export type WaitingItem = z.infer<typeof WaitingItem>

export const waitingApi = {
  /** What waits on the screens of the caller's role: urgent first, then by due date. */
  waiting: get('/api/admin/waiting', z.array(WaitingItem), team),
}
