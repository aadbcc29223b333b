import { createServer, type IncomingMessage } from 'node:http'
import { brotliCompressSync, gzipSync } from 'node:zlib'

type CachedFile = { status: number; headers: Record<string, string>; body: Uint8Array }

const TEXT = /^(text\/|application\/(json|javascript|manifest\+json))/
/** What only holds between two hops. */
const HOP_BY_HOP_HEADERS = ['content-encoding', 'content-length', 'transfer-encoding', 'connection', 'keep-alive']

/**
 * A server that answers as Cloudflare's edge does where the local runtime does not: with text compressed. Each address
 * is fetched from `origin` once and given from memory from then on, so that a page and its floor wait for the network that
 * the browser plays and for nothing else. `own` are pages that stand beside the site.
 */
export async function startCdnProxy(origin: URL, own: ReadonlyMap<string, string>) {
  const kept = new Map<string, Promise<CachedFile>>()
  const server = createServer(async (request, response) => {
    const path = request.url ?? '/'
    const how = encodingFor(request)
    const key = `${how} ${request.method} ${path}`
    const found = kept.get(key) ?? fetchCompressed(new URL(path, origin), own.get(path), how, request.method ?? 'GET')
    kept.set(key, found)
    const { status, headers, body } = await found
    response.writeHead(status, headers).end(body)
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const address = server.address()
  if (address === null || typeof address === 'string') throw new Error('The edge has no port.')
  return { base: `http://localhost:${address.port}`, close: () => server.close() }
}

async function fetchCompressed(
  url: URL,
  own: string | undefined,
  how: 'br' | 'gzip',
  method: string,
): Promise<CachedFile> {
  const response =
    own === undefined
      ? await fetch(url, { method, redirect: 'manual' })
      : new Response(own, { headers: { 'content-type': 'text/html; charset=utf-8' } })
  const plain = new Uint8Array(await response.arrayBuffer())
  const headers = Object.fromEntries([...response.headers].filter(([name]) => !HOP_BY_HOP_HEADERS.includes(name)))
  if (!TEXT.test(headers['content-type'] ?? '') || plain.length === 0)
    return { status: response.status, headers, body: plain }
  const body = how === 'br' ? brotliCompressSync(plain) : gzipSync(plain)
  return { status: response.status, headers: { ...headers, 'content-encoding': how }, body }
}

const encodingFor = (request: IncomingMessage) =>
  /\bbr\b/.test(`${request.headers['accept-encoding']}`) ? 'br' : 'gzip'
