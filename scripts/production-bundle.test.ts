import { readdirSync, readFileSync } from 'node:fs'
import { type IncomingHttpHeaders, request } from 'node:http'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { assetHeadersOf } from '../worker/testing/asset-headers'
import { startTestServer, type TestServer } from './races/test-server'
import { defaultImageUrl } from './site/default-images'

// These tests send requests over real sockets to the production bundle and its assets.

let server: TestServer
let base: URL

beforeAll(async () => {
  server = await startTestServer()
  base = server.base
}, 60_000)
afterAll(() => server.close())

type RawResponse = { status: number; headers: IncomingHttpHeaders; text: string }

/** Sends a request exactly as written: no path normalization, no content length added. */
function sendRaw(
  method: string,
  path: string,
  headers: Record<string, string> = {},
  parts: string[] = [],
): Promise<RawResponse> {
  return new Promise((resolve, reject) => {
    const clientRequest = request({ host: base.hostname, port: base.port, method, path, headers }, (response) => {
      let text = ''
      response.setEncoding('utf8')
      response.on('data', (chunk) => (text += chunk))
      response.on('end', () => resolve({ status: response.statusCode ?? 0, headers: response.headers, text }))
    })
    clientRequest.on('error', reject)
    for (const part of parts) clientRequest.write(part)
    clientRequest.end()
  })
}
const postSubscribe = (headers: Record<string, string>, parts: string[]) =>
  sendRaw('POST', '/api/newsletter/subscribe', { origin: base.origin, ...headers }, parts)

const mainScriptPath = `/assets/${readdirSync('dist/client/assets').find((name) => name.startsWith('main-') && name.endsWith('.js'))}`
const headersFile = readFileSync('web/public/_headers', 'utf8')
const assetHeaders = Object.entries(assetHeadersOf(headersFile, '/*'))

test('assets carry all security headers and are immutable', async () => {
  for (const method of ['GET', 'HEAD']) {
    const { status, headers } = await sendRaw(method, mainScriptPath)
    expect([status, headers['cache-control']]).toEqual([200, 'public, max-age=31536000, immutable'])
    for (const [name, value] of assetHeaders) expect([name, headers[name]]).toEqual([name, value])
  }
})

test('static images carry their own headers and are immutable', async () => {
  const { status, headers } = await sendRaw('GET', defaultImageUrl('hero'))
  const mediaHeaders = assetHeadersOf(headersFile, '/media/*')
  expect([status, headers['content-type']]).toEqual([200, 'image/webp'])
  for (const [name, value] of [
    ...assetHeaders.filter(([name]) => !mediaHeaders[name]),
    ...Object.entries(mediaHeaders),
  ])
    expect([name, headers[name]]).toEqual([name, value])
})

/** Removes the hash of inlined styles, which only server-rendered pages have, from the content security policy. */
const withoutStyleHash = (headers: IncomingHttpHeaders): IncomingHttpHeaders => ({
  ...headers,
  'content-security-policy': String(headers['content-security-policy']).replace(/ 'sha256-[\w+/=]+'/, ''),
})

test('pages, API responses and errors carry the same headers', async () => {
  for (const [path, expected] of [
    ['/', 200],
    ['/subscribe/', 308],
    ['/nowhere/at/all', 404],
    ['/api/config', 200],
    ['/api/unknown', 404],
    ['/%E0%A4%A', 404],
    ['//evil.example/', 404],
  ] as const) {
    const { status, headers } = await sendRaw('GET', path)
    expect([path, status]).toEqual([path, expected])
    const received = path === '/' ? withoutStyleHash(headers) : headers
    for (const [name, value] of assetHeaders) expect([path, name, received[name]]).toEqual([path, name, value])
  }
})

test('a missing asset is an uncached 404', async () => {
  const { status, headers, text } = await sendRaw('GET', '/assets/missing-abc.js')
  expect([status, headers['cache-control'], headers['x-error-code']]).toEqual([404, 'private, no-store', 'not_found'])
  expect(text).toBe('This page does not exist.')
  for (const [name, value] of assetHeaders) expect([name, headers[name]]).toEqual([name, value])
})

test('does not serve build and worker configuration', async () => {
  for (const path of [
    '/_headers',
    '/manifest.json',
    '/.vite/manifest.json',
    '/index.html',
    '/wrangler.toml',
    '/.dev.vars',
    '/package.json',
    '/assets/../manifest.json',
    '/assets/..%2fmanifest.json',
    '/..%2fwrangler.toml',
    '/%2e%2e/wrangler.toml',
  ]) {
    const { status, text } = await sendRaw('GET', path)
    expect([path, status, text.includes('SITE_MODE')]).toEqual([path, 404, false])
  }
})

test('an unknown API path is a plain-text 404', async () => {
  const { status, headers, text } = await sendRaw('GET', '/api/unknown', {
    accept: 'text/html',
    'sec-fetch-mode': 'navigate',
  })
  expect([status, headers['content-type'], text]).toEqual([
    404,
    'text/plain; charset=UTF-8',
    'This page does not exist.',
  ])
})

test('a body over the limit is 413, declared or chunked', async () => {
  const parts = ['{"email":"', ...Array<string>(17).fill('x'.repeat(1024)), '"}']
  const json = { 'content-type': 'application/json' }
  const length = String(parts.join('').length)
  for (const headers of [
    { ...json, 'content-length': length },
    { ...json, 'transfer-encoding': 'chunked' },
  ]) {
    const { status, text } = await postSubscribe(headers, parts)
    expect([status, text]).toEqual([413, 'That is too large to send.'])
  }
})

test('a malformed, empty or non-JSON body is 400', async () => {
  const json = { 'content-type': 'application/json' }
  for (const [headers, parts] of [
    [json, ['{"email":']],
    [json, []],
    [{ ...json, 'transfer-encoding': 'chunked' }, []],
    [{ 'content-type': 'text/plain' }, ['{}']],
    [{ 'transfer-encoding': 'chunked' }, ['{}']],
  ] as [Record<string, string>, string[]][]) {
    const { status, headers: responseHeaders } = await postSubscribe(headers, parts)
    expect([headers, parts, status, responseHeaders['x-error-code']]).toEqual([headers, parts, 400, 'bad_json'])
  }
})

test('a write without a body needs no content type', async () => {
  const headerSets: Record<string, string>[] = [{ 'content-length': '0' }, {}]
  for (const headers of headerSets) {
    const { status, text } = await sendRaw('POST', '/api/tracks/999/play', { origin: base.origin, ...headers })
    expect([status, text]).toEqual([404, 'That track does not exist.'])
  }
})

test('ignores the body of a GET', async () => {
  const headerSets: Record<string, string>[] = [{ 'transfer-encoding': 'chunked' }, { 'content-length': '20000' }]
  for (const headers of headerSets) {
    const { status } = await sendRaw('GET', '/api/config', headers, ['x'.repeat(20_000)])
    expect([headers, status]).toEqual([headers, 200])
  }
})

test('rejects methods that an endpoint lacks, with a message', async () => {
  for (const method of ['PUT', 'PATCH', 'DELETE', 'OPTIONS', 'PROPFIND', 'PURGE', 'TRACE']) {
    const { status, text } = await sendRaw(method, '/api/config', { origin: base.origin })
    expect([method, status, text.length > 0]).toEqual([
      method,
      expect.toSatisfy((code) => code === 405 || code === 501),
      true,
    ])
  }
})
