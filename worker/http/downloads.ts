import type { Context } from 'hono'
import { AppError } from '../lib/app-error'
import { parseByteRange } from '../lib/byte-range'
import { matchesEtag } from '../lib/etag'
import type { AppEnv } from './app-env'

type Options = {
  /** What the file is saved as; null for one that is played in the page. */
  fileName: string | null
  /** Who may keep it; nobody unless it says so. */
  cacheControl?: string
}

/**
 * Streams a file of R2 to somebody who may have it: a part of it for a Range, 304 for who holds this version.
 * @throws AppError `not_found`, `bad_range` (with Content-Range), `unavailable` when it changed meanwhile.
 */
export async function sendStoredFile(
  c: Context<AppEnv>,
  key: string,
  { fileName, cacheControl = 'private, no-store' }: Options,
): Promise<Response> {
  const stored = await c.env.FILES.head(key)
  if (!stored) throw new AppError('not_found', 'There is no such file, or it has expired.')
  c.header('accept-ranges', 'bytes')
  c.header('etag', stored.httpEtag)
  c.header('cache-control', cacheControl)
  const isGet = c.req.method !== 'HEAD'
  // A part is only of use to somebody who holds the rest of this very version (If-Range).
  const rangeHeader =
    c.req.method === 'GET' && [undefined, stored.httpEtag].includes(c.req.header('if-range'))
      ? c.req.header('range')
      : undefined
  const range = parseByteRange(rangeHeader, stored.size)
  if (range === 'unsatisfiable') {
    c.header('content-range', `bytes */${stored.size}`)
    throw new AppError('bad_range', 'That part of the file does not exist.')
  }
  if (matchesEtag(c.req.header('if-none-match'), stored.httpEtag)) return c.body(null, 304)

  const { offset, length } = range === 'whole' ? { offset: 0, length: stored.size } : range
  c.header('content-type', stored.httpMetadata?.contentType ?? 'application/octet-stream')
  c.header('content-length', String(length))
  if (fileName !== null) c.header('content-disposition', `attachment; filename="${fileName}"`)
  if (!isGet) return c.body(null, 200)
  const object = await c.env.FILES.get(key, { range: { offset, length }, onlyIf: { etagMatches: stored.etag } })
  if (!object || !('body' in object)) throw new AppError('unavailable', 'This file has just changed. Please try again.')
  if (range !== 'whole') c.header('content-range', `bytes ${offset}-${offset + length - 1}/${stored.size}`)
  return c.body(object.body, range === 'whole' ? 200 : 206)
}
