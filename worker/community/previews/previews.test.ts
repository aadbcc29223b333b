import { createExecutionContext, createMessageBatch, env, getQueueResult } from 'cloudflare:test'
import { afterEach, beforeAll, beforeEach, expect, test, vi } from 'vitest'
import { Post } from '../../contract/community'
import { eraseUser } from '../../gdpr/erase-user'
import { DAY_MS, MINUTE_MS } from '../../lib/clock'
import { limits } from '../../limits'
import { send } from '../../testing/client'
import { addUser, db } from '../../testing/fixtures'
import { NOON, seedSite } from '../../testing/seed'
import { sessionFor } from '../../testing/users'
import { extractPageMetadata, fetchPageMetadata, type WebClient } from './fetch-page'
import { fetchPreview, listOverduePreviews, previewHandler } from './previews'
import { combineLookups, isPublicAddress, parsePublicUrl } from './public-address'

/** Messages sent to the queue, which then fails: a post must be published nevertheless. */
let queued: unknown[] = []
beforeAll(() => seedSite(env.DB))
beforeEach(() => {
  queued = []
  vi.spyOn(env.PREVIEWS, 'send').mockImplementation(async (job) => {
    queued.push(job)
    throw new Error('The queue is down.')
  })
})
afterEach(() => vi.restoreAllMocks())

type Page = Response | (() => Response | Promise<Response>)
/** A fake web client with these pages, which records requests. */
function fakeClient(pages: Record<string, Page>, addresses: Record<string, readonly string[]> = {}) {
  const requested: string[] = []
  const client: WebClient = {
    ownHost: 'fan.example',
    timeoutMs: 250,
    resolve: async (name) => addresses[name] ?? ['93.184.215.14', '2606:2800:21f:cb07:6820:80da:af6b:8b2c'],
    fetch: async (url, init) => {
      requested.push(url)
      expect(init.redirect).toBe('manual')
      expect(new Headers(init.headers).has('cookie')).toBe(false)
      const page = pages[url]
      if (!page) throw new TypeError('network')
      return typeof page === 'function' ? page() : page.clone()
    },
  }
  return { client, requested }
}
const html = (head: string, type = 'text/html; charset=utf-8') =>
  new Response(`<!doctype html><html><head>${head}</head><body><title>No</title></body></html>`, {
    headers: { 'content-type': type },
  })
const ogTag = (name: string, content: string) => `<meta property="og:${name}" content="${content}">`
const SONG_URL = 'https://songs.example/gold'
const SONG_PAGE = html(ogTag('title', 'Gold') + ogTag('description', 'A song.') + ogTag('site_name', 'Songs'))
const redirectTo = (location: string) => new Response(null, { status: 302, headers: { location } })

async function createPost(text: string, at = NOON) {
  const user = await addUser()
  const { headers } = await sessionFor(user, NOON)
  const response = await send('POST', '/api/community/posts', { text }, { at, headers })
  const { id } = (await response.json()) as { id: string }
  return { id, user, headers, status: response.status }
}
const getFeed = async () =>
  (await (await send('GET', '/api/community/posts', undefined, { at: NOON })).json()) as Post[]
const previewOf = async (id: string) => (await getFeed()).find((post) => post.id === id)?.preview
const findPreviewRow = (url: string) =>
  env.DB.prepare('SELECT title, tries, fetched_at AS at FROM link_previews WHERE url = ?1').bind(url).first()

test.each([
  'http://songs.example/',
  'ftp://songs.example/',
  'https://songs.example:8443/',
  'https://user:pass@songs.example/',
  'https://localhost/',
  'https://127.0.0.1/',
  'https://127.1/',
  'https://0x7f000001/',
  'https://2130706433/',
  'https://017700000001/',
  'https://0/',
  'https://①②⑦.0.0.1/',
  'https://169.254.169.254/latest/meta-data/',
  'https://[::1]/',
  'https://[::ffff:127.0.0.1]/',
  'https://[fe80::1]/',
  'https://8.8.8.8/',
  'https://router/',
  'https://printer.local/',
  'https://metadata.google.internal/',
  'https://a.localhost/',
  'https://nas.lan/',
  'https://songs.example./',
  'https://fan.example/',
  'https://admin.fan.example/',
  `https://songs.example/${'a'.repeat(500)}`,
  'javascript:alert(1)',
  'not an address',
])('does not fetch %s', async (url) => {
  const { client, requested } = fakeClient({})
  expect([parsePublicUrl(url, 'fan.example'), await fetchPageMetadata(client, url), requested]).toEqual([
    null,
    null,
    [],
  ])
})

