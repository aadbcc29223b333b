import * as z from 'zod/mini'
import { INQUIRY_KINDS, MAX_INQUIRY_LENGTH } from './draft-rules'
import { InquiryDraft } from './drafts'
import { get, listQuery, managers, owners, post, visitor } from './endpoint'
import { prose, timestamp } from './fields'
import { LinkToken } from './newsletter'

const answer = prose(MAX_INQUIRY_LENGTH, 'The answer').check(z.minLength(1, 'The answer is required.'))

/** A privacy inquiry; its answer is emailed to the masked address. */
export const Inquiry = z.object({
  id: z.string(),
  kind: z.enum(INQUIRY_KINDS),
  /** Masked: `j…@mail.example`. Empty once erased. */
  email: z.string(),
  /** When the mailbox owner confirmed the inquiry; null before. */
  confirmedAt: z.nullable(timestamp),
  /** Null unless an account has confirmed this address. */
  username: z.nullable(z.string()),
  message: z.string(),
  createdAt: timestamp,
  dueAt: timestamp,
  answeredAt: z.nullable(timestamp),
  answer: z.nullable(z.string()),
})
export type Inquiry = z.infer<typeof Inquiry>

/** `reminded`: admins got an email that it is due. `read`, `emailed`, `erased`: what an admin did with the data. */
export const InquiryEvent = z.object({
  kind: z.enum(['received', 'confirmed', 'reminded', 'read', 'emailed', 'erased', 'answered']),
  /** Username of the admin; null if no admin did it, or once erased. */
  actor: z.nullable(z.string()),
  at: timestamp,
})
export type InquiryEvent = z.infer<typeof InquiryEvent>

export const InquiryRecord = z.extend(Inquiry, {
  /** Oldest first. */
  events: z.array(InquiryEvent),
  /** The newest other inquiries from the same address. */
  others: z.array(
    z.object({
      id: z.string(),
      kind: z.enum(INQUIRY_KINDS),
      createdAt: timestamp,
      answeredAt: z.nullable(timestamp),
    }),
  ),
})
export type InquiryRecord = z.infer<typeof InquiryRecord>

/** Number of records per kind found by the address, with or without an account. */
export const AddressRecords = z.object({
  newsletter: z.int(),
  showAlerts: z.int(),
  stockAlerts: z.int(),
  verses: z.int(),
  /** Guest orders; retained without buyer data after erasure. */
  orders: z.int(),
  /** Of these, orders with a shipment or refund in progress, which retain the address. */
  ordersUnderWay: z.int(),
  mails: z.int(),
  /** Including the inquiry itself. */
  inquiries: z.int(),
  /** Contacts imported from other platforms; their sales are retained without the buyer. */
  contacts: z.int(),
  importedSales: z.int(),
})
export type AddressRecords = z.infer<typeof AddressRecords>

/** `account`: username of the account with this address, which the account may not have confirmed. */
export const AddressLookup = z.object({ found: AddressRecords, account: z.nullable(z.string()) })
export type AddressLookup = z.infer<typeof AddressLookup>

/** The same data as JSON and as an HTML page. */
export const AddressExport = z.object({ data: z.record(z.string(), z.unknown()), page: z.string() })
export type AddressExport = z.infer<typeof AddressExport>

/** `letterSent`: false if the address bounces. */
export const AddressErasure = z.object({ erasedAt: timestamp, found: AddressRecords, letterSent: z.boolean() })
export type AddressErasure = z.infer<typeof AddressErasure>

/** The last run of a daily job. */
export const JobRun = z.object({
  job: z.string(),
  startedAt: timestamp,
  /** Rows changed, deleted or written. */
  affected: z.int(),
  /** `more`: the run reached its limit and continues within five minutes. */
  state: z.enum(['done', 'more', 'failed']),
  /** Start of the last run that completed. */
  lastDoneAt: z.nullable(timestamp),
})
export type JobRun = z.infer<typeof JobRun>

export const privacyApi = {
  createInquiry: post('/api/privacy/inquiries', InquiryDraft, null, {
    ...visitor,
    description: '202 whether or not anything is stored about the address. 429 after too many inquiries in a day.',
    status: 202,
  }),
  inquiries: get('/api/admin/privacy/inquiries', z.array(Inquiry), {
    ...managers,
    description:
      'Open ones first, by due date; then answered, newest first. 50 per page; `?q=` searches question and answer. Filters `state` (open, overdue, answered), `kind`, `received`; sorts `queue`, `received`.',
    query: listQuery('id', 'state', 'kind', 'received'),
  }),
  inquiry: get('/api/admin/privacy/inquiries/:id', InquiryRecord, { ...managers, description: '404 `not_found`.' }),
  answer: post('/api/admin/privacy/inquiries/:id/answer', z.strictObject({ answer }), Inquiry, {
    ...managers,
    description: 'Emails the answer and closes the inquiry. 409 `conflict` if answered; 404 `not_found`.',
  }),
  confirm: post('/api/privacy/inquiries/confirm', LinkToken, z.object({ confirmed: z.literal(true) }), {
    ...visitor,
    description: 'Confirms the inquiry from the mailbox. 400 `bad_token`.',
  }),
  lookUpAddress: get('/api/admin/privacy/inquiries/:id/held', AddressLookup, {
    ...managers,
    description: '404 `not_found`; 409 `conflict` once erased.',
  }),
  exportAddress: post('/api/admin/privacy/inquiries/:id/file', null, AddressExport, {
    ...managers,
    recentAuth: true,
    description:
      'Exports the data; audited. 409 `conflict` if the mailbox has not confirmed the inquiry, or once erased.',
  }),
  sendAddressExport: post('/api/admin/privacy/inquiries/:id/mail-file', null, null, {
    ...managers,
    recentAuth: true,
    description:
      'Emails the export to the address, once a day; audited. 409 `conflict` if already emailed today, if the address bounces, if the mailbox has not confirmed the inquiry, or once erased.',
    status: 202,
  }),
  eraseAddress: post(
    '/api/admin/privacy/inquiries/:id/erase',
    z.strictObject({ shownOtherwise: z.boolean() }),
    AddressErasure,
    {
      ...owners,
      recentAuth: true,
      description:
        'Erases the address and closes the inquiry. `shownOtherwise`: the sender proved in another way that the address is theirs. 409 `conflict` if that is false and the mailbox has not confirmed the inquiry, or if an account has the address.',
    },
  ),
  jobs: get('/api/admin/privacy/jobs', z.array(JobRun), { ...managers, description: 'One row per job, by name.' }),
}
