import { and, eq, gt, isNotNull, isNull, or, sql } from 'drizzle-orm'
import { productPath } from '../contract/products'
import { type BatchResult, batchResult } from '../db/cleanup-batches'
import type { Db } from '../db/client'
import type { Deps } from '../deps'
import { type FormUser, requestedEmailQuotas } from '../email/email-quotas'
import { createLinkToken, expiredLinkError, readLinkToken, unsubscribeLinks } from '../email/link-tokens'
import { enqueueEmail } from '../email/outbox'
import { AppError } from '../lib/app-error'
import type { Millis } from '../lib/clock'
import { newId } from '../lib/crypto'
import { normalizeKey } from '../lib/email'
import { enqueueListSignupEmail } from '../newsletter/newsletter'
import { variantsForSaleQuery, variantTitle } from '../products/products'
import { products, productVariants } from '../products/products.table'
import { readSiteName } from '../site/site'
import { backInStockEmail, confirmStockAlertEmail, existingStockAlertEmail } from './emails'
import { stockAlerts } from './stock-alerts.table'

type AlertDeps = Pick<Deps, 'db' | 'secret' | 'origin'>

/** Alerts that one run of a job emails or deletes. */
const BATCH_SIZE = 50

/** Key of an alert in its emailed link. Ids of variants contain no space. */
const alertKey = (emailKey: string, variantId: string): string => `${variantId} ${emailKey}`

/**
 * Stores an alert for a sold-out variant, and emails a confirmation link, or a notice that the alert is already active.
 * @throws AppError `not_found`; `conflict` while the variant is in stock.
 */
export async function addStockAlert(
  deps: AlertDeps,
  { variantId, email, at, ...user }: FormUser & { variantId: string; email: string; at: Millis },
): Promise<void> {
  const { db, secret, origin } = deps
  const [forSale] = await variantsForSaleQuery(db, { variantIds: [variantId] })
  if (!forSale) throw new AppError('not_found', 'That product is not sold here anymore.')
  const { variant, product } = forSale
  if (variant.stock === null || variant.stock > 0)
    throw new AppError('conflict', 'It is in stock again. Reload the page to order it.')
  const emailKey = normalizeKey(email)
  const key = alertKey(emailKey, variantId)
  const context = { siteName: await readSiteName(db), origin, product: variantTitle(product.name, variant.name) }
  const token = await createLinkToken(secret, 'stock-confirm', key, at)
  const unsubscribe = await unsubscribeLinks(deps, 'stock', emailKey)
  const quotas = await requestedEmailQuotas(deps, email, user)
  const isConfirmed = sql`(SELECT confirmed_at IS NOT NULL FROM stock_alerts
    WHERE email_key = ${emailKey} AND variant_id = ${variantId})`
  await db.$client.batch([
    db.$client
      .prepare(
        `INSERT INTO stock_alerts (id, variant_id, email, email_key, created_at) VALUES (?1, ?2, ?3, ?4, ?5)
         ON CONFLICT DO NOTHING`,
      )
      .bind(newId('stock'), variantId, email, emailKey, at),
    ...enqueueListSignupEmail(db, {
      to: email,
      email: confirmStockAlertEmail({ ...context, token }),
      key,
      when: sql`${isConfirmed} = 0`,
      at,
      quotas,
    }),
    ...enqueueListSignupEmail(db, {
      to: email,
      email: existingStockAlertEmail({ ...context, path: productPath(product.slug), unsubscribe }),
      key,
      when: sql`${isConfirmed} = 1`,
      at,
      quotas,
    }),
  ])
}

/** Activates an alert. Idempotent. @throws AppError `bad_token`, also for an alert that was deleted or sent. */
export async function confirmStockAlert({ db, secret }: AlertDeps, token: string, now: Millis): Promise<void> {
  const { key } = await readLinkToken(secret, 'stock-confirm', token, now)
  const space = key.indexOf(' ')
  const variantId = key.slice(0, space)
  const emailKey = key.slice(space + 1)
  const confirmed = await db
    .update(stockAlerts)
    .set({ confirmedAt: sql`coalesce(${stockAlerts.confirmedAt}, ${now})` })
    .where(and(eq(stockAlerts.emailKey, emailKey), eq(stockAlerts.variantId, variantId)))
    .returning({ id: stockAlerts.id })
  if (confirmed.length === 0) throw expiredLinkError()
}

/** Five-minute job: emails alerts of variants that are in stock again, oldest first, and deletes them in one batch. */
export async function sendDueStockAlerts(deps: AlertDeps, at: Millis): Promise<BatchResult> {
  const { db, origin } = deps
  const due = await db
    .select({
      id: stockAlerts.id,
      email: stockAlerts.email,
      emailKey: stockAlerts.emailKey,
      variantName: productVariants.name,
      productName: products.name,
      slug: products.slug,
    })
    .from(stockAlerts)
    .innerJoin(productVariants, eq(productVariants.id, stockAlerts.variantId))
    .innerJoin(products, eq(products.id, productVariants.productId))
    .where(
      and(
        isNotNull(stockAlerts.confirmedAt),
        or(isNull(productVariants.stock), gt(productVariants.stock, 0)),
        isNull(productVariants.removedAt),
        isNull(products.removedAt),
      ),
    )
    .orderBy(stockAlerts.createdAt)
    .limit(BATCH_SIZE)
  if (due.length === 0) return { affected: 0, more: false }
  const siteName = await readSiteName(db)
  const statements = await Promise.all(
    due.map(async (alert) => {
      const unsubscribe = await unsubscribeLinks(deps, 'stock', alert.emailKey)
      const email = backInStockEmail({
        siteName,
        origin,
        product: variantTitle(alert.productName, alert.variantName),
        path: productPath(alert.slug),
        unsubscribe,
      })
      return [
        db.$client.prepare('DELETE FROM stock_alerts WHERE id = ?1').bind(alert.id),
        // A concurrent run, or an unsubscribe, may have deleted the alert.
        enqueueEmail(db, { to: alert.email, email, dedupeKey: `stock_alert:${alert.id}`, at, ifChanged: true }),
      ]
    }),
  )
  await db.$client.batch(statements.flat())
  return { affected: due.length, more: due.length === BATCH_SIZE }
}

/** Deletes unconfirmed and confirmed alerts that were created before these times. */
export async function deleteOldStockAlerts(
  db: Db,
  { unconfirmedBefore, confirmedBefore }: { unconfirmedBefore: Millis; confirmedBefore: Millis },
): Promise<BatchResult> {
  const deleted = await db.$client
    .prepare(
      `DELETE FROM stock_alerts WHERE id IN (
         SELECT id FROM stock_alerts WHERE created_at <= ?1 AND (confirmed_at IS NULL OR created_at <= ?2)
         ORDER BY created_at LIMIT ${BATCH_SIZE}) RETURNING id`,
    )
    .bind(unconfirmedBefore, confirmedBefore)
    .all()
  return batchResult(deleted, BATCH_SIZE)
}
