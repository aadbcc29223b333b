import * as z from 'zod/mini'
import { administrator, get, post } from './endpoint'
import { emailAddress, prose, timestamp } from './fields'
import { LinkToken } from './newsletter'

/** What somebody may ask about their data; the policy's rights, by name. */
export const INQUIRY_KINDS = ['access', 'correction', 'deletion', 'objection', 'other'] as const
export type InquiryKind = (typeof INQUIRY_KINDS)[number]

export const MAX_INQUIRY_LENGTH = 2000

const inquiryText = (name: string) =>
  prose(MAX_INQUIRY_LENGTH, name).check(z.minLength(1, `${name} must not be empty.`))

/** A question about personal data, as its form checks it and the wire carries it. */
export const InquiryDraft = z.strictObject({
  email: emailAddress,
  kind: z.enum(INQUIRY_KINDS, 'Please choose what it is about.'),
  message: inquiryText('Your message'),
})

/** A privacy inquiry as the desk lists it; the address is masked, and the answer goes there by mail. */
export const Inquiry = z.object({
  id: z.string(),
  kind: z.enum(INQUIRY_KINDS),
  /** Masked: `j…@mail.example`. Empty once the address was erased. */
  email: z.string(),
  /** When whoever reads that mailbox said that it was they who asked; null while nobody has. */
  confirmedAt: z.nullable(timestamp),
  /** Null for somebody without an account, or whose account has another address. */
  username: z.nullable(z.string()),
  message: z.string(),
  createdAt: timestamp,
  /** To be answered by then. */
  dueAt: timestamp,
  answeredAt: z.nullable(timestamp),
  answer: z.nullable(z.string()),
})
export type Inquiry = z.infer<typeof Inquiry>

/** How much is kept about an address without an account, kind by kind. */
export const AddressRecords = z.object({
  newsletter: z.int(),
  showAlerts: z.int(),
  verses: z.int(),
  /** Made without an account. They stay in the books without their buyer. */
  orders: z.int(),
  /** Of these: the parcel or the money is on its way, and the address with it until it has arrived. */
  ordersUnderWay: z.int(),
  mails: z.int(),
  inquiries: z.int(),
})
export type AddressRecords = z.infer<typeof AddressRecords>

/** What is kept about the address of an inquiry. `account`: whose name has that address, confirmed or not. */
export const AddressLookup = z.object({ found: AddressRecords, account: z.nullable(z.string()) })
export type AddressLookup = z.infer<typeof AddressLookup>

/** The same whole, as two files: the parts with their rows, and a page to read. */
export const AddressExport = z.object({ data: z.record(z.string(), z.unknown()), page: z.string() })
export type AddressExport = z.infer<typeof AddressExport>

/** The desk's receipt of an erased address. `letterSent`: false where mail to it comes back. */
export const AddressErasure = z.object({ erasedAt: timestamp, found: AddressRecords, letterSent: z.boolean() })
export type AddressErasure = z.infer<typeof AddressErasure>

/** The last run of one of the daily jobs. */
export const JobRun = z.object({
  /** What it does, in a few words. */
  job: z.string(),
  startedAt: timestamp,
  /** Rows that it changed, erased or wrote. */
  affected: z.int(),
  /** `more`: the run reached its bound, and goes on with the next five minutes. */
  state: z.enum(['done', 'more', 'failed']),
  /** The last time that it came to its end. */
  lastDoneAt: z.nullable(timestamp),
})
export type JobRun = z.infer<typeof JobRun>

export const privacyApi = {
  /** 202 whoever asks. */
  createInquiry: post('/api/privacy/inquiries', InquiryDraft, null),
  /** Open ones first, by the day they are due; then the answered, newest first. 50 a page, `?cursor=` in `Link`. */
  inquiries: get('/api/admin/privacy/inquiries', z.array(Inquiry), administrator),
  /** Mails the answer and closes the inquiry. 409 `conflict` for one that is answered; 404 `not_found`. */
  answer: post(
    '/api/admin/privacy/inquiries/:id/answer',
    z.strictObject({ answer: inquiryText('The answer') }),
    Inquiry,
    administrator,
  ),
  /** Whoever reads the mailbox says that it was they who asked. 400 `bad_token`. */
  confirm: post('/api/privacy/inquiries/confirm', LinkToken, z.object({ confirmed: z.literal(true) })),
  /** How much is kept about the address of an inquiry. 404 `not_found`; 409 `conflict` once it was erased. */
  lookUpAddress: get('/api/admin/privacy/inquiries/:id/held', AddressLookup, administrator),
  /** All of it, to hand over; written down. Asks for a log-in of the last 15 minutes, as the next two do. */
  exportAddress: post('/api/admin/privacy/inquiries/:id/file', null, AddressExport, administrator),
  /** All of it by mail to the address itself; written down. */
  emailAddressExport: post('/api/admin/privacy/inquiries/:id/mail-file', null, null, administrator),
  /**
   * Erases the address and closes the inquiry. `shownOtherwise`: the administrator knows that the address is theirs,
   * though nobody has confirmed it from the mailbox. 409 `conflict` where neither is so, and while an account has it.
   */
  eraseAddress: post(
    '/api/admin/privacy/inquiries/:id/erase',
    z.strictObject({ shownOtherwise: z.boolean() }),
    AddressErasure,
    administrator,
  ),
  /** One row a job, in the order in which they run. */
  jobs: get('/api/admin/privacy/jobs', z.array(JobRun), administrator),
}
