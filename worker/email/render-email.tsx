/** @jsxImportSource hono/jsx */
import { EmailLayout } from './EmailLayout'
import type { Email } from './outbox'

/** A line of facts: what it is on the left, what it comes to on the right. */
export type Fact = { label: string; value: string; strong?: boolean }

export type EmailContent = {
  /** What it is for, e.g. `verify`; the outbox keeps it. */
  kind: string
  subject: string
  /** The site's name, as the sender signs. */
  from: string
  paragraphs: readonly string[]
  facts?: readonly Fact[]
  /** The one thing to do; opening the link shows a page, its button acts (ruling 13). */
  action?: { label: string; url: string }
  /** A code to type instead of a link to press. */
  code?: string
  /** The last, small lines. */
  after?: readonly string[]
  /** Mail that is not the answer to something asked: how to end it, in one press (RFC 8058) and on a page. */
  unsubscribe?: UnsubscribeLinks
}

/** `page` shows a button; `oneClick` is what a mail program posts to by itself. */
export type UnsubscribeLinks = { reason: string; pageUrl: string; oneClickUrl: string }

/** Writes a mail of the house as text and as HTML, for dark and for light; every value is escaped. */
export function renderEmail(content: EmailContent): Email {
  const { kind, subject, from, paragraphs, facts = [], action, code, after = [], unsubscribe } = content
  const text = [
    ...paragraphs,
    ...(facts.length ? [facts.map(({ label, value }) => `${label}: ${value}`).join('\n')] : []),
    ...(action ? [`${action.label}:\n${action.url}`] : []),
    ...(code ? [code] : []),
    ...after,
    from,
    ...(unsubscribe ? [`${unsubscribe.reason}\nUnsubscribe: ${unsubscribe.pageUrl}`] : []),
  ].join('\n\n')
  const body = (
    <EmailLayout subject={subject} from={from} preview={paragraphs.at(-1) ?? ''} unsubscribe={unsubscribe}>
      {paragraphs.map((paragraph) => (
        <p key={paragraph} style="margin:0 0 20px;white-space:pre-line">
          {paragraph}
        </p>
      ))}
      {facts.length > 0 && <FactsTable facts={facts} />}
      {action && <ActionButton {...action} />}
      {code && (
        <p class="gold" style="margin:32px 0;font-size:34px;font-weight:700;letter-spacing:.2em;color:#7a5a12">
          {code}
        </p>
      )}
      {after.map((line) => (
        <p key={line} class="muted" style="margin:0 0 12px;font-size:15px;color:#6b6252">
          {line}
        </p>
      ))}
    </EmailLayout>
  )
  return { kind, subject, text, html: `<!doctype html>${body}`, headers: unsubscribeHeaders(unsubscribe) }
}

/** What lets a mail program offer its own way out (RFC 2369, RFC 8058). */
export function unsubscribeHeaders(unsubscribe: UnsubscribeLinks | undefined): Record<string, string> {
  if (!unsubscribe) return {}
  return { 'List-Unsubscribe': `<${unsubscribe.oneClickUrl}>`, 'List-Unsubscribe-Post': 'List-Unsubscribe=One-Click' }
}

function ActionButton({ label, url }: { label: string; url: string }) {
  return (
    <p style="margin:32px 0">
      <a
        class="button"
        href={url}
        style="display:inline-block;background:#16130d;color:#f0cf7d;padding:16px 28px;font-weight:700;text-decoration:none;border-radius:2px"
      >
        {label}
      </a>
    </p>
  )
}

function FactsTable({ facts }: { facts: readonly Fact[] }) {
  return (
    <table role="presentation" width="100%" cellpadding="0" cellspacing="0" style="margin:8px 0 28px">
      {facts.map(({ label, value, strong }) => (
        <tr key={label}>
          <td
            class="muted rule"
            valign="top"
            style={`padding:10px 16px 10px 0;max-width:130px;overflow-wrap:break-word;border-top:1px solid #ddd2bb;color:#6b6252${strong ? ';font-weight:700' : ''}`}
          >
            {label}
          </td>
          <td
            class="rule"
            valign="top"
            align="right"
            style={`padding:10px 0;border-top:1px solid #ddd2bb;font-variant-numeric:tabular-nums;font-weight:${strong ? 700 : 500}`}
          >
            {value}
          </td>
        </tr>
      ))}
    </table>
  )
}
