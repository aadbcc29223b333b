import { sql } from 'drizzle-orm'
import { REDEMPTION_TTL_DAYS } from '../contract/download-codes'
import { DOWNLOAD_FORMATS, type Download, FORMAT_NAMES, type VariantFormats } from '../contract/downloads'
import type { Db } from '../db/client'
import { AppError } from '../lib/app-error'
import { DAY_MS, type Millis, toIso } from '../lib/clock'
import { signValue, verifySignedValue } from '../lib/crypto'
import { UNFULFILLABLE_REASONS_SQL } from '../orders/orders'
import { ON_NO_RELEASE_AT } from '../tracks/tracks'
import { downloadFiles } from './downloads.table'
import { containedVariants, type DigitalGoodId, GOOD_SQL, JOIN_GOOD } from './goods'
import { downloadKey } from './prepare'

// Whether a line is downloadable is computed from its order on each request and never stored.

// SQL conditions over an order `o` and its line `l`.

const LINE_TOTAL = 'l.quantity * l.unit_price_cents - l.discount_cents + iif(o.tax_included, 0, l.tax_cents)'
/** The refunds that did not fail are less than the line's total. */
const IS_NOT_FULLY_REFUNDED = `(o.refunded_cents <= o.failed_refund_cents
  OR o.refunded_cents - o.failed_refund_cents < ${LINE_TOTAL})`
const IS_PAID_WITHOUT_REFUND = `(o.status = 'paid' AND (o.refund_wanted_at IS NULL OR o.refund_refused_at IS NOT NULL))`
const HAS_NO_OPEN_OR_LOST_DISPUTE = 'coalesce(o.disputed_at, 0) <= coalesce(o.dispute_won_at, 0)'
/**
 * The refund failed, so the buyer may still download. Not for orders that could not be fulfilled (paid late, wrong
 * amount, sold out), nor while a dispute is open or after it was lost.
 */
const IS_PAID_WITH_FAILED_REFUND = `(o.status = 'refunded' AND o.paid_at IS NOT NULL AND o.refund_refused_at IS NOT NULL
  AND ${IS_NOT_FULLY_REFUNDED} AND coalesce(o.refund_reason, '') NOT IN ${UNFULFILLABLE_REASONS_SQL}
  AND ${HAS_NO_OPEN_OR_LOST_DISPUTE})`
/** Paid, and neither refunded nor being refunded. Failed refunds do not count. */
const IS_DOWNLOADABLE = `(l.refunded_quantity < l.quantity AND (${IS_PAID_WITHOUT_REFUND} OR ${IS_PAID_WITH_FAILED_REFUND}))`

/** SQL: when the good is released; 0 for a track that is on no release. */
const GOOD_OPENS_AT = `CASE WHEN t.id IS NULL THEN r.released_at WHEN t.released_at = ${ON_NO_RELEASE_AT} THEN 0 ELSE t.released_at END`

/** SQL: when the good of variant `v` of product `p` can be downloaded. */
const OPENS_AT = `max(coalesce(p.releases_at, 0), ${GOOD_OPENS_AT})`

const GOOD_COLUMNS =
  'coalesce(t.title, r.title) AS title, coalesce(t.artist, r.artist) AS artist, coalesce(t.cover_url, r.cover_url) AS cover'

const BOUGHT_GOODS = `
  SELECT l.id AS line, ${GOOD_SQL} AS good, ${GOOD_COLUMNS}, ${OPENS_AT} AS opens_at, ${IS_DOWNLOADABLE} AS is_downloadable, o.paid_at AS paid_at, l.position AS position
  FROM orders o JOIN order_lines l ON l.order_id = o.id
    JOIN product_variants v ON v.id IN ${containedVariants('l.variant_id')}
    JOIN products p ON p.id = v.product_id ${JOIN_GOOD}
  WHERE (t.id IS NOT NULL OR r.id IS NOT NULL)`

type GoodRow = {
  /** Id of the order line, or CODE_PREFIX and the hash of the code. */
  line: string
  good: DigitalGoodId
  title: string
  artist: string
  cover: string
  opens_at: Millis
  is_downloadable: number
}

/** For goods of a redeemed code, `line` is this prefix and the code's hash. */
const CODE_PREFIX = 'code:'

/**
 * SQL: goods of the redeemed codes that match a condition. An account may download without limit, a browser for
 * REDEMPTION_TTL_DAYS; ?2 is `oldestValidRedemption`.
 */
