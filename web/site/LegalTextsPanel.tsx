import { useQuery } from '@tanstack/react-query'
import { type AdminLegalText, adminAppearanceApi, LegalTextDraft } from '../../worker/contract/appearance'
import { LEGAL_TEXTS, legalTextPath } from '../../worker/contract/appearance-rules'
import { adminQuery, useAdminMutation } from '../admin/admin.queries'
import { LegalTextPreview } from '../admin/lazy-previews'
import { Panel } from '../admin/Panel'
import { RecordForm } from '../admin/RecordForm'
import { useAutosave } from '../admin/useFormDraft'
import { call } from '../api/call'
import { QueryBoundary } from '../ui/QueryBoundary'

const legalTextsQuery = adminQuery('legal-texts', adminAppearanceApi.legalTexts)

/** Terms, returns and legal notice. Each text that is not empty has a page and a link in the footer. */
export function LegalTextsPanel() {
  const query = useQuery(legalTextsQuery)
  return (
    <Panel
      title="Legal texts"
      note="Each text you write gets a page and a link in the footer. Markdown works: ## heading, - list, [link](https://…)."
    >
      <QueryBoundary
        query={query}
        loading={{ label: 'Loading the legal texts', className: 'h-96' }}
        error="The legal texts could not be loaded."
      >
        {(texts) => (
          <div className="grid gap-10">
            {texts.map((text) => (
              <LegalTextForm key={text.id} text={text} />
            ))}
          </div>
        )}
      </QueryBoundary>
    </Panel>
  )
}

function LegalTextForm({ text: { id, ...values } }: { text: AdminLegalText }) {
  const title = LEGAL_TEXTS.find((text) => text.id === id)?.title ?? id
  const save = useAdminMutation(
    (body: LegalTextDraft) => call(adminAppearanceApi.updateLegalText, { id, body }),
    ['legal-texts', 'config'],
  )
  const autosave = useAutosave(`legal-texts.${id}`, title)
  return (
    <RecordForm
      schema={LegalTextDraft}
      fields={[{ name: 'text', label: title, kind: 'textarea', rows: 8, optional: true }]}
      values={values}
      preview={LegalTextPreview}
      isPreviewInline
      recordId={id}
      save={save.mutateAsync}
      autosave={autosave}
      readLatest={async () => {
        const latest = (await call(adminAppearanceApi.legalTexts, {})).find((other) => other.id === id)
        return latest && { text: latest.text, version: latest.version }
      }}
      savedText={({ text }) =>
        text === '' ? `${title} no longer has a page.` : `${title} is at ${legalTextPath(id)} and in the footer.`
      }
    />
  )
}
