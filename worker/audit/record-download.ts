import type { Db } from '../db/client'
import { type AuditAction, writeAudit, writeAuditUnlessRecent } from './audit'

/**
 * Audits the beginning of each download, and other byte ranges unless a download of the file was audited in the last
 * hour: a range that only skips the first byte still downloads the file.
 */
export async function recordDownload(
  db: Db,
  { method, response, ...action }: AuditAction & { method: string; response: Response },
): Promise<void> {
  if (method !== 'GET' || response.status === 304) return
  const startsAtFirstByte = response.status === 200 || /^bytes 0-/.test(response.headers.get('content-range') ?? '')
  const write = startsAtFirstByte ? writeAudit : writeAuditUnlessRecent
  await write(db, action)
}
