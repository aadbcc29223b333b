import type { Context } from 'hono'
import { logError } from '../lib/log'
import type { AppEnv } from './app-env'
import { siteOrigin } from './deps'

export type ByteRange = { offset: number; length: number }

/** A file of R2, or its copy in this data center's cache. */
export type StoredFile = {
  source: 'r2' | 'copy'
  /** Quoted. */
  etag: string
  size: number
  contentType: string | undefined
  /** Null if the file changed meanwhile. */
  read: (range: ByteRange) => Promise<ReadableStream | null>
}

/** A deleted file's copy is out of reach at once, as a caller's key comes from the database, and gone after this time. */
const COPY_TTL_SECONDS = 86_400

/**
 * A cache of its own: nothing but this module reads it. The address is a name, not a route: the worker answers 404, and
 * it says nothing about the caller.
 */
const openCopies = () => caches.open('files')
const copyAddress = (c: Context<AppEnv>, key: string) => `${siteOrigin(c)}/api/file-copies/${key}`

export async function openObject(files: R2Bucket, key: string): Promise<StoredFile | null> {
  const object = await files.head(key)
  if (!object) return null
  return {
    source: 'r2',
    etag: object.httpEtag,
    size: object.size,
    contentType: object.httpMetadata?.contentType,
    async read(range) {
      const current = await files.get(key, { range, onlyIf: { etagMatches: object.etag } })
      return current && 'body' in current ? current.body : null
    },
  }
}

/** The copy of a file, if this data center has one. */
export async function openCopy(c: Context<AppEnv>, key: string): Promise<StoredFile | null> {
  const copies = await openCopies()
  const copy = await copies.match(copyAddress(c, key))
  const etag = copy?.headers.get('etag')
  const size = Number(copy?.headers.get('content-length'))
  if (!copy?.body || !etag || !size) return null
  const { body } = copy
  return {
    source: 'copy',
    etag,
    size,
    contentType: copy.headers.get('content-type') ?? undefined,
    async read({ offset, length }) {
      if (length === size) return body
      const range = `bytes=${offset}-${offset + length - 1}`
      const part = await copies.match(new Request(copyAddress(c, key), { headers: { range } }))
      if (part?.status === 206) return part.body
      return (await openObject(c.env.FILES, key))?.read({ offset, length }) ?? null
    },
  }
}

/** Copies a file into this data center's cache after the response. The same key must always hold the same file. */
export function copyAfterResponse(c: Context<AppEnv>, key: string): void {
  const copy = async () => {
    const object = await c.env.FILES.get(key)
    if (!object) return
    const headers = new Headers({ 'cache-control': `public, max-age=${COPY_TTL_SECONDS}`, etag: object.httpEtag })
    object.writeHttpMetadata(headers)
    headers.set('content-length', String(object.size))
    await (await openCopies()).put(copyAddress(c, key), new Response(object.body, { headers }))
  }
  c.executionCtx.waitUntil(copy().catch((error: unknown) => logError('file_copy_failed', error)))
}
