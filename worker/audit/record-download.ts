import type { Context } from 'hono'
import type { AppEnv } from '../http/app-env'
import { actorOf } from '../http/deps'
import { writeAudit, writeAuditUnlessRecent } from './audit'

/**
 * Audits the beginning of each download, and other byte ranges unless a download of the file was audited in the last
 * hour: a range that only skips the first byte still downloads the file.
 */
export async function recordDownload(c: Context<AppEnv>, response: Response, action: string, subject?: string) {
  if (c.req.method !== 'GET' || response.status === 304) return
  const startsAtFirstByte = response.status === 200 || /^bytes 0-/.test(response.headers.get('content-range') ?? '')
  const write = startsAtFirstByte ? writeAudit : writeAuditUnlessRecent
  await write(c.var.db, { ...(await actorOf(c)), action, subject })
}
