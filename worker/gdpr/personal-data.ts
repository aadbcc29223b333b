import type { SQL } from 'drizzle-orm'
import type { Deps } from '../deps'
import type { DailyJob } from '../jobs/job-runs'
import type { Millis } from '../lib/clock'
import type { IdentityKeys } from '../lib/keyed-hashes'

/**
 * The person whose data is exported or erased: a user, or a visitor without an account who sent a privacy inquiry.
 * SQL members are subqueries of one column. They run inside the erasing transaction and so see its current state.
 */
export type DataSubject = {
  /** Null without an account. */
  userId: number | null
  /** The inquiry that this erasure answers; it stays as the receipt. Null for a user. */
  inquiryId: string | null
  at: Millis
  /** Confirmed address, normalized; no row while unconfirmed: anyone can sign up with someone else's address. */
  emailKey: SQL
  /** Confirmed address in lower case; SQLite folds A-Z only, `emailKey` folds every letter. */
  emailSpellings: SQL
  /** Keyed hashes of phone numbers. */
  phoneHashes: SQL
  /** What survives in keyed hashes, such as a used trial. */
  identity: IdentityKeys
}

export type UserSubject = DataSubject & { userId: number }

/** Rows as they stand in the export file, by the name of their part. */
export type ExportParts = Record<string, SQL | Promise<unknown[]>>
export type PersonalDataDeps = Pick<Deps, 'db' | 'secret'>

/**
 * What a feature stores about people; gdpr/registry.ts lists one per feature. Erasing statements end in a WHERE clause,
 * because `AND <guard>` is appended to each. They run before the user's row or the inquiry is emptied.
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
