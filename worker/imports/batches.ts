import { createHmac } from 'node:crypto'
import { type ImportCounts, type ImportKind, importKindDefinition } from '../contract/imports'
import type { Db } from '../db/client'
import type { Deps } from '../deps'
import type { Millis } from '../lib/clock'
import { suppressionHash } from '../lib/keyed-hashes'
import { consentVersionOf, entryKey, type ParsedRow } from './parse-rows'
import type { CsvPosition } from './read-csv'

/** The current step of an import: dry run, import or undo. */
export type ImportStep = {
  id: string
  kind: ImportKind
  /** A dry run records outcomes and changes nothing else. */
  isDryRun: boolean
  stepId: string
  /** When the real run began, also in its undo: the timestamp of what it added. A dry run does not use it. */
  startedAt: Millis
}

/**
 * SQL condition of every statement of a batch: the step was not started again, and no other worker has processed the
 * batch. ?1 is the import, ?2 the id of the step (column `run`), ?3 the cursor before the batch.
 */
const IS_CURRENT = 'EXISTS (SELECT 1 FROM imports WHERE id = ?1 AND run = ?2 AND cursor = ?3)'

/** The rows of a batch as a table. ?4 is the batch as JSON. */
const CONTACT_ROWS = `(SELECT value ->> '$.row' AS row, value ->> '$.action' AS action, value ->> '$.reason' AS reason,
  value ->> '$.key' AS email_key, value ->> '$.hash' AS hash, value ->> '$.entry' AS entry,
  value ->> '$.suppressedAt' AS suppressed_at, value AS json
  FROM json_each(?4))`

const SKIPPED_ROWS = `SELECT value ->> '$.row' AS row, 'skipped' AS outcome, value ->> '$.reason' AS reason, value ->> '$.value' AS value,
  NULL AS entry, NULL AS suppression_hash, NULL AS subscriber_id FROM json_each(?4) WHERE value ->> '$.action' = 'skip'`

/** SQL condition: an earlier batch of this step had the entry. */
const isDuplicate = (entry: string) =>
  `EXISTS (SELECT 1 FROM import_rows earlier WHERE earlier.import_id = ?1 AND earlier.entry_hash = ${entry})`

/** SQL that records the outcome of each row in file order, which is the order of the report. */
const recordOutcomes = (outcomes: string) => `
  INSERT INTO import_rows (import_id, row, outcome, reason, value, entry_hash, suppression_hash, subscriber_id)
  SELECT ?1, row, outcome, reason, value, entry, suppression_hash, subscriber_id FROM (${outcomes} UNION ALL ${SKIPPED_ROWS})
  WHERE ${IS_CURRENT} ORDER BY row`

// Table names are historical: `mail_stops` has suppressions, `suppressions` the hashes of erased addresses.

/**
 * ?5: the platform. An import unsubscribes an existing subscriber only if they unsubscribed on the platform after their
 * consent here, or if the consent came from the same platform.
 */
const RECORD_CONTACTS = recordOutcomes(`
  SELECT row, outcome,
    CASE WHEN outcome IN ('suppressed', 'unsubscribed', 'subscribed') THEN NULL
      WHEN outcome = 'skipped' THEN skip_reason ELSE contact_reason END AS reason,
    NULL AS value, iif(skip_reason = 'duplicate', NULL, entry) AS entry,
    iif(outcome IN ('suppressed', 'unsubscribed') AND suppressed_for IS NULL, hash, NULL) AS suppression_hash,
    iif(outcome = 'unsubscribed', subscriber_id, NULL) AS subscriber_id
  FROM (
    SELECT row, hash, entry, suppressed_for, subscriber_id,
      CASE
        WHEN repeated OR erased THEN 'skipped'
        WHEN action = 'suppress' AND subscriber_state = 'confirmed' AND consent_at <= suppressed_at THEN 'unsubscribed'
        -- The platform that reported the consent revokes it, even without a readable time.
        WHEN (action = 'suppress' AND suppressed_at = 0 OR reason = 'not_accepted') AND subscriber_state = 'confirmed'
          AND consent_version = 'import-' || ?5 THEN 'unsubscribed'
        WHEN action = 'suppress' AND (suppressed_for IS NOT NULL OR subscriber_state IN ('confirmed', 'pending')) THEN 'skipped'
        WHEN action = 'suppress' THEN 'suppressed'
        WHEN action = 'subscribe' AND suppressed_for IS NULL AND subscriber_state IS NULL THEN 'subscribed'
        WHEN contact_id IS NULL THEN 'contact'
        ELSE 'skipped'
      END AS outcome,
      CASE
        WHEN repeated THEN 'duplicate'
        WHEN erased THEN 'erased'
        WHEN action = 'suppress' AND suppressed_for IS NOT NULL THEN 'already_suppressed'
        WHEN action = 'suppress' THEN 'subscribed_later'
        ELSE 'known'
      END AS skip_reason,
      CASE
        WHEN action = 'contact' THEN reason
        WHEN suppressed_for IS NOT NULL THEN 'stopped'
        WHEN subscriber_state = 'unsubscribed' THEN 'left_here'
        WHEN subscriber_state = 'pending' THEN 'waiting_here'
        ELSE 'subscribed_here'
      END AS contact_reason
    FROM (
      SELECT parsed.row, parsed.action, parsed.reason, parsed.hash, parsed.entry, ${isDuplicate('parsed.entry')} AS repeated,
        parsed.suppressed_at, suppression.reason AS suppressed_for, erasure.hash IS NOT NULL AS erased,
        subscriber.id AS subscriber_id, subscriber.state AS subscriber_state, subscriber.consent_at, subscriber.consent_version,
        contact.id AS contact_id
      FROM ${CONTACT_ROWS} parsed
      LEFT JOIN mail_stops suppression ON suppression.hash = parsed.hash
      LEFT JOIN suppressions erasure ON erasure.hash = parsed.hash
      LEFT JOIN subscribers subscriber ON subscriber.email_key = parsed.email_key
      LEFT JOIN contacts contact ON contact.source = ?5 AND contact.email_key = parsed.email_key
      WHERE parsed.action <> 'skip'))`)

