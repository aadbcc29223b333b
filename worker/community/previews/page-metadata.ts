export type PageMetadata = { title: string; description: string; siteName: string }

/** Code points that are kept of each. */
const MAX_LENGTH = { title: 140, description: 280, siteName: 60 } as const
const FIELD_BY_PROPERTY: Readonly<Record<string, keyof PageMetadata>> = {
  'og:title': 'title',
  'og:description': 'description',
  'og:site_name': 'siteName',
}

/** What a page says of itself in its head: words, without marks; all empty where it says nothing. */
export async function extractPageMetadata(html: string): Promise<PageMetadata> {
  const found = { title: '', description: '', siteName: '' }
  let [title, titles] = ['', 0]
  const reader = new HTMLRewriter()
    .on('meta', {
      element(meta) {
        const name =
          FIELD_BY_PROPERTY[(meta.getAttribute('property') ?? meta.getAttribute('name') ?? '').trim().toLowerCase()]
        if (name && found[name] === '') found[name] = meta.getAttribute('content') ?? ''
      },
    })
    .on('title', {
      element() {
        titles += 1
      },
      text: ({ text }) => {
        if (titles === 1) title += text
      },
    })
  await reader.transform(new Response(html, { headers: { 'content-type': 'text/html; charset=utf-8' } })).arrayBuffer()
  return {
    title: sanitizeText(found.title, MAX_LENGTH.title) || sanitizeText(title, MAX_LENGTH.title),
    description: sanitizeText(found.description, MAX_LENGTH.description),
    siteName: sanitizeText(found.siteName, MAX_LENGTH.siteName),
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

/** One pass: what comes out of an entity is text and never an entity again. */
const decodeEntities = (text: string) =>
  text.replace(/&(?:#(\d{1,7})|#x([0-9a-f]{1,6})|([a-z]{2,8}));/gi, (whole, decimal, hex, name) => {
    if (name) return ENTITIES[name.toLowerCase()] ?? whole
    const point = decimal ? Number(decimal) : Number.parseInt(hex, 16)
    return point <= 0x10ffff ? String.fromCodePoint(point) : ''
  })

/** Without controls and without what turns the direction of what follows or hides in it; a joined emoji stays joined. */
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
