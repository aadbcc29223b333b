import { Marked } from 'marked'

// What an administrator writes becomes mail to thousands: Markdown and nothing beneath it. HTML is shown as it was
// typed, links lead to the web or to a mailbox, pictures come over https.

const escapeHtml = (text: string) =>
  text.replace(/[&<>"']/g, (c) => ({ '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;', "'": '&#39;' })[c] ?? c)

const allowedUrl = (address: string, protocols: readonly string[]): string | null => {
  const url = URL.canParse(address) ? new URL(address) : null
  return url && protocols.includes(url.protocol) ? escapeHtml(url.href) : null
}

const marked = new Marked({
  gfm: true,
  breaks: true,
  renderer: {
    html: ({ text }) => escapeHtml(text),
    // A line that does not wrap pushes the whole mail off a phone.
    code: ({ text }) => `<pre style="white-space:pre-wrap"><code>${escapeHtml(text)}</code></pre>`,
    link({ href, tokens }) {
      const text = this.parser.parseInline(tokens)
      const url = allowedUrl(href, ['https:', 'http:', 'mailto:'])
      return url ? `<a href="${url}" style="color:#7a5a12">${text}</a>` : text
    },
    image({ href, text }) {
      const url = allowedUrl(href, ['https:'])
      return url ? `<img src="${url}" alt="${escapeHtml(text)}" style="max-width:100%">` : escapeHtml(text)
    },
  },
})

/** Markdown as the HTML of a mail. */
export const renderMarkdown = (markdown: string): string => marked.parse(markdown, { async: false })
