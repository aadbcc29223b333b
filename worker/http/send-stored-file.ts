import type { Context } from 'hono'
import { AppError } from '../lib/app-error'
import type { AppEnv } from './app-env'
import { parseByteRange } from './byte-range'
import { cacheAfterResponse, matchCachedFile, openObject } from './stored-files'

type Options = {
  /** Name of the attachment, which may depend on the content type; null for a file that the page plays. */
  fileName: string | null | ((contentType: string) => string)
  cacheControl?: string
  /** Content type of files stored without one. */
  defaultType?: string
  /** Noun for the file in error messages. */
  noun?: 'file' | 'recording'
  /** Message of `not_found`. */
  notFoundMessage?: string
  /** The key always has the same file, which may be cached in the data center. */
  isImmutable?: boolean
  /** Called when a GET reads the beginning of the file, also if the response is 304. */
  onReadFromStart?: () => Promise<void>
}

/**
 * Sends a file of R2: Range (206), If-Range and If-None-Match (304). The route must check permission first.
 * @throws AppError `not_found`, `bad_range` (with Content-Range), `unavailable` if the file was replaced just now.
 */
export async function sendStoredFile(
  c: Context<AppEnv>,
  key: string,
  {
    fileName,
    cacheControl = 'private, no-store',
    defaultType = 'application/octet-stream',
    noun = 'file',
    notFoundMessage = 'There is no such file, or it has expired.',
    isImmutable = false,
    onReadFromStart,
  }: Options,
): Promise<Response> {
  const cached = isImmutable ? await matchCachedFile(c, key).catch(() => null) : null
  const stored = cached ?? (await openObject(c.env.FILES, key))
  if (!stored) throw new AppError('not_found', notFoundMessage)
  c.set('fileSource', stored.source)
  c.header('accept-ranges', 'bytes')
  c.header('etag', stored.etag)
  c.header('cache-control', cacheControl)
  const isGet = c.req.method === 'GET'
  const honorsRange = [undefined, stored.etag].includes(c.req.header('if-range'))
  const range = parseByteRange(isGet && honorsRange ? c.req.header('range') : undefined, stored.size)
  if (range === 'unsatisfiable') {
    c.header('content-range', `bytes */${stored.size}`)
    throw new AppError('bad_range', `That part of the ${noun} does not exist.`)
  }
  if (isGet && (range === 'whole' || range.offset === 0)) await onReadFromStart?.()
  if (matchesEtag(c.req.header('if-none-match'), stored.etag)) return c.body(null, 304)

  const { offset, length } = range === 'whole' ? { offset: 0, length: stored.size } : range
  const contentType = stored.contentType ?? defaultType
  c.header('content-type', contentType)
  c.header('content-length', String(length))
  const attachment = typeof fileName === 'function' ? fileName(contentType) : fileName
  if (attachment !== null) c.header('content-disposition', `attachment; filename="${attachment}"`)
  if (c.req.method === 'HEAD') return c.body(null, 200)
  const body = await stored.read({ offset, length })
  if (!body) throw new AppError('unavailable', `This ${noun} has just changed. Please try again.`)
  if (isImmutable && stored.source === 'r2') cacheAfterResponse(c, key)
  if (range !== 'whole') c.header('content-range', `bytes ${offset}-${offset + length - 1}/${stored.size}`)
  return c.body(body, range === 'whole' ? 200 : 206)
}

/** True if an If-None-Match header names `etag` (quoted), by weak comparison (RFC 9110, 13.1.2). */
export function matchesEtag(header: string | undefined, etag: string): boolean {
  if (header === undefined) return false
  return header.split(',').some((tag) => tag.trim() === '*' || tag.trim().replace(/^W\//, '') === etag)
}