const selectCodeGoods = (condition: string) => `
  SELECT '${CODE_PREFIX}' || c.hash AS line, b.good AS good, ${GOOD_COLUMNS}, ${GOOD_OPENS_AT} AS opens_at,
    (c.user_id IS NOT NULL OR coalesce(c.redeemed_at > ?2, 0)) AS is_downloadable
  FROM download_codes c JOIN download_code_batches b ON b.id = c.batch_id
    LEFT JOIN releases r ON b.good LIKE 'release:%' AND r.id = substr(b.good, 9)
    LEFT JOIN tracks t ON b.good LIKE 'track:%' AND t.id = CAST(substr(b.good, 7) AS INTEGER)
  WHERE ${condition}`
const GOODS_OF_CODE = selectCodeGoods('c.hash = ?1')

/** Redemptions after this time may still be downloaded by their browser. */
export const oldestValidRedemption = (at: Millis): Millis => at - REDEMPTION_TTL_DAYS * DAY_MS

/** Downloads of a code. The caller must check that this browser redeemed the code. */
export async function listCodeDownloads(deps: ReadDeps, hash: string): Promise<Download[]> {
  const { results } = await deps.db.$client
    .prepare(GOODS_OF_CODE)
    .bind(hash, oldestValidRedemption(deps.at))
    .all<GoodRow>()
  return toDownloads(deps, results)
}

type ReadDeps = { db: Db; secret: string; at: Millis }

const readBoughtGoods = async (db: Db, condition: string, value: string | number) =>
  (
    await db.$client
      .prepare(`${BOUGHT_GOODS} AND ${condition} AND is_downloadable ORDER BY o.paid_at DESC, l.position, v.position`)
      .bind(value)
      .all<GoodRow>()
  ).results

/** Downloads of an order's lines. The caller must check access to the order. */
export const listOrderDownloads = async (deps: ReadDeps, orderId: string): Promise<Download[]> =>
  toDownloads(deps, await readBoughtGoods(deps.db, 'o.id = ?1', orderId))

/** All downloads of an account: bought goods, then those of redeemed codes. */
export async function listLibrary(deps: ReadDeps, userId: number): Promise<Download[]> {
  const bought = await readBoughtGoods(deps.db, 'o.user_id = ?1', userId)
  const { results: redeemed } = await deps.db.$client
    .prepare(`${selectCodeGoods('c.user_id = ?1')} ORDER BY c.redeemed_at DESC`)
    .bind(userId, oldestValidRedemption(deps.at))
    .all<GoodRow>()
  return toDownloads(deps, [...bought, ...redeemed])
}

type FileRow = Pick<typeof downloadFiles.$inferSelect, 'id' | 'good' | 'format' | 'state' | 'sizeBytes'>

/** Current files of some goods. A format whose new file is not complete also has its previous one. */
const readFiles = (db: Db, goods: readonly DigitalGoodId[]): Promise<FileRow[]> =>
  db
    .select({
      id: downloadFiles.id,
      good: downloadFiles.good,
      format: downloadFiles.format,
      state: downloadFiles.state,
      sizeBytes: downloadFiles.sizeBytes,
    })
    .from(downloadFiles)
    .where(
      sql`${downloadFiles.supersededAt} IS NULL AND ${downloadFiles.good} IN (SELECT value FROM json_each(${JSON.stringify(goods)}))`,
    )

/** A good's complete files and the formats whose first file is still being prepared, both in DOWNLOAD_FORMATS order. */
function filesByFormat(files: readonly FileRow[], good: DigitalGoodId) {
  const goodFiles = files.filter((file) => file.good === good)
  const readyFiles = DOWNLOAD_FORMATS.flatMap((format) => {
    const file = goodFiles.find((other) => other.format === format && other.state === 'ready')
    return file ? [{ ...file, sizeBytes: file.sizeBytes ?? 0 }] : []
  })
  const preparing = DOWNLOAD_FORMATS.filter(
    (format) => goodFiles.some((file) => file.format === format) && !readyFiles.some((file) => file.format === format),
  )
  return { ready: readyFiles, preparing }
}

