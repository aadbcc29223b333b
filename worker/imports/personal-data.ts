import { sql } from 'drizzle-orm'
import { RETENTION } from '../contract/retention'
import { type BatchResult, processDueRows } from '../db/cleanup-batches'
import type { Deps } from '../deps'
import type { PersonalData } from '../gdpr/personal-data'
import type { Millis } from '../lib/clock'
import { deleteOldReports } from './cleanup'

const BATCH_SIZE = 500

export const personalData: PersonalData = {
  name: 'imports',
  byAddress: {
    counts: ({ emailKey }) => ({
      contacts: sql`SELECT count(*) FROM contacts WHERE email_key IN (${emailKey})`,
      importedSales: sql`SELECT count(*) FROM imported_sales WHERE email_key IN (${emailKey})`,
    }),
    export: ({ emailKey }) => ({
      contacts: sql`SELECT source, email, name, country, tier, member_status, lifetime_cents, currency, purchases, since,
        created_at FROM contacts WHERE email_key IN (${emailKey}) ORDER BY source`,
      importedSales: sql`SELECT source, email, buyer, country, item, quantity, amount_cents, currency, sold_at
        FROM imported_sales WHERE email_key IN (${emailKey}) ORDER BY sold_at`,
    }),
    /** Sales remain without the buyer. Files of pending imports expire, because they may contain the address. */
    erase: ({ emailKey, at }) => [
      sql`DELETE FROM contacts WHERE email_key IN (${emailKey})`,
      sql`UPDATE imported_sales SET email = NULL, email_key = NULL, buyer = NULL WHERE email_key IN (${emailKey})`,
      sql`UPDATE imports SET file_expires_at = ${at} WHERE file_expires_at > ${at}`,
    ],
  },
  retention: [
    { name: 'Delete old contacts', step: deleteOldContacts },
    { name: 'Delete buyers of old imported sales', step: deleteOldBuyers },
    { name: 'Delete reports of old imports', step: deleteOldReports },
  ],
}

function deleteOldContacts({ db }: Pick<Deps, 'db'>, at: Millis): Promise<BatchResult> {
  return processDueRows(db, {
    due: 'SELECT id, created_at AS since FROM contacts WHERE created_at <= ?1 ORDER BY created_at',
    months: RETENTION.contactMonths,
    at,
    size: BATCH_SIZE,
    change: ['DELETE FROM contacts WHERE id IN (SELECT value FROM json_each(?1))'],
  })
}

function deleteOldBuyers({ db }: Pick<Deps, 'db'>, at: Millis): Promise<BatchResult> {
  return processDueRows(db, {
    due: `SELECT id, sold_at AS since FROM imported_sales
      WHERE sold_at <= ?1 AND (email_key IS NOT NULL OR buyer IS NOT NULL) ORDER BY sold_at`,
    months: RETENTION.transactionMonths,
    at,
    size: BATCH_SIZE,
    change: [
      `UPDATE imported_sales SET email = NULL, email_key = NULL, buyer = NULL
       WHERE id IN (SELECT value FROM json_each(?1))`,
    ],
  })
}
