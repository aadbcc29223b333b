/** @jsxImportSource hono/jsx */
import { raw } from 'hono/html'
import type { Child } from 'hono/jsx'
import type { UnsubscribeLinks } from './render-email'

// Email clients that drop the style sheet show the light theme. The colors are the tokens of web/styles as hex, which
// every email client reads.
const STYLESHEET = `
:root { color-scheme: light dark; supported-color-schemes: light dark }
a { color: #7a5a12 }
.body h1, .body h2, .body h3 { line-height: 1.15; margin: 32px 0 12px }
.body h1 { font-size: 24px }
.body h2 { font-size: 20px }
.body h3 { font-size: 17px }
.body th { padding: 4px 16px 4px 0; text-align: left }
.body img { max-width: 100%; height: auto }
.body blockquote { margin: 0 0 20px; padding-left: 16px; border-left: 3px solid #c99b3a }
@media (max-width: 400px) { .page { padding: 28px 20px !important } }
@media (prefers-color-scheme: dark) {
  .background { background: #0b0a08 !important; color: #f4efe4 !important }
  .muted { color: #a89f8d !important }
  .gold, a { color: #e8c568 !important }
  .button { background: #d9b45b !important; color: #0b0a08 !important }
  .rule { border-color: #3b3428 !important }
}`

type Props = {
  subject: string
  from: string
  /** Shown beside the subject in a list of emails. */
  preview: string
  unsubscribe?: UnsubscribeLinks
  children: Child
}

/** Layout of every email: one column of at most 560 px, no scripts; only broadcasts contain images. */
export function EmailLayout({ subject, from, preview, unsubscribe, children }: Props) {
  return (
    <html lang="en-US">
      <head>
        <meta charset="utf-8" />
        <meta name="viewport" content="width=device-width, initial-scale=1" />
        <meta name="color-scheme" content="light dark" />
        <meta name="supported-color-schemes" content="light dark" />
        <title>{subject}</title>
        <style>{raw(STYLESHEET)}</style>
      </head>
      <body class="background" style={`margin:0;background:#f7f2e7;color:#16130d;${FONT_STYLE}`}>
        <div style="display:none;max-height:0;overflow:hidden">{preview}</div>
        <div
          class="page background"
          style="max-width:560px;margin:0 auto;padding:44px 28px;background:#f7f2e7;color:#16130d"
        >
          <p
            class="gold"
            style="margin:0 0 36px;padding-top:18px;border-top:4px solid #c99b3a;font-weight:800;font-size:15px;text-transform:uppercase;letter-spacing:.08em;color:#7a5a12"
          >
            {from}
          </p>
          <h1 style="margin:0 0 24px;font-size:28px;line-height:1.15;font-weight:800;letter-spacing:-.01em">
            {subject}
          </h1>
          <div class="body">{children}</div>
          {unsubscribe && <UnsubscribeFooter {...unsubscribe} />}
        </div>
      </body>
    </html>
  )
}

const FONT_STYLE =
  'font:17px/1.55 Archivo,Helvetica,Arial,sans-serif;overflow-wrap:anywhere;-webkit-text-size-adjust:100%'

function UnsubscribeFooter({ reason, pageUrl }: UnsubscribeLinks) {
  return (
    <p
      class="muted rule"
      style="margin:40px 0 0;padding-top:16px;border-top:1px solid #ddd2bb;font-size:14px;color:#6b6252"
    >
      {reason}{' '}
      <a href={pageUrl} class="gold" style="color:#7a5a12">
        Unsubscribe
      </a>
    </p>
  )
}
