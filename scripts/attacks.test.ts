import { createServer as createHttpServer, type RequestListener, request, type Server } from 'node:http'
import { type AddressInfo, connect, createServer } from 'node:net'
import { gzipSync } from 'node:zlib'
import { afterAll, beforeAll, expect, test, vi } from 'vitest'
import { fetchPageMetadata, type WebClient } from '../worker/community/previews/fetch-page'
import { limits } from '../worker/limits'
import { buildMp3 } from '../worker/testing/files'
import { sleep } from './races/killable-server'
import { startTestServer, type TestServer } from './races/test-server'

// Attacks over real sockets: links to private addresses, hostile pages, malformed uploads.

let server: TestServer
beforeAll(async () => {
  server = await startTestServer()
}, 120_000)
afterAll(() => server.close())

const listenOnFreePort = async (target: Server | ReturnType<typeof createServer>) => {
  await new Promise<void>((resolve) => target.listen(0, '127.0.0.1', resolve))
  return (target.address() as AddressInfo).port
}

test('opens no connection for links to private addresses', async () => {
  let connections = 0
  const trap = createServer((socket) => {
    connections += 1
    socket.destroy()
  })
  const port = await listenOnFreePort(trap)
  const hosts = [
    ...['127.0.0.1', 'localhost', '0.0.0.0', '[::1]', '[::ffff:127.0.0.1]', '2130706433', '0177.0.0.1', '0x7f.1'],
    ...['127.1', '10.0.0.1', '169.254.169.254', 'localhost.', 'a.localhost', 'trap.internal', '①②⑦.⓪.⓪.①'],
  ]
  const urls = hosts.flatMap((host) => [`https://${host}:${port}/`, `http://${host}:${port}/`, `https://${host}/`])
  urls.push(
    `https://user@127.0.0.1:${port}/`,
    `https://fan.example@127.0.0.1:${port}/`,
    `https://trap.example:${port}/`,
  )
  const supporters = await server.newSupporters(urls.length)
  const posted = await Promise.all(
    urls.map((url, i) => server.request('POST', '/api/community/posts', { text: `See ${url}` }, supporters[i]!.cookie)),
  )
  expect(posted.filter(({ status }) => status !== 201)).toEqual([])
  await server.runFiveMinuteJobs()
  // The queue delivers its batches every two seconds.
  await sleep(2500)
  expect([connections, await server.rows('SELECT url FROM link_previews')]).toEqual([0, []])
  trap.close()
}, 60_000)

/**
 * Fetches the metadata of a page that `handler` serves as if it had a public address. `outcome` is the metadata, null
 * if there is none, or the name of the error.
 */
async function fetchFrom(handler: RequestListener, timeoutMs = 1500) {
  const requested: string[] = []
  let sentBytes = 0
  const hostileServer = createHttpServer((incoming, response) => {
    requested.push(incoming.url ?? '')
    response.on('error', () => undefined)
    const write = response.write.bind(response) as (chunk: Buffer) => boolean
    response.write = ((chunk: Buffer) => {
      sentBytes += chunk.length
      return write(chunk)
    }) as typeof response.write
    handler(incoming, response)
  })
  const port = await listenOnFreePort(hostileServer)
  const client: WebClient = {
    ownHost: 'fan.example',
    timeoutMs,
    resolve: async (name) => (name === 'private.example' ? ['93.184.215.14', '10.0.0.1'] : ['93.184.215.14']),
    fetch: (address, init) => fetch(`http://127.0.0.1:${port}${new URL(address).pathname}`, init),
  }
  const startedAt = Date.now()
  const outcome = await fetchPageMetadata(client, 'https://songs.example/').catch((error: Error) => error.name)
  const millis = Date.now() - startedAt
  hostileServer.closeAllConnections()
  hostileServer.close()
  return { outcome, requested, sentBytes, millis }
}

test.each([
  ['a name with a private address', 'https://private.example/'],
  ['a loopback address', 'https://127.0.0.1/'],
  ['another protocol', 'file:///etc/passwd'],
  ['plain HTTP', 'http://songs.example/next'],
  ['another port', 'https://songs.example:8443/'],
  ['a private IPv4 address mapped to IPv6', 'https://[::ffff:a00:1]/'],
  ['our own host', 'https://fan.example/api/admin/session'],
])('does not follow a redirect to %s', async (_, location) => {
  const { outcome, requested } = await fetchFrom((_request, response) => response.writeHead(302, { location }).end())
  expect([outcome, requested]).toEqual([null, ['/']])
})