test('accepts public https URLs and drops the fragment', () => {
  for (const url of [
    'https://songs.example/a?b=1#c',
    'https://SONGS.example:443/a?b=1',
    'https://songs。example/a?b=1',
  ])
    expect(parsePublicUrl(url, 'fan.example')?.href).toBe('https://songs.example/a?b=1')
  // A different domain with the same ending.
  expect(parsePublicUrl('https://notfan.example/', 'fan.example')?.href).toBe('https://notfan.example/')
  expect(parsePublicUrl('https://büro.example/', null)?.href).toBe('https://xn--bro-hoa.example/')
})

const NON_PUBLIC_ADDRESSES =
  `0.0.0.0 0.1.2.3 10.0.0.1 10.255.255.255 100.64.0.1 100.127.255.255 127.0.0.1 127.255.0.1 169.254.0.1
  169.254.169.254 172.16.0.1 172.31.255.255 192.0.0.1 192.0.2.1 192.88.99.1 192.168.0.1 198.18.0.1 198.19.255.255 198.51.100.1
  203.0.113.9 224.0.0.1 239.255.255.255 240.0.0.1 255.255.255.255 :: ::1 ::ffff:127.0.0.1 ::ffff:8.8.8.8 ::127.0.0.1 64:ff9b::7f00:1
  64:ff9b:1::1 100::1 2001::1 2001:0:7f00:1:: 2001:db8::1 2001:1ff::1 2002:7f00:1:: 3fff::1 3fff:fff::1 fc00::1 fd12:3456::1
  fe80::1 fe80::1%eth0 fec0::1 ff02::1 5f00::1 4000::1 256.1.1.1 1.2.3 1.2.3.4.5 x`.split(/\s+/)
const PUBLIC_ADDRESSES =
  `1.1.1.1 8.8.8.8 9.255.255.255 11.0.0.0 100.63.255.255 100.128.0.0 126.255.255.255 128.0.0.1 169.253.255.255
  172.15.255.255 172.32.0.0 192.0.1.1 192.167.255.255 192.169.0.0 198.17.255.255 198.20.0.0 223.255.255.255 2606:4700:4700::1111
  2a00:1450:4001:82a::200e 2001:200::1 2001:4860:4860::8888 3ffe:ffff::1`.split(/\s+/)

test('recognizes private, reserved and invalid IP addresses', () => {
  expect(NON_PUBLIC_ADDRESSES.filter(isPublicAddress)).toEqual([])
  expect(PUBLIC_ADDRESSES.filter((address) => !isPublicAddress(address))).toEqual([])
})

test('does not fetch hostnames with a private address', async () => {
  for (const addresses of [['10.0.0.1'], ['93.184.215.14', '127.0.0.1'], ['93.184.215.14', '::1'], []]) {
    const { client, requested } = fakeClient({ [SONG_URL]: SONG_PAGE }, { 'songs.example': addresses })
    expect([await fetchPageMetadata(client, SONG_URL), requested]).toEqual([null, []])
  }
})

test('checks each redirect and follows at most three', async () => {
  for (const location of [
    'http://songs.example/x',
    'https://127.0.0.1/x',
    'https://inside.example/x',
    'https://songs.example:22/',
    '//[::1]/',
    'file:///etc/passwd',
    '',
  ]) {
    const { client, requested } = fakeClient(
      { 'https://go.example/': redirectTo(location) },
      { 'inside.example': ['192.168.1.1'] },
    )
    expect([location, await fetchPageMetadata(client, 'https://go.example/'), requested]).toEqual([
      location,
      null,
      ['https://go.example/'],
    ])
  }
  const chain = (hops: number) =>
    Object.fromEntries(
      Array.from({ length: hops }, (_, n) => [
        `https://go.example/${n}`,
        redirectTo(n + 1 === hops ? SONG_URL : `/${n + 1}`),
      ]),
    )
  expect(
    await fetchPageMetadata(fakeClient({ ...chain(3), [SONG_URL]: SONG_PAGE }).client, 'https://go.example/0'),
  ).toMatchObject({
    title: 'Gold',
  })
  const tooMany = fakeClient({ ...chain(4), [SONG_URL]: SONG_PAGE })
  expect([await fetchPageMetadata(tooMany.client, 'https://go.example/0'), tooMany.requested.length]).toEqual([null, 4])
})

