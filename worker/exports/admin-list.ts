import { inArray, sql } from 'drizzle-orm'
import { EXPORT_KINDS, type ExportFile } from '../contract/exports'
import { artistTimeZone } from '../db/artist-calendar'
import { columnFilter, daysFilter, type RecordList } from '../db/list'
import type { Millis } from '../lib/clock'
import { exportQuery, exportStateSql, toExportFile } from './exports'
import { exportFiles } from './exports.table'

/** Exports, newest first. */
export const exportList = (at: Millis): RecordList<ExportFile> => ({
  from: sql`${exportFiles}`,
  id: sql`${exportFiles.id}`,
  sorts: { requested: sql`${exportFiles.requestedAt}` },
  defaultSort: '-requested',
  filters: {
    kind: columnFilter(sql`${exportFiles.kind}`, EXPORT_KINDS),
    state: columnFilter(exportStateSql(at), ['waiting', 'running', 'ready', 'failed', 'expired']),
    requested: daysFilter(sql`${exportFiles.requestedAt}`),
  },
  load: async (db, ids) => {
    const rows = await exportQuery(db, at).where(inArray(exportFiles.id, ids.map(String)))
    const zone = await artistTimeZone(db)
    return rows.map((row) => toExportFile(row, zone))
  },
})
