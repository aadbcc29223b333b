import { Marked } from 'marked'

export const escapeHtml = (text: string) =>
  text.replace(/[&<>"']/g, (c) => ({ '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;', "'": '&#39;' })[c] ?? c)

/** The escaped URL if it is absolute and has one of these protocols; else null. */
export const allowedUrl = (href: string, protocols: readonly string[]): string | null => {
  const url = URL.canParse(href) ? new URL(href) : null
  return url && protocols.includes(url.protocol) ? escapeHtml(url.href) : null
}

const pageMarkdown = new Marked({
  gfm: true,
  breaks: true,
  renderer: {
    html: ({ text }) => escapeHtml(text),
    image: ({ text }) => escapeHtml(text),
    // The page's title is its only h1.
    heading({ tokens, depth }) {
      const level = Math.min(depth + 1, 6)
      return `<h${level}>${this.parser.parseInline(tokens)}</h${level}>`
    },
    link({ href, tokens }) {
      const text = this.parser.parseInline(tokens)
      const url = /^\/(?!\/)[^\s"'<>\\]*$/.test(href) ? escapeHtml(href) : allowedUrl(href, ['https:', 'mailto:'])
      return url ? `<a href="${url}">${text}</a>` : text
    },
  },
})

/** Markdown as the HTML of a page: raw HTML is escaped, images become text, links are local, https or mailto. */
export const renderPageMarkdown = (markdown: string): string => pageMarkdown.parse(markdown, { async: false })