test('reads at most 256 KB and times out', async () => {
  let bytesSent = 0
  const endless = () =>
    new Response(
      new ReadableStream<Uint8Array>({
        pull(stream) {
          bytesSent += 64 * 1024
          stream.enqueue(new Uint8Array(64 * 1024).fill(32))
        },
      }),
      { headers: { 'content-type': 'text/html' } },
    )
  expect(await fetchPageMetadata(fakeClient({ [SONG_URL]: endless }).client, SONG_URL)).toBeNull()
  expect(bytesSent).toBeLessThanOrEqual(limits.maxPreviewBytes + 2 * 64 * 1024)
  const beyondLimit = html(' '.repeat(limits.maxPreviewBytes) + ogTag('title', 'Too far down'))
  expect(await fetchPageMetadata(fakeClient({ [SONG_URL]: beyondLimit }).client, SONG_URL)).toBeNull()
  const unresponsive = new Response(new ReadableStream({}), { headers: { 'content-type': 'text/html' } })
  const startedAt = performance.now()
  await expect(fetchPageMetadata(fakeClient({ [SONG_URL]: () => unresponsive }).client, SONG_URL)).rejects.toThrow()
  await expect(
    fetchPageMetadata(fakeClient({ [SONG_URL]: () => new Promise<Response>(() => undefined) }).client, SONG_URL),
  ).rejects.toThrow()
  expect(performance.now() - startedAt).toBeLessThan(3_000)
})

test('returns null for non-HTML and throws for temporary failures', async () => {
  const fetchMetadata = (page: Response) => fetchPageMetadata(fakeClient({ [SONG_URL]: page }).client, SONG_URL)
  for (const type of ['image/png', 'application/json', 'text/plain', 'text/html-but-not', ''])
    expect([type, await fetchMetadata(html(ogTag('title', 'X'), type))]).toEqual([type, null])
  expect(
    await fetchMetadata(new Response('gone', { status: 404, headers: { 'content-type': 'text/html' } })),
  ).toBeNull()
  for (const status of [429, 500, 503]) await expect(fetchMetadata(new Response('', { status }))).rejects.toThrow()
})

test('extracts metadata as clean, bounded plain text', async () => {
  const metadata = await extractPageMetadata(
    `<html><head><title>Second &amp; best</title>${ogTag('description', ' a\n\tb &amp;lt;b&amp;gt; &#60;script&#62;alert(1)&#x3c;/script&#x3E; ')}
     <meta name="og:site_name" content="x\u202egnp.\u200b\u0007y &#x202e;&#0;&#1114112;&unknown; 👩&#x200d;🎤"></head>
     <body><meta property="og:title" content=""><svg><title>icon</title></svg></body>`,
  )
  expect(metadata).toEqual({
    title: 'Second & best',
    description: 'a b &lt;b&gt; <script>alert(1)</script>',
    siteName: 'xgnp.y &unknown; 👩\u200d🎤',
  })
  expect([...(await extractPageMetadata(`<title>${'🎤'.repeat(500)}</title>`)).title]).toHaveLength(140)
  const windows1252 = new Response(
    Uint8Array.from([...'<meta charset=windows-1252><title>caf\u00e9</title>'].map((c) => c.charCodeAt(0))),
    {
      headers: { 'content-type': 'text/html' },
    },
  )
  expect(await fetchPageMetadata(fakeClient({ [SONG_URL]: windows1252 }).client, SONG_URL)).toMatchObject({
    title: 'café',
  })
})

test('fetches one preview per URL, deleted with its last post', async () => {
  const url = 'https://songs.example/shared'
  const first = await createPost(`Hear ${url}#chorus, and https://other.example/`)
  const second = await createPost(`Again: ${url}`)
  expect([first.status, queued, await previewOf(first.id)]).toEqual([
    201,
    [
      { kind: 'preview', url },
      { kind: 'preview', url },
    ],
    null,
  ])
  expect(await listOverduePreviews(db, NOON + limits.previewOverdueMinutes * MINUTE_MS)).toContain(url)
  const { client, requested } = fakeClient({ [url]: SONG_PAGE })
  const batch = createMessageBatch('artist-house-previews', [
    { id: '1', timestamp: new Date(NOON), attempts: 1, body: { kind: 'preview', url } },
    { id: '2', timestamp: new Date(NOON), attempts: 1, body: { kind: 'other' } },
    {
      id: '3',
      timestamp: new Date(NOON),
      attempts: 1,
      body: { kind: 'preview', url: 'https://nobody.example/requested' },
    },
  ])
  await previewHandler(client).consume(batch, env, () => NOON)
  const { explicitAcks, retryMessages } = await getQueueResult(batch, createExecutionContext())
  expect([explicitAcks.sort(), retryMessages.map(({ msgId }) => msgId)]).toEqual([['1', '3'], ['2']])
  expect(requested).toEqual([url])
  const preview = { url, title: 'Gold', description: 'A song.', site: 'Songs' }
  expect([await previewOf(first.id), await previewOf(second.id)]).toEqual([preview, preview])
  Post.parse((await getFeed()).find(({ id }) => id === first.id))
  // A preview is valid for a week, for every post with its URL.
  await createPost(`Third: ${url}`, NOON + 1)
  await fetchPreview(db, client, { url, at: NOON + 1 })
  expect(requested).toHaveLength(1)
  await createPost(`Fourth: ${url}`, NOON + limits.previewTtlDays * DAY_MS)
  await fetchPreview(db, client, { url, at: NOON + limits.previewTtlDays * DAY_MS })
  expect(requested).toHaveLength(2)

  const alone = 'https://songs.example/alone'
  const [removed, erased] = [await createPost(`Mine: ${alone}`), await createPost(`Theirs: ${alone}`)]
  await send('DELETE', `/api/community/posts/${removed.id}`, undefined, { at: NOON, headers: removed.headers })
  expect(await findPreviewRow(alone)).not.toBeNull()
  await eraseUser({ db, secret: env.SIGNING_SECRET }, { userId: erased.user.id, byUserRequest: false }, NOON)
  expect(await findPreviewRow(alone)).toBeNull()
})