/**
 * FROM clause: the rows of this batch that were recorded with one of these outcomes. CROSS JOIN makes SQLite look up
 * each row by key.
 */
const withOutcome = (...outcomes: string[]) =>
  `${CONTACT_ROWS} parsed CROSS JOIN import_rows recorded ON recorded.import_id = ?1 AND recorded.row = parsed.row
    AND recorded.outcome IN (${outcomes.map((outcome) => `'${outcome}'`).join(', ')})`

/** ?6: timestamp of everything that the import adds. */
const ADD_CONTACTS = `
  INSERT INTO contacts (id, source, email, email_key, name, country, tier, member_status, lifetime_cents, currency,
    purchases, since, import_id, created_at)
  SELECT 'contact_' || ?1 || '_' || parsed.row, ?5, json ->> '$.email', parsed.email_key, json ->> '$.name', json ->> '$.country',
    json ->> '$.tier', json ->> '$.memberStatus', json ->> '$.lifetimeCents', json ->> '$.currency',
    json ->> '$.purchases', json ->> '$.since', ?1, ?6
  FROM ${withOutcome('subscribed', 'contact')}
  WHERE ${IS_CURRENT} ON CONFLICT (source, email_key) DO NOTHING`

/** ?7: version of the consent. */
const ADD_SUBSCRIBERS = `
  INSERT INTO subscribers (id, email, email_key, state, consent_version, consent_at, confirmed_at, created_at)
  SELECT 'sub_' || ?1 || '_' || parsed.row, json ->> '$.email', parsed.email_key, 'confirmed', ?7, json ->> '$.consentAt',
    json ->> '$.confirmedAt', ?6
  FROM ${withOutcome('subscribed')} WHERE ${IS_CURRENT}`

const ADD_SUPPRESSIONS = `
  INSERT INTO mail_stops (hash, reason, mail_id, created_at)
  SELECT recorded.suppression_hash, coalesce(json ->> '$.suppression', 'unsubscribed'), NULL, ?6
  FROM ${withOutcome('suppressed', 'unsubscribed')}
  WHERE recorded.suppression_hash IS NOT NULL AND ${IS_CURRENT}`

const UNSUBSCRIBE = `
  UPDATE subscribers SET state = 'unsubscribed', unsubscribed_at = ?6
  WHERE id IN (SELECT recorded.subscriber_id FROM ${withOutcome('unsubscribed')}) AND state = 'confirmed'
    AND ${IS_CURRENT}`

const RECORD_SALES = recordOutcomes(`
  SELECT row, iif(repeated OR known, 'skipped', 'sale') AS outcome,
    CASE WHEN repeated THEN 'duplicate' WHEN known THEN 'known' END AS reason, NULL AS value,
    iif(repeated, NULL, entry) AS entry, NULL AS suppression_hash, NULL AS subscriber_id
  FROM (
    SELECT sale.value ->> '$.row' AS row, sale.value ->> '$.entry' AS entry, known.id IS NOT NULL AS known,
      ${isDuplicate("sale.value ->> '$.entry'")} AS repeated
    FROM json_each(?4) sale
    LEFT JOIN imported_sales known ON known.source = ?5 AND known.external_id = sale.value ->> '$.externalId'
    WHERE sale.value ->> '$.action' = 'sale')`)

