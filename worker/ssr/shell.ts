import { html, raw } from 'hono/html'
import { accentProperties } from '../contract/appearance'

/** Built files of a page: hashed names, from vite's manifest. */
export type PageAssets = {
  script: string
  /** The page's lazy chunk, and the modules that it and the entry script import. */
  modules: readonly string[]
  /** The app's styles, then those of the lazy chunk. */
  styles: readonly { path: string; css: string }[]
  fonts: readonly string[]
}

/** `url` and `imageUrl` are absolute. */
export type DocumentHead = {
  title: string
  description: string
  url: string
  siteName: string
  imageUrl: string
  imageAlt: string
  /** Null if unknown; such images are square covers. */
  imageSize: { width: number; height: number } | null
  /** Pages with a music type link to their oEmbed. */
  openGraphType: 'website' | 'music.album' | 'music.song' | 'product'
  icon: string
  touchIcon: string
  /** Pages that are not indexed have `noindex`. */
  indexed: boolean
  /** Images above the fold, fetched before the app runs; `media` null for every screen. */
  preload: readonly { url: string; type: string | null; srcSet: string | null; sizes: string; media: string | null }[]
  /** schema.org objects, one JSON-LD block each. */
  linkedData: readonly object[]
  /** The artist's color, `#rrggbb`; null for the default. */
  accent: string | null
  /** Id of the home page's first section; null on other pages. */
  firstSection: string | null
}

/** JSON for a script element, escaped so that no text in it can end the element. */
function jsonForHtml(value: unknown): string {
  return JSON.stringify(value)
    .replace(/</g, '\\u003c')
    .replace(/\u2028/g, '\\u2028')
    .replace(/\u2029/g, '\\u2029')
}

/** A rendered page: its HTML, and the query cache it was rendered from. */
type RenderedPage = { html: string; state: unknown }

/**
 * The HTML document around the app, or around a rendered page. There is no index.html: static assets would serve it for
 * `/` and bypass the worker.
 */
export function renderShell(head: DocumentHead, assets: PageAssets, rendered: RenderedPage | null = null) {
  // A page with an LCP image preloads no fonts: the fallback has the same metrics, and the image needs the bandwidth.
  const preloadsFonts = !rendered || head.preload.length === 0
  // The first paint waits until this element is parsed: painting earlier would shift bottom-aligned content.
  const firstPaintAfterId = head.firstSection ?? 'bottom-bar'
  const accent = head.accent ? html` style="${inlineStyle(accentProperties(head.accent))}"` : ''
  // On a rendered page the images load before the script.
  const priority = rendered ? raw(' fetchpriority="low"') : ''
  return html`<!doctype html>
<html lang="en-US"${accent}>
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1, viewport-fit=cover">
<title>${head.title}</title>
<meta name="description" content="${head.description}">
${head.indexed ? html`<link rel="canonical" href="${head.url}">` : html`<meta name="robots" content="noindex">`}
<meta name="theme-color" content="${BACKGROUND_COLOR}">
<meta name="color-scheme" content="dark">
<meta property="og:type" content="${head.openGraphType}">
<meta property="og:site_name" content="${head.siteName}">
<meta property="og:title" content="${head.title}">
<meta property="og:description" content="${head.description}">
<meta property="og:url" content="${head.url}">
<meta property="og:image" content="${head.imageUrl}">
${
  head.imageSize
    ? html`<meta property="og:image:width" content="${head.imageSize.width}">
<meta property="og:image:height" content="${head.imageSize.height}">`
    : ''
}
<meta property="og:image:alt" content="${head.imageAlt}">
<meta property="og:locale" content="en_US">
<meta name="twitter:card" content="${head.imageSize ? 'summary_large_image' : 'summary'}">
<link rel="icon" href="${head.icon}" type="image/png">
<link rel="apple-touch-icon" href="${head.touchIcon}">
<link rel="manifest" href="/manifest.webmanifest">
<link rel="alternate" type="application/atom+xml" title="${head.siteName}: releases and shows" href="/feed.xml">
<link rel="alternate" type="application/rss+xml" title="${head.siteName}: music" href="/podcast.xml">
${head.openGraphType.startsWith('music.') ? html`<link rel="alternate" type="application/json+oembed" title="${head.title}" href="/api/oembed?url=${encodeURIComponent(head.url)}">` : ''}
${preloadsFonts ? assets.fonts.map((font) => html`<link rel="preload" href="${font}" as="font" type="font/woff2" crossorigin>`) : ''}
${head.preload.map(
  ({ url, type, srcSet, sizes, media }) =>
    html`<link rel="preload" as="image"${type ? html` type="${type}"` : ''} href="${url}"${srcSet ? html` imagesrcset="${srcSet}" imagesizes="${sizes}"` : ''}${media ? html` media="${media}"` : ''} fetchpriority="high">`,
)}
${
  rendered
    ? html`${assets.styles.map(({ css }) => html`<style>${raw(css)}</style>`)}
<link rel="expect" href="#${firstPaintAfterId}" blocking="render">`
    : ''
}
${
  // Keeps vite's loader of the lazy chunk from fetching inlined styles: it skips sheets that have a link. A disabled
  // link is not fetched; if its media query also never matches, the preload scanner skips it too.
  assets.styles.map(
    ({ path }) => html`<link rel="stylesheet" href="${path}"${rendered ? raw(' media="not all" disabled') : ''}>`,
  )
}
${head.linkedData.map((data) => html`<script type="application/ld+json">${raw(jsonForHtml(data))}</script>`)}
</head>
<body>
<div id="root">${raw(rendered?.html ?? '')}</div>
<noscript>Playing music, voting and buying need JavaScript. Please turn it on and reload.</noscript>
${rendered ? html`<script id="state" type="application/json">${raw(jsonForHtml(rendered.state))}</script>` : ''}
<script type="module" src="${assets.script}"${priority}></script>
${assets.modules.map((module) => html`<link rel="modulepreload" href="${module}"${priority}>`)}
</body>
</html>`
}

const inlineStyle = (properties: Record<string, string>) =>
  Object.entries(properties)
    .map(([name, value]) => `${name}:${value}`)
    .join(';')

/** Must equal `--color-background` in the styles. */
export const BACKGROUND_COLOR = '#0b0a08'