test('gives up after three attempts without deleting the old preview', async () => {
  const url = 'https://songs.example/down'
  const { id } = await createPost(`Down: ${url}`)
  const down = fakeClient({ [url]: new Response('', { status: 503 }) })
  const outcomes = []
  for (let n = 0; n < limits.maxPreviewAttempts + 1; n++)
    outcomes.push(await fetchPreview(db, down.client, { url, at: NOON }))
  expect([outcomes, down.requested.length]).toEqual([[false, false, true, true], limits.maxPreviewAttempts])
  expect(await previewOf(id)).toBeNull()
  const later = NOON + limits.previewTtlDays * DAY_MS
  await createPost(`Up again: ${url}`, later)
  await fetchPreview(db, fakeClient({ [url]: SONG_PAGE }).client, { url, at: later })
  const muchLater = later + limits.previewTtlDays * DAY_MS
  await createPost(`Down again: ${url}`, muchLater)
  for (let n = 0; n < limits.maxPreviewAttempts; n++) await fetchPreview(db, down.client, { url, at: muchLater })
  expect(await findPreviewRow(url)).toMatchObject({ title: 'Gold' })
})

test('creates no preview for a forbidden URL', async () => {
  for (const link of ['https://127.0.0.1/', 'http://songs.example/', 'https://router.local/']) {
    const { id, status } = await createPost(`See ${link}`)
    expect([status, await previewOf(id)]).toEqual([201, null])
  }
  expect(queued).toEqual([])
  expect(
    await env.DB.prepare("SELECT 1 FROM link_previews WHERE url LIKE '%127%' OR url LIKE 'http:%'").first(),
  ).toBeNull()
})

test('resolves either address family and fails if one lookup fails', async () => {
  const noRecords = async () => Promise.reject(Object.assign(new Error('none'), { code: 'ENODATA' }))
  const noSuchHost = async () => Promise.reject(Object.assign(new Error('unknown'), { code: 'ENOTFOUND' }))
  const serverFailure = async () => Promise.reject(Object.assign(new Error('fails'), { code: 'ESERVFAIL' }))
  const ipv6 = async () => ['2606:4700::1']
  const ipv4 = async () => ['cdn.songs.example.', '93.184.215.14']
  const page = () => new Response('<title>Gold</title>', { headers: { 'content-type': 'text/html; charset=utf-8' } })
  const read = (...lookups: Parameters<typeof combineLookups>[0]) =>
    fetchPageMetadata(
      { ownHost: null, timeoutMs: 250, fetch: async () => page(), resolve: combineLookups(lookups) },
      'https://songs.example/gold',
    )
  for (const lookups of [
    [noRecords, ipv6],
    [noSuchHost, ipv6],
    [ipv4, noRecords],
    [ipv4, ipv6],
  ])
    expect(await read(...lookups)).toMatchObject({ title: 'Gold' })
  expect(await read(noSuchHost, noSuchHost)).toBeNull()
  expect(await read(ipv6, async () => ['127.0.0.1'])).toBeNull()
  // The failed lookup might hold a private address.
  for (const lookups of [
    [serverFailure, ipv6],
    [ipv4, serverFailure],
    [serverFailure, noRecords],
  ])
    await expect(read(...lookups)).rejects.toThrow('fails')
})
