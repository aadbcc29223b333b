import { limits } from '../../limits'
import { isPublicAddress, parsePublicUrl } from './public-address'

/** DNS and HTTP clients; tests pass fakes. */
export type WebClient = {
  resolve: (name: string) => Promise<readonly string[]>
  fetch: (url: string, init: RequestInit) => Promise<Response>
  /** The site's own host, which is not fetched; null if unknown. */
  ownHost: string | null
  /** Timeout of one page, including redirects. */
  timeoutMs: number
}

const REDIRECT_STATUSES = new Set([301, 302, 303, 307, 308])

/**
 * Metadata of a page; null if the URL is not allowed or the page is missing, not HTML or without a title. Each redirect
 * is checked like the first URL. @throws Error for failures that a retry may fix: DNS, network, timeout, 429, 5xx.
 */
export async function fetchPageMetadata(client: WebClient, firstUrl: string): Promise<PageMetadata | null> {
  const signal = AbortSignal.timeout(client.timeoutMs)
  let nextUrl = firstUrl
  for (let hop = 0; hop <= limits.maxPreviewRedirects; hop++) {
    const url = parsePublicUrl(nextUrl, client.ownHost)
    if (!url) return null
    const ipAddresses = await withSignal(signal, client.resolve(url.hostname))
    if (ipAddresses.length === 0 || !ipAddresses.every(isPublicAddress)) return null
    const response = await withSignal(
      signal,
      client.fetch(url.href, {
        redirect: 'manual',
        signal,
        headers: { accept: 'text/html', 'accept-language': 'en', 'user-agent': 'LinkPreview/1.0' },
      }),
    )
    if (!REDIRECT_STATUSES.has(response.status)) return readMetadata(response, signal)
    await cancelBody(response)
    const location = response.headers.get('location')
    if (!location || !URL.canParse(location, url.href)) return null
    nextUrl = new URL(location, url.href).href
  }
  return null
}

async function readMetadata(response: Response, signal: AbortSignal): Promise<PageMetadata | null> {
  const type = response.headers.get('content-type') ?? ''
  if (!response.ok || !/^(text\/html|application\/xhtml\+xml)\s*(;|$)/i.test(type.trim())) {
    await cancelBody(response)
    if (response.status === 429 || response.status >= 500) throw new Error('The page cannot be loaded right now.')
    return null
  }
  const bytes = await readFirstBytes(response, signal)
  const metadata = await extractPageMetadata(decodeText(bytes, /charset="?([\w-]+)/i.exec(type)?.[1]))
  return metadata.title === '' ? null : metadata
}

/** Reads at most `limits.maxPreviewBytes`, regardless of Content-Length. */
async function readFirstBytes(response: Response, signal: AbortSignal): Promise<Uint8Array> {
  const buffer = new Uint8Array(limits.maxPreviewBytes)
  const reader = response.body?.getReader()
  let length = 0
  while (reader && length < buffer.length) {
    const { done, value } = await withSignal(signal, reader.read())
    if (done) return buffer.subarray(0, length)
    const chunk = value.subarray(0, buffer.length - length)
    buffer.set(chunk, length)
    length += chunk.length
  }
  await reader?.cancel().catch(() => undefined)
  return buffer.subarray(0, length)
}

function decodeText(bytes: Uint8Array, contentTypeCharset: string | undefined): string {
  const declared = /<meta[^>]{0,200}charset=["']?([\w-]+)/i.exec(
    new TextDecoder('latin1').decode(bytes.subarray(0, 1024)),
  )
  for (const label of [contentTypeCharset, declared?.[1]])
    try {
      if (label) return new TextDecoder(label).decode(bytes)
    } catch {
      // Unknown encoding: try the next one, finally UTF-8.
    }
  return new TextDecoder().decode(bytes)
}

const cancelBody = (response: Response) => response.body?.cancel().catch(() => undefined)

/** Rejects on abort even if `work` ignores the signal. */
function withSignal<T>(signal: AbortSignal, work: Promise<T>): Promise<T> {
  return new Promise((resolve, reject) => {
    if (signal.aborted) return reject(signal.reason)
    signal.addEventListener('abort', () => reject(signal.reason), { once: true })
    work.then(resolve, reject)
  })
}

type PageMetadata = { title: string; description: string; siteName: string }

/** Maximum length of each field in code points. */
const MAX_LENGTH = { title: 140, description: 280, siteName: 60 } as const
const FIELD_BY_PROPERTY: Readonly<Record<string, keyof PageMetadata>> = {
  'og:title': 'title',
  'og:description': 'description',
  'og:site_name': 'siteName',
}

/** Title, description and site name as plain text; empty where missing. */
export async function extractPageMetadata(html: string): Promise<PageMetadata> {
  const metadata = { title: '', description: '', siteName: '' }
  let titleText = ''
  let titleCount = 0
  const rewriter = new HTMLRewriter()
    .on('meta', {
      element(meta) {
        const field =
          FIELD_BY_PROPERTY[(meta.getAttribute('property') ?? meta.getAttribute('name') ?? '').trim().toLowerCase()]
        if (field && metadata[field] === '') metadata[field] = meta.getAttribute('content') ?? ''
      },
    })
    .on('title', {
      element() {
        titleCount += 1
      },
      text: ({ text }) => {
        if (titleCount === 1) titleText += text
      },
    })
  await rewriter
    .transform(new Response(html, { headers: { 'content-type': 'text/html; charset=utf-8' } }))
    .arrayBuffer()
  return {
    title: sanitizeText(metadata.title, MAX_LENGTH.title) || sanitizeText(titleText, MAX_LENGTH.title),
    description: sanitizeText(metadata.description, MAX_LENGTH.description),
    siteName: sanitizeText(metadata.siteName, MAX_LENGTH.siteName),
  }
}

const ENTITIES: Readonly<Record<string, string>> = {
  amp: '&',
  lt: '<',
  gt: '>',
  quot: '"',
  apos: "'",
  nbsp: ' ',
  ndash: '–',
  mdash: '—',
  hellip: '…',
  lsquo: '‘',
  rsquo: '’',
  ldquo: '“',
  rdquo: '”',
  middot: '·',
  bull: '•',
  copy: '©',
  reg: '®',
  eacute: 'é',
}

/** Decodes in one pass, so that a decoded entity is not decoded again. */
const decodeEntities = (text: string) =>
  text.replace(/&(?:#(\d{1,7})|#x([0-9a-f]{1,6})|([a-z]{2,8}));/gi, (whole, decimal, hex, name) => {
    if (name) return ENTITIES[name.toLowerCase()] ?? whole
    const point = decimal ? Number(decimal) : Number.parseInt(hex, 16)
    return point <= 0x10ffff ? String.fromCodePoint(point) : ''
  })

/** One line of plain text without control, bidi and invisible characters, except those that join emoji. */
function sanitizeText(text: string, maxLength: number): string {
  const clean = decodeEntities(text.slice(0, 4000))
    .toWellFormed()
    .normalize('NFC')
    .replace(/\s+/g, ' ')
    .replace(/[\p{Cc}\p{Co}]|(?!\u200d)\p{Cf}/gu, '')
    .trim()
  const points = [...clean]
  return points.length <= maxLength
    ? clean
    : `${points
        .slice(0, maxLength - 1)
        .join('')
        .trimEnd()}…`
}