test('aborts redirect loops, stalled and endless pages, decompression bombs', async () => {
  // Node has no HTMLRewriter. A stub suffices: these pages have no metadata.
  vi.stubGlobal(
    'HTMLRewriter',
    class {
      on = () => this
      transform = (response: Response) => response
    },
  )
  const loop = await fetchFrom((_request, response) => response.writeHead(302, { location: '/again' }).end())
  expect([loop.outcome, loop.requested.length]).toEqual([null, limits.maxPreviewRedirects + 1])
  const html = { 'content-type': 'text/html' }
  const stalls: RequestListener[] = [
    () => undefined,
    (_request, response) => response.writeHead(200, html).flushHeaders(),
  ]
  for (const stall of stalls) {
    const { outcome, millis } = await fetchFrom(stall, 300)
    expect([outcome, millis < 2000]).toEqual(['TimeoutError', true])
  }
  const endless = await fetchFrom((_request, response) => {
    response.writeHead(200, html)
    const pump = () => {
      while (!response.destroyed && response.write(Buffer.alloc(64 * 1024, ' ')));
    }
    response.on('drain', pump)
    pump()
  })
  expect([endless.outcome, endless.sentBytes < 32 * 1024 * 1024]).toEqual([null, true])
  const bomb = gzipSync(Buffer.alloc(64 * 1024 * 1024, ' '))
  const bombed = await fetchFrom((_request, response) =>
    response.writeHead(200, { ...html, 'content-encoding': 'gzip' }).end(bomb),
  )
  expect([bombed.outcome, bombed.millis < 1500]).toEqual([null, true])
  vi.unstubAllGlobals()
})

const RECORDINGS_PATH = '/api/challenge/recordings'
const countStoredUploads = async () =>
  (await server.rows<{ n: number }>('SELECT count(*) AS n FROM uploads WHERE stored_at IS NOT NULL'))[0]?.n

/**
 * Sends chunks with exactly these headers, even a wrong Content-Length. With `abortAfterMs`, closes the connection
 * after that time and never ends the request. Returns the status; null without a response.
 */
function upload(headers: Record<string, string>, chunks: readonly Uint8Array[], abortAfterMs?: number) {
  return new Promise<number | null>((resolve) => {
    const { hostname: host, port, origin } = server.base
    const options = { host, port, method: 'POST', path: RECORDINGS_PATH }
    const clientRequest = request(
      { ...options, headers: { origin, 'content-type': 'audio/mpeg', ...headers } },
      (response) => {
        response.resume()
        resolve(response.statusCode ?? null)
      },
    )
    clientRequest.on('error', () => resolve(null))
    for (const chunk of chunks) clientRequest.write(chunk)
    if (abortAfterMs) setTimeout(() => clientRequest.destroy(), abortAfterMs)
    else clientRequest.end()
  })
}

test('rejects oversized, interrupted and ambiguous uploads', async () => {
  await server.run(
    `INSERT INTO challenges (id, title, prize, submissions_from, submissions_until, finalists_on, voting_from, voting_until,
       winner_on, closed_on, submissions_open_at, submissions_close_at)
     VALUES ('open', 'Open', '', '', '', '', '', '', '', '', 0, ?1)`,
    Date.now() + 3_600_000,
  )
  const MB = 1024 * 1024
  const chunked = { 'transfer-encoding': 'chunked' }
  expect(await upload({ 'content-length': String(60 * MB) }, [buildMp3(1000)], 500)).not.toBe(201)
  expect(await upload(chunked, Array<Uint8Array>(52).fill(buildMp3(MB)))).toBe(413)
  expect(await upload({ 'content-length': '50000' }, [buildMp3(1000)], 500)).toBe(null)
  expect(await upload(chunked, [buildMp3(1000)], 500)).toBe(null)
  // Request smuggling: Content-Length and Transfer-Encoding disagree, and a second request follows.
  const reply = await new Promise<string>((resolve) => {
    const socket = connect(Number(server.base.port), server.base.hostname)
    let text = ''
    socket.on('data', (data) => (text += data))
    socket.on('close', () => resolve(text))
    socket.on('error', () => resolve(text))
    const head = [`POST ${RECORDINGS_PATH} HTTP/1.1`, `host: ${server.base.host}`, `origin: ${server.base.origin}`]
    head.push('content-type: audio/mpeg', 'content-length: 4', 'transfer-encoding: chunked', '', '')
    socket.write(`${head.join('\r\n')}0\r\n\r\nGET /api/admin/session HTTP/1.1\r\n\r\n`)
    setTimeout(() => socket.destroy(), 1000)
  })
  expect(reply).not.toMatch(/HTTP\/1.1 (200|201|500)/)
  expect(await countStoredUploads()).toBe(0)
  expect(await upload({ 'content-length': '5000' }, [buildMp3(5000)])).toBe(201)
  expect(await countStoredUploads()).toBe(1)
}, 60_000)
