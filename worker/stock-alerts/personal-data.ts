import { sql } from 'drizzle-orm'
import { RETENTION } from '../contract/retention'
import type { DataSubject, PersonalData } from '../gdpr/personal-data'
import { DAY_MS } from '../lib/clock'
import { deleteOldStockAlerts } from './stock-alerts'

const alertsOf = ({ emailKey }: DataSubject) => sql`stock_alerts WHERE email_key IN (${emailKey})`

export const personalData: PersonalData = {
  name: 'stock-alerts',
  byAddress: {
    counts: (subject) => ({ stockAlerts: sql`SELECT count(*) FROM ${alertsOf(subject)}` }),
    export: (subject) => ({
      stockAlerts: sql`SELECT products.name AS product, product_variants.name AS variant, stock_alerts.email, confirmed_at, created_at
        FROM stock_alerts JOIN product_variants ON product_variants.id = stock_alerts.variant_id
        JOIN products ON products.id = product_variants.product_id WHERE stock_alerts.email_key IN (${subject.emailKey})
        ORDER BY created_at`,
    }),
    erase: (subject) => [sql`DELETE FROM ${alertsOf(subject)}`],
  },
  retention: [
    {
      name: 'Delete old stock alerts',
      step: ({ db }, at) =>
        deleteOldStockAlerts(db, {
          unconfirmedBefore: at - RETENTION.unconfirmedDays * DAY_MS,
          confirmedBefore: at - RETENTION.stockAlertDays * DAY_MS,
        }),
    },
  ],
}
