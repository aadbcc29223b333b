import * as z from 'zod/mini'
import { get, managers } from './endpoint'
import { timestamp } from './fields'

/** Number of rows that wait for a queue. */
const QueueDepth = z.object({ name: z.string(), waiting: z.int() })

export const SystemStatus = z.object({
  version: z.string(),
  /** The last applied migration. */
  migration: z.string(),
  origin: z.string(),
  database: z.object({ sizeBytes: z.int(), maxBytes: z.int() }),
  /** Sum of the files in the bucket, without resized images. */
  filesBytes: z.int(),
  /** The newest archive that can be downloaded. */
  lastArchive: z.nullable(z.object({ at: timestamp, sizeBytes: z.int() })),
  /** `off`: no keys, nothing can be bought. `test`: no card is charged. */
  payments: z.enum(['off', 'test', 'live']),
  /** Sender of all email. */
  mailFrom: z.string(),
  queues: z.array(QueueDepth),
  emails: z.object({
    failedLastDay: z.int(),
    /** Emails that may have been sent; an admin decides whether to retry them. */
    unknown: z.int(),
  }),
  /** Messages about problems that an owner must act on. */
  problems: z.array(z.string()),
})
export type SystemStatus = z.infer<typeof SystemStatus>

export const systemApi = {
  status: get('/api/admin/system', SystemStatus, managers),
}
