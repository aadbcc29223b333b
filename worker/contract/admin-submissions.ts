import * as z from 'zod/mini'
import { administrator, get, post } from './endpoint'
import { timestamp } from './text'

/** A verse that was sent in. In lists address and number are masked; revealing one is written down (ruling 8). */
export const VerseSubmission = z.object({
  id: z.string(),
  name: z.string(),
  email: z.string(),
  phoneNumber: z.string(),
  submittedAt: timestamp,
  challengeId: z.string(),
  /** There is something to listen to. */
  hasRecording: z.boolean(),
  isFinalist: z.boolean(),
  shortlisted: z.boolean(),
  /** The desk's own words; whoever sent it does not see them. */
  note: z.string(),
})
export type VerseSubmission = z.infer<typeof VerseSubmission>

export const adminSubmissionsApi = {
  /** Masked, newest first, 50 a page; `?q=` looks through names and addresses, `?challenge=` and `?shortlisted=1` leave others out. */
  submissions: get('/api/verse-submissions', z.array(VerseSubmission), administrator),
  /** One submission unmasked. */
  reveal: post('/api/verse-submissions/:id/reveal', null, VerseSubmission, administrator),
}
