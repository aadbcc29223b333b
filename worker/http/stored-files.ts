import type { Context } from 'hono'
import { logError } from '../lib/log'
import type { AppEnv } from './app-env'
import type { ByteRange } from './byte-range'
import { siteOrigin } from './deps'

/** A file from R2 or from this data center's cache. */
type StoredFile = {
  source: 'r2' | 'cache'
  /** Quoted. */
  etag: string
  size: number
  contentType: string | undefined
  /** Null if the file has changed since it was opened. */
  read: (range: ByteRange) => Promise<ReadableStream | null>
}

/** May be long: keys come from the database, so the cached copy of a deleted file is never read. */
const FILE_CACHE_TTL_SECONDS = 86_400

/**
 * A cache that only this module reads. Its keys are URLs that no route serves, without information about the caller.
 */
const openFileCache = () => caches.open('files')
const cacheKey = (c: Context<AppEnv>, key: string) => `${siteOrigin(c)}/api/file-copies/${key}`

/** A file from R2, or null. */
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

/** A file from this data center's cache, or null. */
export async function matchCachedFile(c: Context<AppEnv>, key: string): Promise<StoredFile | null> {
  const fileCache = await openFileCache()
  const cached = await fileCache.match(cacheKey(c, key))
  const etag = cached?.headers.get('etag')
  const size = Number(cached?.headers.get('content-length'))
  if (!cached?.body || !etag || !size) return null
  const { body } = cached
  return {
    source: 'cache',
    etag,
    size,
    contentType: cached.headers.get('content-type') ?? undefined,
    async read({ offset, length }) {
      if (length === size) return body
      const range = `bytes=${offset}-${offset + length - 1}`
      const part = await fileCache.match(new Request(cacheKey(c, key), { headers: { range } }))
      if (part?.status === 206) return part.body
      return (await openObject(c.env.FILES, key))?.read({ offset, length }) ?? null
    },
  }
}

/** Caches a file in this data center after the response. A key must always hold the same file. */
export function cacheAfterResponse(c: Context<AppEnv>, key: string): void {
  const cacheFile = async () => {
    const object = await c.env.FILES.get(key)
    if (!object) return
    const headers = new Headers({ 'cache-control': `public, max-age=${FILE_CACHE_TTL_SECONDS}`, etag: object.httpEtag })
    object.writeHttpMetadata(headers)
    headers.set('content-length', String(object.size))
    await (await openFileCache()).put(cacheKey(c, key), new Response(object.body, { headers }))
  }
  c.executionCtx.waitUntil(cacheFile().catch((error: unknown) => logError('file-cache', error)))
}