async function toDownloads({ db, secret, at }: ReadDeps, rows: readonly GoodRow[]): Promise<Download[]> {
  // A good that was bought or redeemed twice is listed once.
  const goods = [...new Map(rows.toReversed().map((row) => [row.good, row])).values()].toReversed()
  const files = await readFiles(
    db,
    goods.map(({ good }) => good),
  )
  return Promise.all(
    goods.map(async ({ line, good, title, artist, cover, opens_at }): Promise<Download> => {
      const isOpen = opens_at <= at
      const { ready, preparing } = isOpen ? filesByFormat(files, good) : { ready: [], preparing: [] }
      return {
        title,
        artist,
        coverUrl: cover,
        kind: good.startsWith('track:') ? 'track' : 'release',
        formats: await Promise.all(
          ready.map(async ({ id, format, sizeBytes }) => ({
            name: FORMAT_NAMES[format],
            sizeBytes,
            url: await downloadUrl(secret, { line, fileId: id, at }),
          })),
        ),
        preparing: preparing.map((format) => FORMAT_NAMES[format]),
        opensAt: isOpen ? null : toIso(opens_at),
      }
    }),
  )
}

/** Formats of each variant that sells a release or track; of a bundle, those of its first good. */
export async function listVariantFormats(db: Db): Promise<VariantFormats[]> {
  const sold = await db.all<{ variantId: string; good: DigitalGoodId }>(
    sql.raw(`
      SELECT product_variants.id AS variantId, ${GOOD_SQL} AS good FROM product_variants
        JOIN products ON products.id = product_variants.product_id
        JOIN product_variants v ON v.id IN ${containedVariants('product_variants.id')} ${JOIN_GOOD}
      WHERE (t.id IS NOT NULL OR r.id IS NOT NULL) AND product_variants.removed_at IS NULL AND products.removed_at IS NULL
      ORDER BY product_variants.product_id, product_variants.position, v.position`),
  )
  const files = await readFiles(
    db,
    sold.map(({ good }) => good),
  )
  return [...Map.groupBy(sold, ({ variantId }) => variantId)].map(([variantId, [first, ...others]]) => {
    const { ready, preparing } = filesByFormat(files, first?.good ?? '')
    const isOnlyGood = others.length === 0
    const formats = [...ready, ...preparing.map((format) => ({ format, sizeBytes: null }))]
    return {
      variantId,
      formats: DOWNLOAD_FORMATS.flatMap((format) => formats.filter((other) => other.format === format)).map(
        // A bundle of several releases has no single size.
        ({ format, sizeBytes }) => ({ name: FORMAT_NAMES[format], sizeBytes: isOnlyGood ? sizeBytes : null }),
      ),
    }
  })
}

const LINK_TTL_MS: Millis = DAY_MS
const LINK_PURPOSE = 'download'

/** Signed link to a file, for an order line or a redeemed code. */
async function downloadUrl(
  secret: string,
  { line, fileId, at }: { line: string; fileId: string; at: Millis },
): Promise<string> {
  return `/api/downloads/${await signValue(secret, LINK_PURPOSE, `${line}.${fileId}.${at + LINK_TTL_MS}`)}`
}

/**
 * R2 key and name of the file that a link leads to.
 * @throws AppError `bad_token` for a modified or expired link, `closed` for a refunded or disputed line or a code whose
 *   REDEMPTION_TTL_DAYS are over, `not_found` for a file that was deleted or whose release was postponed.
 */
export async function findDownload(
  { db, secret, at }: ReadDeps,
  token: string,
): Promise<{ key: string; fileName: string }> {
  const value = await verifySignedValue(secret, LINK_PURPOSE, token)
  const [line = '', fileId = '', expiresAt = ''] = value?.split('.') ?? []
  if (value === null || Number(expiresAt) <= at)
    throw new AppError(
      'bad_token',
      'This link no longer works. Open your receipt or library, or enter your code again, for a new one.',
    )
  const isCode = line.startsWith(CODE_PREFIX)
  const goods = isCode ? GOODS_OF_CODE : `${BOUGHT_GOODS} AND l.id = ?1`
  const found = await db.$client
    .prepare(
      `SELECT f.file_name AS fileName, g.is_downloadable AS isDownloadable
       FROM (${goods}) g
       JOIN download_files f ON f.good = g.good WHERE f.id = ?3 AND f.state = 'ready' AND g.opens_at <= ?4`,
    )
    .bind(isCode ? line.slice(CODE_PREFIX.length) : line, oldestValidRedemption(at), fileId, at)
    .first<{ fileName: string; isDownloadable: number }>()
  if (!found)
    throw new AppError(
      'not_found',
      'This file is no longer available. Open your receipt or library, or enter your code again.',
    )
  if (!found.isDownloadable && isCode)
    throw new AppError('closed', `This code worked for ${REDEMPTION_TTL_DAYS} days, which are over.`)
  if (!found.isDownloadable)
    throw new AppError('closed', 'This download is closed, because its order was refunded or disputed.')
  return { key: downloadKey(fileId), fileName: found.fileName }
}
