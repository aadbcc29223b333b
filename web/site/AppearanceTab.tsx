import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { AppearanceDraft, adminAppearanceApi } from '../../worker/contract/appearance'
import { adminQuery, useAdminMutation } from '../admin/admin.queries'
import { Panel } from '../admin/Panel'
import { ScreenLink } from '../admin/ScreenLink'
import { call, errorMessage, hasCode } from '../api/call'
import { Button } from '../ui/Button'
import { QueryBoundary } from '../ui/QueryBoundary'
import { toast } from '../ui/toast'
import { AccentField } from './AccentField'
import { AppearancePreview } from './AppearancePreview'
import { LegalTextsPanel } from './LegalTextsPanel'
import { SectionsField } from './SectionsField'

const appearanceQuery = adminQuery('appearance', adminAppearanceApi.appearance)

/** Colors, the home page's sections, the navigation and the legal texts. */
export function AppearanceTab() {
  const query = useQuery(appearanceQuery)
  return (
    <div className="grid gap-12">
      <Panel
        title="Theme and home page"
        note={
          <>
            What changes here is public as soon as you save. Social links, pictures and the tagline are under{' '}
            <ScreenLink screen="site" className="text-gold underline underline-offset-4 hover:text-gold-bright">
              Site
            </ScreenLink>
            .
          </>
        }
      >
        <QueryBoundary
          query={query}
          loading={{ label: 'Loading the theme', className: 'h-96' }}
          error="The theme could not be loaded."
        >
          {(saved) => <AppearanceForm key={saved.version} saved={saved} reload={() => query.refetch()} />}
        </QueryBoundary>
      </Panel>
      <LegalTextsPanel />
    </div>
  )
}

type FormProps = { saved: AppearanceDraft; reload: () => Promise<{ data?: AppearanceDraft }> }

function AppearanceForm({ saved, reload }: FormProps) {
  const [draft, setDraft] = useState(saved)
  const [error, setError] = useState<{ message: string; isConflict: boolean } | null>(null)
  const save = useAdminMutation(
    (body: AppearanceDraft) => call(adminAppearanceApi.updateAppearance, { body }),
    ['appearance', 'config'],
  )
  const change = (changes: Partial<AppearanceDraft>) => setDraft({ ...draft, ...changes })
  const checked = AppearanceDraft.safeParse(draft)
  const errorOf = (field: keyof AppearanceDraft) =>
    checked.error?.issues.find(({ path: [first] }) => first === field)?.message
  const isChanged = JSON.stringify(draft) !== JSON.stringify(saved)

  async function submit(version: number) {
    setError(null)
    if (!checked.success) return setError({ message: checked.error.issues[0]?.message ?? '', isConflict: false })
    try {
      await save.mutateAsync({ ...checked.data, version })
      toast({ title: 'Saved', text: 'Visitors see it now.' })
    } catch (cause) {
      setError({ message: errorMessage(cause as Error), isConflict: hasCode(cause, 'conflict') })
    }
  }
  async function overwrite() {
    // The form is remounted for another version, so theirs is read without showing it.
    const theirs = await call(adminAppearanceApi.appearance, {})
    await submit(theirs.version)
  }

  return (
    <div className="grid gap-10 lg:grid-cols-[minmax(0,1fr)_minmax(0,26rem)]">
      <form
        className="grid content-start gap-10"
        onSubmit={(event) => {
          event.preventDefault()
          if (!save.isPending) void submit(draft.version)
        }}
      >
        <AccentField value={draft.accent} onChange={(accent) => change({ accent })} error={errorOf('accent')} />
        <SectionsField
          sections={draft.sections}
          labels={draft.labels}
          onSections={(sections) => change({ sections })}
          onLabels={(labels) => change({ labels })}
          error={errorOf('sections') ?? errorOf('labels')}
        />
        {error && (
          <div role="alert" className="border border-sunset p-4">
            <p className="text-sunset">{error.message}</p>
            {error.isConflict && (
              <div className="mt-4 flex flex-wrap gap-3">
                <Button onClick={() => void overwrite()}>Overwrite with mine</Button>
                <Button variant="text" onClick={() => void reload()}>
                  Discard mine and load theirs
                </Button>
              </div>
            )}
          </div>
        )}
        <div className="flex flex-wrap items-center gap-4">
          <Button type="submit" variant="primary" aria-disabled={save.isPending || !isChanged}>
            {save.isPending ? 'Saving' : 'Save'}
          </Button>
          {isChanged && (
            <Button variant="text" onClick={() => setDraft(saved)}>
              Undo all changes
            </Button>
          )}
        </div>
      </form>
      <AppearancePreview draft={draft} />
    </div>
  )
}
