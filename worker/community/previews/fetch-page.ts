import { limits } from '../../limits'
import { extractPageMetadata, type PageMetadata } from './page-metadata'
import { isPublicAddress, parsePublicUrl } from './public-url'

/** The far side: how a name is resolved and a page asked for. Tests hand in their own. */
export type Network = {
  resolve: (name: string) => Promise<readonly string[]>
  fetch: (address: string, init: RequestInit) => Promise<Response>
  /** Our own name, which is not asked; null where we have none. */
  ownHost: string | null
  /** How long a page may take, with all its redirects. */
  timeoutMs: number
}

const REDIRECT_STATUSES = new Set([301, 302, 303, 307, 308])

/**
 * The words of the page at an address; null for what may not be asked, is no page, or is not there. Each redirect is
 * looked at like the first address.
 * @throws what may be otherwise in a minute: a name that is not resolved, a network that fails, 429, 5xx, the time.
 */
export async function fetchPageMetadata(net: Network, address: string): Promise<PageMetadata | null> {
  const signal = AbortSignal.timeout(net.timeoutMs)
  let next = address
  for (let hop = 0; hop <= limits.maxPreviewRedirects; hop++) {
    const page = parsePublicUrl(next, net.ownHost)
    if (!page) return null
    const addresses = await withSignal(signal, net.resolve(page.hostname))
    if (addresses.length === 0 || !addresses.every(isPublicAddress)) return null
    const response = await withSignal(
      signal,
      net.fetch(page.href, {
        redirect: 'manual',
        signal,
        headers: { accept: 'text/html', 'accept-language': 'en', 'user-agent': 'LinkPreview/1.0' },
      }),
    )
    if (!REDIRECT_STATUSES.has(response.status)) return readMetadata(response, signal)
    await cancelBody(response)
    const location = response.headers.get('location')
    if (!location || !URL.canParse(location, page.href)) return null
    next = new URL(location, page.href).href
  }
  return null
}

async function readMetadata(response: Response, signal: AbortSignal): Promise<PageMetadata | null> {
  const type = response.headers.get('content-type') ?? ''
  if (!response.ok || !/^(text\/html|application\/xhtml\+xml)\s*(;|$)/i.test(type.trim())) {
    await cancelBody(response)
    if (response.status === 429 || response.status >= 500) throw new Error('The page is not to be had now.')
    return null
  }
  const bytes = await readFirstBytes(response, signal)
  const metadata = await extractPageMetadata(decodeText(bytes, /charset="?([\w-]+)/i.exec(type)?.[1]))
  return metadata.title === '' ? null : metadata
}

/** What comes of a page until it is enough, whatever it says of its length; the rest is not asked for. */
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
      // No such encoding: the next one, at last UTF-8.
    }
  return new TextDecoder().decode(bytes)
}

const cancelBody = (response: Response) => response.body?.cancel().catch(() => undefined)

/** A far side that does not heed the signal is left all the same. */
function withSignal<T>(signal: AbortSignal, work: Promise<T>): Promise<T> {
  return new Promise((resolve, reject) => {
    if (signal.aborted) return reject(signal.reason)
    signal.addEventListener('abort', () => reject(signal.reason), { once: true })
    work.then(resolve, reject)
  })
}
