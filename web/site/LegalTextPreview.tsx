import '../styles/long-text.css'
import type { LegalTextDraft } from '../../worker/contract/appearance'
import { LEGAL_TEXTS } from '../../worker/contract/appearance-rules'
import { renderPageMarkdown } from '../../worker/lib/markdown'
import { LegalTextBody, LegalTextTitle } from './LegalPage'

/** Previews the page of the legal text with this `id`. */
export function LegalTextPreview({ draft: { text = '' }, id }: { draft: Partial<LegalTextDraft>; id: string }) {
  if (text.trim() === '') return <p className="text-muted">There is no page while the text is empty.</p>
  return (
    <>
      <LegalTextTitle title={LEGAL_TEXTS.find((legal) => legal.id === id)?.title ?? id} />
      <div className="long-text">
        <LegalTextBody html={renderPageMarkdown(text)} />
      </div>
    </>
  )
}