/** The sale of an erased buyer is added without name and address. */
const ADD_SALES = `
  INSERT INTO imported_sales (id, source, external_id, email, email_key, buyer, country, item, quantity, amount_cents,
    currency, sold_at, import_id, created_at)
  SELECT 'sale_' || ?1 || '_' || recorded.row, ?5, sale.value ->> '$.externalId', iif(erasure.hash IS NULL, sale.value ->> '$.email', NULL),
    iif(erasure.hash IS NULL, sale.value ->> '$.key', NULL), iif(erasure.hash IS NULL, sale.value ->> '$.buyer', NULL), sale.value ->> '$.country',
    sale.value ->> '$.item', sale.value ->> '$.quantity', sale.value ->> '$.amountCents', sale.value ->> '$.currency', sale.value ->> '$.soldAt',
    ?1, ?6
  FROM json_each(?4) sale CROSS JOIN import_rows recorded ON recorded.import_id = ?1 AND recorded.row = sale.value ->> '$.row' AND recorded.outcome = 'sale'
  LEFT JOIN suppressions erasure ON erasure.hash = sale.value ->> '$.hash'
  WHERE ${IS_CURRENT}`

/** Ends a batch. ?4: the cursor after it; ?5: the current time; ?6: position of the next batch, JSON or null. */
const SAVE_CURSOR =
  'UPDATE imports SET cursor = ?4, updated_at = ?5, position = ?6 WHERE id = ?1 AND run = ?2 AND cursor = ?3'

type Batch = {
  rows: readonly ParsedRow[]
  /** Number of the last row before the batch. */
  from: number
  /** Number of the last row of the batch. */
  to: number
  /** Position of the next batch. */
  next: CsvPosition | null
  at: Millis
}

const ENTRY_HASH_CHARS = 22
/** Keyed hash of an entry. It depends on the step, so that the hashes of two files cannot be compared. */
const entryHash = (secret: string, stepId: string, entry: string | null): string | null =>
  entry &&
  createHmac('sha256', secret)
    .update(`import entry\0${stepId}\0${entry}`)
    .digest('base64url')
    .slice(0, ENTRY_HASH_CHARS)

/**
 * Processes one batch in one transaction: records the outcome of each row and, except in a dry run, imports the row.
 * Returns false without changes if another worker processed the batch or the step was started again.
 */
export async function applyBatch(
  { db, secret }: Pick<Deps, 'db' | 'secret'>,
  step: ImportStep,
  { rows, from, to, next, at }: Batch,
): Promise<boolean> {
  const { source, rows: rowType } = importKindDefinition(step.kind)
  const payload = JSON.stringify(
    await Promise.all(
      rows.map(async (row) => ({
        ...row,
        entry: entryHash(secret, step.stepId, entryKey(row)),
        hash: 'key' in row && row.key !== null ? await suppressionHash(secret, row.key) : null,
      })),
    ),
  )
  const statement = (sql: string, ...values: (string | number | null)[]) =>
    db.$client.prepare(sql).bind(step.id, step.stepId, from, ...values)
  const additions =
    rowType === 'contacts'
      ? [
          statement(ADD_CONTACTS, payload, source, step.startedAt),
          statement(ADD_SUBSCRIBERS, payload, source, step.startedAt, consentVersionOf(source)),
          statement(ADD_SUPPRESSIONS, payload, source, step.startedAt),
          statement(UNSUBSCRIBE, payload, source, step.startedAt),
        ]
      : [statement(ADD_SALES, payload, source, step.startedAt)]
  const results = await db.$client.batch([
    statement(rowType === 'contacts' ? RECORD_CONTACTS : RECORD_SALES, payload, source),
    ...(step.isDryRun ? [] : additions),
    statement(SAVE_CURSOR, to, at, next && JSON.stringify(next)),
  ])
  return results.at(-1)?.meta.changes === 1
}

/**
 * SQL condition: rows of the batch to undo. ?3 is the row before the batch and ?4 its last row. In some statements
 * ?5 is when the import started.
 */
const ROWS_TO_UNDO = 'import_id = ?1 AND row > ?3 AND row <= ?4'
const ADDED_SUBSCRIBER_IDS = `SELECT 'sub_' || import_id || '_' || row FROM import_rows WHERE ${ROWS_TO_UNDO} AND outcome = 'subscribed'`

/** SQL condition: the import that added the subscriber is or was undone, so its consent is not restored. */
const IS_ADDING_IMPORT_UNDONE = `EXISTS (SELECT 1 FROM imports adding
  WHERE subscribers.consent_version GLOB 'import-*' AND subscribers.id GLOB 'sub_' || adding.id || '_*'
    AND (adding.state IN ('undoing', 'undone')
      OR EXISTS (SELECT 1 FROM import_rows WHERE import_rows.import_id = adding.id AND import_rows.undone IS NOT NULL
        AND import_rows.row = CAST(substr(subscribers.id, length('sub_' || adding.id || '_') + 1) AS integer))))`

