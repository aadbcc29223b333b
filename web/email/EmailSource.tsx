import type { DemoEmail } from '../../worker/contract/email'

/** A mail as it travels: its headers, and what it says as HTML. */
export function EmailSource({ mail }: { mail: DemoEmail }) {
  const headers = [['To', mail.to], ['Subject', mail.subject], ['X-Kind', mail.kind], ...Object.entries(mail.headers)]
  return (
    <section aria-label="Source">
      <pre className="overflow-x-auto border border-rule bg-ground p-4 text-xs leading-relaxed whitespace-pre-wrap [overflow-wrap:anywhere]">
        {`${headers.map(([name, value]) => `${name}: ${value}`).join('\n')}\n\n${mail.html}`}
      </pre>
    </section>
  )
}
