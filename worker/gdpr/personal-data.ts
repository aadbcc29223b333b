import type { SQL } from 'drizzle-orm'
import type { Deps } from '../deps'
import type { DailyJob } from '../jobs/job-runs'
import type { Millis } from '../lib/clock'
import type { IdentityKeys } from '../lib/keyed-hashes'

/**
 * The subject of an export or erasure: a user, or a visitor who sent a privacy inquiry. SQL members are one-column
 * subqueries that run inside the erasing transaction.
 */
export type DataSubject = {
  /** Null without an account. */
  userId: number | null
  /** The inquiry that requests the export or erasure; its row remains, for the audit log. Null for a user. */
  inquiryId: string | null
  at: Millis
  /** Normalized address. No row for an unconfirmed user, because anyone can sign up with someone else's address. */
  emailKey: SQL
  /** The normalized address, and its spellings as SQLite's `lower()` returns them, which changes only A-Z. */
  emailSpellings: SQL
  /** Keyed hashes of phone numbers. */
  phoneHashes: SQL
  /** Input of hashes that outlive the erasure, such as that of a used trial. */
  identity: IdentityKeys
}

export type UserSubject = DataSubject & { userId: number }

/** Rows of the export file by part name. */
export type ExportParts = Record<string, SQL | Promise<unknown[]>>
export type PersonalDataDeps = Pick<Deps, 'db' | 'secret'>

/**
 * A feature's personal data, listed in gdpr/personal-data-registry.ts. Erasing statements end in a WHERE clause
 * (`withGuard` appends to it) and run before the user's row or the inquiry is emptied.
 */
export type PersonalData = {
  name: string
  /** Data found by the id of a user. */
  export?: (user: UserSubject, deps: PersonalDataDeps) => ExportParts | Promise<ExportParts>
  erase?: (user: UserSubject, deps: PersonalDataDeps) => SQL[] | Promise<SQL[]>
  /** Data found by a confirmed address, with or without an account. */
  byAddress?: {
    /** Scalar queries by the field of `AddressRecords` that they fill. */
    counts?: (subject: DataSubject) => Record<string, SQL>
    export?: (subject: DataSubject) => ExportParts
    erase: (subject: DataSubject) => SQL[]
  }
  /** Daily jobs that apply the retention periods of the privacy policy. */
  retention?: DailyJob[]
}