const UNDO_STATEMENTS = [
  // Cancels waiting broadcast emails to the removed subscribers.
  `UPDATE outbox SET state = 'failed', last_error = 'The import was undone.' WHERE state = 'waiting' AND claimed_at IS NULL
    AND kind = 'broadcast' AND recipient IN (SELECT email FROM subscribers WHERE id IN (${ADDED_SUBSCRIBER_IDS}))
    AND ${IS_CURRENT}`,
  `DELETE FROM subscribers WHERE id IN (${ADDED_SUBSCRIBER_IDS}) AND state = 'confirmed' AND consent_version GLOB 'import-*'
    AND city IS NULL AND ${IS_CURRENT}`,
  `DELETE FROM contacts WHERE id IN (SELECT 'contact_' || import_id || '_' || row FROM import_rows WHERE ${ROWS_TO_UNDO})
    AND ${IS_CURRENT}`,
  `DELETE FROM imported_sales WHERE id IN (SELECT 'sale_' || import_id || '_' || row FROM import_rows WHERE ${ROWS_TO_UNDO})
    AND ${IS_CURRENT}`,
  `DELETE FROM mail_stops WHERE hash IN (SELECT suppression_hash FROM import_rows WHERE ${ROWS_TO_UNDO})
    AND reason IN ('unsubscribed', 'suppressed') AND mail_id IS NULL AND created_at = ?5 AND ${IS_CURRENT}`,
  `UPDATE subscribers SET state = 'confirmed', unsubscribed_at = NULL
    WHERE id IN (SELECT subscriber_id FROM import_rows WHERE ${ROWS_TO_UNDO})
    AND state = 'unsubscribed' AND unsubscribed_at = ?5 AND NOT ${IS_ADDING_IMPORT_UNDONE} AND ${IS_CURRENT}`,
  `UPDATE import_rows SET undone = coalesce(
      (SELECT iif(subscriber.state = 'unsubscribed', 'unsubscribed', 'changed') FROM subscribers subscriber
        WHERE import_rows.outcome = 'subscribed' AND subscriber.id = 'sub_' || import_rows.import_id || '_' || import_rows.row),
      (SELECT 'unsubscribed' FROM subscribers subscriber WHERE subscriber.id = import_rows.subscriber_id AND subscriber.state = 'unsubscribed'),
      (SELECT 'suppressed' FROM mail_stops suppression WHERE suppression.hash = import_rows.suppression_hash),
      'removed')
    WHERE ${ROWS_TO_UNDO} AND outcome <> 'skipped' AND ${IS_CURRENT}`,
]

/** Undoes one batch of rows. Returns false without changes as `applyBatch` does. */
export async function undoBatch(
  db: Db,
  step: Pick<ImportStep, 'id' | 'stepId' | 'startedAt'>,
  { from, to, at }: Omit<Batch, 'rows' | 'next'>,
): Promise<boolean> {
  const results = await db.$client.batch([
    ...UNDO_STATEMENTS.map((sql) =>
      db.$client.prepare(sql).bind(step.id, step.stepId, from, to, ...(sql.includes('?5') ? [step.startedAt] : [])),
    ),
    db.$client.prepare(SAVE_CURSOR).bind(step.id, step.stepId, from, to, at, null),
  ])
  return results.at(-1)?.meta.changes === 1
}

const COUNT_ROWS = `
  SELECT outcome, reason, undone, count(*) AS rows FROM import_rows WHERE import_id = ?1 GROUP BY outcome, reason, undone`

/** Counts an import's rows by outcome and reason, and after an undo those that it removed and left in place. */
export async function countRows(db: Db, id: string): Promise<ImportCounts> {
  type Group = {
    outcome: Exclude<keyof ImportCounts, 'reasons' | 'removed' | 'stays'>
    reason: string | null
    rows: number
  }
  const { results } = await db.$client.prepare(COUNT_ROWS).bind(id).all<Group & { undone: string | null }>()
  const counts: ImportCounts = {
    subscribed: 0,
    contact: 0,
    suppressed: 0,
    unsubscribed: 0,
    sale: 0,
    skipped: 0,
    reasons: {},
    removed: 0,
    stays: 0,
  }
  for (const { outcome, reason, undone, rows } of results) {
    counts[outcome] += rows
    if (reason !== null) counts.reasons[reason] = (counts.reasons[reason] ?? 0) + rows
    if (undone === 'removed') counts.removed += rows
    else if (undone !== null) counts.stays += rows
  }
  return counts
}
