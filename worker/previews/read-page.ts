import { limits } from '../limits'
import { isPublicAddress, publicPage } from './address'
import { type PageWords, pageWords } from './page-words'

/** The far side: how a name is resolved and a page asked for. Tests hand in their own. */
export type Net = {
  resolve: (name: string) => Promise<readonly string[]>
  fetch: (address: string, init: RequestInit) => Promise<Response>
  /** Our own name, which is not asked; null where we have none. */
  ownHost: string | null
  /** How long a page may take, with all its redirects. */
  millis: number
}

const REDIRECTS = new Set([301, 302, 303, 307, 308])

/**
 * The words of the page at an address; null for what may not be asked, is no page, or is not there. Each redirect is
 * looked at like the first address.
 * @throws what may be otherwise in a minute: a name that is not resolved, a network that fails, 429, 5xx, the time.
 */
export async function readPage(net: Net, address: string): Promise<PageWords | null> {
  const signal = AbortSignal.timeout(net.millis)
  let next = address
  for (let hop = 0; hop <= limits.previewRedirects; hop++) {
    const page = publicPage(next, net.ownHost)
    if (!page) return null
    const addresses = await inTime(signal, net.resolve(page.hostname))
    if (addresses.length === 0 || !addresses.every(isPublicAddress)) return null
    const response = await inTime(
      signal,
      net.fetch(page.href, {
        redirect: 'manual',
        signal,
        headers: { accept: 'text/html', 'accept-language': 'en', 'user-agent': 'LinkPreview/1.0' },
      }),
    )
    if (!REDIRECTS.has(response.status)) return wordsOf(response, signal)
    await dropped(response)
    const location = response.headers.get('location')
    if (!location || !URL.canParse(location, page.href)) return null
    next = new URL(location, page.href).href
  }
  return null
}

async function wordsOf(response: Response, signal: AbortSignal): Promise<PageWords | null> {
  const type = response.headers.get('content-type') ?? ''
  if (!response.ok || !/^(text\/html|application\/xhtml\+xml)\s*(;|$)/i.test(type.trim())) {
    await dropped(response)
    if (response.status === 429 || response.status >= 500) throw new Error('The page is not to be had now.')
    return null
  }
  const bytes = await beginning(response, signal)
  const words = await pageWords(textOf(bytes, /charset="?([\w-]+)/i.exec(type)?.[1]))
  return words.title === '' ? null : words
}

/** What comes of a page until it is enough, whatever it says of its length; the rest is not asked for. */
async function beginning(response: Response, signal: AbortSignal): Promise<Uint8Array> {
  const whole = new Uint8Array(limits.previewBytes)
  const reader = response.body?.getReader()
  let length = 0
  while (reader && length < whole.length) {
    const { done, value } = await inTime(signal, reader.read())
    if (done) return whole.subarray(0, length)
    const fits = value.subarray(0, whole.length - length)
    whole.set(fits, length)
    length += fits.length
  }
  await reader?.cancel().catch(() => undefined)
  return whole.subarray(0, length)
}

function textOf(bytes: Uint8Array, said: string | undefined): string {
  const declared = /<meta[^>]{0,200}charset=["']?([\w-]+)/i.exec(
    new TextDecoder('latin1').decode(bytes.subarray(0, 1024)),
  )
  for (const label of [said, declared?.[1]])
    try {
      if (label) return new TextDecoder(label).decode(bytes)
    } catch {
      // No such encoding: the next one, at last UTF-8.
    }
  return new TextDecoder().decode(bytes)
}

const dropped = (response: Response) => response.body?.cancel().catch(() => undefined)

/** A far side that does not heed the signal is left all the same. */
function inTime<T>(signal: AbortSignal, work: Promise<T>): Promise<T> {
  return new Promise((resolve, reject) => {
    if (signal.aborted) return reject(signal.reason)
    signal.addEventListener('abort', () => reject(signal.reason), { once: true })
    work.then(resolve, reject)
  })
}
