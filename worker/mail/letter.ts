import { html } from 'hono/html'
import type { Letter } from './outbox'

type Content = {
  kind: string
  subject: string
  /** The site's name, as the sender signs. */
  from: string
  paragraphs: readonly string[]
  /** The one thing to do; opening the link shows a page, its button acts (ruling 13). */
  action?: { label: string; url: string }
  /** A code to type instead of a link to press. */
  code?: string
  /** The last, small lines. */
  after?: readonly string[]
}

/** Writes a mail of the house as text and as HTML; every value is escaped. */
export function letter({ kind, subject, from, paragraphs, action, code, after = [] }: Content): Letter {
  const text = [
    ...paragraphs,
    ...(action ? [`${action.label}:\n${action.url}`] : []),
    ...(code ? [code] : []),
    ...after,
    from,
  ].join('\n\n')
  const body = html`<!doctype html>
<html lang="en-US"><head><meta charset="utf-8"><title>${subject}</title></head>
<body style="margin:0;background:#0b0a08;color:#f4efe4;font:17px/1.55 Archivo,Helvetica,Arial,sans-serif">
<div style="max-width:560px;margin:0 auto;padding:40px 24px">
<p style="margin:0 0 32px;padding-top:16px;border-top:2px solid #d9b45b;font-weight:700;text-transform:uppercase;letter-spacing:.06em">${from}</p>
${paragraphs.map((paragraph) => html`<p style="margin:0 0 20px">${paragraph}</p>`)}
${action ? html`<p style="margin:32px 0"><a href="${action.url}" style="display:inline-block;background:#d9b45b;color:#0b0a08;padding:14px 24px;font-weight:700;text-decoration:none">${action.label}</a></p>` : ''}
${code ? html`<p style="margin:32px 0;font-size:32px;font-weight:700;letter-spacing:.2em">${code}</p>` : ''}
${after.map((line) => html`<p style="margin:0 0 12px;font-size:14px;color:#a89f8d">${line}</p>`)}
</div></body></html>`
  return { kind, subject, text, html: String(body) }
}
