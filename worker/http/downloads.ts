import type { Context } from 'hono'
import { AppError } from '../lib/app-error'
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

/** A part of an object, in bytes. */
export type ByteRange = { offset: number; length: number }

/**
 * What a `Range` header asks of an object of `size` bytes (RFC 9110, section 14): a part, 'whole' where the header is
 * absent, of another unit or of several parts (a server may answer those whole), 'unsatisfiable' where it is malformed
 * or begins past the end. Parsed by us because the R2 binding silently returns everything for a bad range.
 */
export function parseByteRange(header: string | undefined, size: number): ByteRange | 'whole' | 'unsatisfiable' {
  if (header === undefined) return 'whole'
  const [, unit, set] = /^\s*([!#$%&'*+.^`|~\w-]+)\s*=(.*)$/s.exec(header) ?? []
  if (unit === undefined || set === undefined) return 'unsatisfiable'
  if (unit.toLowerCase() !== 'bytes') return 'whole'
  const parts = set.split(',').map((part) => parseSingleRange(part.trim(), size))
  if (parts.length > 1) return parts.some((part) => part !== 'unsatisfiable') ? 'whole' : 'unsatisfiable'
  return parts[0]!
}

function parseSingleRange(text: string, size: number): ByteRange | 'unsatisfiable' {
  const [, first, last] = /^(\d*)-(\d*)$/.exec(text) ?? []
  if (first === undefined || last === undefined || (first === '' && last === '')) return 'unsatisfiable'
  if (first === '') {
    const length = Math.min(Number(last), size)
    return length > 0 ? { offset: size - length, length } : 'unsatisfiable'
  }
  const offset = Number(first)
  const end = last === '' ? size - 1 : Math.min(Number(last), size - 1)
  if (offset >= size || (last !== '' && Number(last) < offset)) return 'unsatisfiable'
  return { offset, length: end - offset + 1 }
}

/** True when an `If-None-Match` header names `etag` (quoted, as it is sent), by weak comparison (RFC 9110, 13.1.2). */
export function matchesEtag(header: string | undefined, etag: string): boolean {
  if (header === undefined) return false
  return header.split(',').some((tag) => tag.trim() === '*' || tag.trim().replace(/^W\//, '') === etag)
}
