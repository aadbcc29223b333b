import * as z from 'zod/mini'
import { get, post } from './endpoint'
import { emailAddress, instant, prose } from './text'

/** What somebody may ask about their data; the policy's rights, by name. */
export const INQUIRY_KINDS = ['access', 'correction', 'deletion', 'objection', 'other'] as const
export type InquiryKind = (typeof INQUIRY_KINDS)[number]

export const INQUIRY_CHARACTERS = 2000

const sentence = (name: string) => prose(INQUIRY_CHARACTERS, name).check(z.minLength(1, `${name} must not be empty.`))

/** A question about personal data, as its form checks it and the wire carries it. */
export const InquiryDraft = z.strictObject({
  email: emailAddress,
  kind: z.enum(INQUIRY_KINDS, 'Please choose what it is about.'),
  message: sentence('Your message'),
})

/** A privacy inquiry as the desk lists it; the address is masked, and the answer goes there by mail. */
export const Inquiry = z.object({
  id: z.string(),
  kind: z.enum(INQUIRY_KINDS),
  /** Masked: `j…@mail.example`. */
  email: z.string(),
  /** Null for somebody without an account, or whose account has another address. */
  username: z.nullable(z.string()),
  message: z.string(),
  createdAt: instant,
  /** To be answered by then. */
  dueAt: instant,
  answeredAt: z.nullable(instant),
  answer: z.nullable(z.string()),
})
export type Inquiry = z.infer<typeof Inquiry>

/** The last run of one of the daily jobs. */
export const JobRun = z.object({
  /** What it does, in a few words. */
  job: z.string(),
  startedAt: instant,
  /** Rows that it changed, erased or wrote. */
  affected: z.int(),
  /** `more`: the run reached its bound, and goes on with the next five minutes. */
  state: z.enum(['done', 'more', 'failed']),
  /** The last time that it came to its end. */
  lastDoneAt: z.nullable(instant),
})
export type JobRun = z.infer<typeof JobRun>

const administrator = { who: 'administrator' } as const

export const privacyApi = {
  /** 202 whoever asks. */
  ask: post('/api/privacy/inquiries', InquiryDraft, null),
  /** Open ones first, by the day they are due; then the answered, newest first. 50 a page, `?cursor=` in `Link`. */
  inquiries: get('/api/admin/privacy/inquiries', z.array(Inquiry), administrator),
  /** Mails the answer and closes the inquiry. 409 `conflict` for one that is answered; 404 `not_found`. */
  answer: post(
    '/api/admin/privacy/inquiries/:id/answer',
    z.strictObject({ answer: sentence('The answer') }),
    Inquiry,
    administrator,
  ),
  /** One row a job, in the order in which they run. */
  jobs: get('/api/admin/privacy/jobs', z.array(JobRun), administrator),
}
