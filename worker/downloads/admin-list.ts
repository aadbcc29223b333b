import { eq, inArray, sql } from 'drizzle-orm'
import type { CodeBatch } from '../contract/download-codes'
import type { Db } from '../db/client'
import { conditionFilter, containsText, daysFilter, type RecordList } from '../db/list'
import { AppError } from '../lib/app-error'
import { toIso } from '../lib/clock'
import { downloadCodeBatches } from './downloads.table'

const goodTitle = sql<string>`coalesce((SELECT title FROM releases WHERE 'release:' || releases.id = ${downloadCodeBatches.good}),
  (SELECT title FROM tracks WHERE 'track:' || tracks.id = ${downloadCodeBatches.good}))`

const redeemedCount = sql<number>`(SELECT count(*) FROM download_codes
  WHERE batch_id = ${downloadCodeBatches.id} AND redeemed_at IS NOT NULL)`

const batchQuery = (db: Db) =>
  db
    .select({
      id: downloadCodeBatches.id,
      name: downloadCodeBatches.name,
      title: goodTitle,
      size: downloadCodeBatches.size,
      redeemed: redeemedCount,
      createdAt: downloadCodeBatches.createdAt,
    })
    .from(downloadCodeBatches)
    .$dynamic()

const toBatch = ({ createdAt, ...batch }: Awaited<ReturnType<typeof batchQuery>>[number]): CodeBatch => ({
  ...batch,
  createdAt: toIso(createdAt),
})

/** Batches of download codes, newest first. */
export const codeBatchList: RecordList<CodeBatch> = {
  from: sql`${downloadCodeBatches}`,
  id: sql`${downloadCodeBatches.id}`,
  sorts: {
    created: sql`${downloadCodeBatches.createdAt}`,
    name: sql`lower(${downloadCodeBatches.name})`,
    title: sql`lower(coalesce(${goodTitle}, ''))`,
    redeemed: redeemedCount,
  },
  defaultSort: '-created',
  filters: {
    state: conditionFilter({
      left: sql`${redeemedCount} < ${downloadCodeBatches.size}`,
      used_up: sql`${redeemedCount} >= ${downloadCodeBatches.size}`,
    }),
    created: daysFilter(sql`${downloadCodeBatches.createdAt}`),
  },
  search: (q) => ({ where: containsText([sql`${downloadCodeBatches.name}`, goodTitle], q) }),
  load: async (db, ids) => (await batchQuery(db).where(inArray(downloadCodeBatches.id, ids.map(String)))).map(toBatch),
}

/** @throws AppError `not_found`. */
export async function findCodeBatch(db: Db, id: string): Promise<CodeBatch> {
  const [batch] = await batchQuery(db).where(eq(downloadCodeBatches.id, id))
  if (!batch) throw new AppError('not_found', 'There is no such batch of codes.')
  return toBatch(batch)
}
