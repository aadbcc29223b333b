const count = new Intl.NumberFormat('en-US')

/** What this page's own policy would keep out of the frame, and complain about: the letter is shown without it. */
const STYLE_ELEMENT = /<style>[\s\S]*?<\/style>/

/** The letter as a mail program shows it that drops style sheets, as many do. The frame runs nothing. */
export function BroadcastPreview({ html, text, recipients }: { html: string; text: string; recipients: number }) {
  return (
    <section aria-label="Preview" className="border-t border-rule pt-6">
      <p className="text-sm text-muted">
        {count.format(recipients)} {recipients === 1 ? 'reader' : 'readers'} would get it now.
      </p>
      <iframe
        title="The letter"
        sandbox=""
        srcDoc={html.replace(STYLE_ELEMENT, '')}
        className="mt-4 h-160 w-full border border-rule bg-ivory"
      />
      <details className="mt-4">
        <summary className="min-h-12 py-3 font-label text-muted">As text</summary>
        <pre className="text-sm whitespace-pre-wrap">{text}</pre>
      </details>
    </section>
  )
}
