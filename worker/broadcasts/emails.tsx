/** @jsxImportSource hono/jsx */
import { raw } from 'hono/html'
import { Marked } from 'marked'
import { EmailLayout } from '../email/EmailLayout'
import { allowedUrl, escapeHtml } from '../lib/markdown'

type EmailBody = { text: string; html: string }
type BroadcastContent = EmailBody & { subject: string; from: string; reason: string }

/** Placeholder for the recipient's unsubscribe URL. Stored broadcasts contain it, so it must never change. */
export const UNSUBSCRIBE_PLACEHOLDER = '{{way-out}}'

/** Renders a broadcast with the placeholder. `html` is not escaped: use that of `renderMarkdown` or a template. */
export function renderBroadcastEmail({ subject, from, reason, text, html }: BroadcastContent): EmailBody {
  const unsubscribe = { reason, pageUrl: UNSUBSCRIBE_PLACEHOLDER, oneClickUrl: UNSUBSCRIBE_PLACEHOLDER }
  const body = (
    <EmailLayout subject={subject} from={from} preview={text.slice(0, 120)} unsubscribe={unsubscribe}>
      {raw(html)}
    </EmailLayout>
  )
  return {
    html: `<!doctype html>${body}`,
    text: [text, from, `${reason}\nUnsubscribe: ${UNSUBSCRIBE_PLACEHOLDER}`].join('\n\n'),
  }
}

/** Replaces the placeholder by the URL of an unsubscribe page. */
export const withUnsubscribeUrl = ({ text, html }: EmailBody, url: string): EmailBody => ({
  text: text.replaceAll(UNSUBSCRIBE_PLACEHOLDER, url),
  html: html.replaceAll(UNSUBSCRIBE_PLACEHOLDER, url),
})

const marked = new Marked({
  gfm: true,
  breaks: true,
  renderer: {
    html: ({ text }) => escapeHtml(text),
    // Without wrapping, a long line would make the email wider than a phone.
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

/** Markdown as the HTML of an email: raw HTML is escaped, links are http(s) or mailto, images https. */
export const renderMarkdown = (markdown: string): string => marked.parse(markdown, { async: false })

const plainTextMarked = new Marked({
  gfm: true,
  breaks: true,
  renderer: {
    space: () => '',
    hr: () => '---\n\n',
    br: () => '\n',
    html: ({ text }) => text,
    checkbox: ({ checked }) => (checked ? '[x] ' : '[ ] '),
    code: ({ text }) => `${text}\n\n`,
    codespan: ({ text }) => text,
    heading({ tokens }) {
      return `${this.parser.parseInline(tokens)}\n\n`
    },
    paragraph({ tokens }) {
      return `${this.parser.parseInline(tokens)}\n\n`
    },
    blockquote({ tokens }) {
      return `${this.parser.parse(tokens).trim().replace(/^/gm, '> ')}\n\n`
    },
    list({ ordered, start, items }) {
      const lines = items.map((item, index) => {
        const marker = ordered ? `${(start === '' ? 1 : start) + index}. ` : '- '
        return (
          marker +
          this.parser
            .parse(item.tokens)
            .trim()
            .replace(/\n+/g, `\n${' '.repeat(marker.length)}`)
        )
      })
      return `${lines.join('\n')}\n\n`
    },
    table({ header, rows }) {
      const lines = [header, ...rows].map((row) => row.map(({ tokens }) => this.parser.parseInline(tokens)).join(' | '))
      return `${lines.join('\n')}\n\n`
    },
    strong({ tokens }) {
      return this.parser.parseInline(tokens)
    },
    em({ tokens }) {
      return this.parser.parseInline(tokens)
    },
    del({ tokens }) {
      return this.parser.parseInline(tokens)
    },
    link({ href, tokens }) {
      const text = this.parser.parseInline(tokens)
      return href === text || href === `mailto:${text}` ? text : `${text} (${href})`
    },
    image: ({ href, text }) => (text ? `${text} (${href})` : href),
    text(token) {
      return 'tokens' in token && token.tokens ? `${this.parser.parseInline(token.tokens)}\n` : token.text
    },
  },
})

/** Markdown as the plain text of an email: no markup, each link followed by its address. */
export const markdownToText = (markdown: string): string => plainTextMarked.parse(markdown, { async: false }).trim()
