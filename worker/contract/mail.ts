import * as z from 'zod/mini'
import { get } from './endpoint'
import { instant } from './text'

/** A mail of the demo, as its reader would get it. */
export const DemoMail = z.object({
  id: z.string(),
  to: z.string(),
  subject: z.string(),
  text: z.string(),
  html: z.string(),
  sentAt: instant,
})
export type DemoMail = z.infer<typeof DemoMail>

export const mailApi = {
  /** Newest first, at most 100; 404 in production. */
  demoOutbox: get('/api/demo/outbox', z.array(DemoMail)),
}
