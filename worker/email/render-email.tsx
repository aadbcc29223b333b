/** @jsxImportSource hono/jsx */
import { EmailLayout } from './EmailLayout'
import type { Email } from './outbox'

/** A row of the details table; `strong` makes it bold. */
export type EmailDetail = { label: string; value: string; strong?: boolean }

type EmailContent = {
  kind: string
  subject: string
  from: string
  paragraphs: readonly string[]
  details?: readonly EmailDetail[]
  /** The link opens a page with a button, because email scanners open links. */
  action?: { label: string; url: string }
  code?: string
  /** Shown muted, below the button and the code. */
  smallPrint?: readonly string[]
  /** For list email only. */
  unsubscribe?: UnsubscribeLinks
}

/** `pageUrl` shows a button; email clients post to `oneClickUrl` (RFC 8058). */
export type UnsubscribeLinks = { reason: string; pageUrl: string; oneClickUrl: string }

/**
 * The greeting as a paragraph. None without a name: callers pass null for an unconfirmed address, because a stranger
 * may have chosen the name.
 */
export const greeting = (username: string | null): string[] => (username === null ? [] : [`Hi ${username},`])

/** Renders an email as text and HTML; every value is escaped. */
export function renderEmail(content: EmailContent): Email {
  const { kind, subject, from, paragraphs, details = [], action, code, smallPrint = [], unsubscribe } = content
  const text = [
    ...paragraphs,
    ...(details.length ? [details.map(({ label, value }) => `${label}: ${value}`).join('\n')] : []),
    ...(action ? [`${action.label}:\n${action.url}`] : []),
    ...(code ? [code] : []),
    ...smallPrint,
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
      {details.length > 0 && <DetailsTable details={details} />}
      {action && <ActionButton {...action} />}
      {code && (
        <p class="gold" style="margin:32px 0;font-size:34px;font-weight:700;letter-spacing:.2em;color:#7a5a12">
          {code}
        </p>
      )}
      {smallPrint.map((line) => (
        <p key={line} class="muted" style="margin:0 0 12px;font-size:15px;color:#6b6252">
          {line}
        </p>
      ))}
    </EmailLayout>
  )
  return { kind, subject, text, html: `<!doctype html>${body}`, headers: unsubscribeHeaders(unsubscribe) }
}

/** Headers of RFC 2369 and RFC 8058. */
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

function DetailsTable({ details }: { details: readonly EmailDetail[] }) {
  return (
    <table role="presentation" width="100%" cellpadding="0" cellspacing="0" style="margin:8px 0 28px">
      {details.map(({ label, value, strong }) => (
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
