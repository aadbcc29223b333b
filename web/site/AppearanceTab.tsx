import { useQuery } from '@tanstack/react-query'
import { useRef, useState } from 'react'
import { AppearanceDraft, adminAppearanceApi } from '../../worker/contract/appearance'
import { NAV_SECTIONS } from '../../worker/contract/home-sections'
import { adminQuery, useAdminMutation } from '../admin/admin.queries'
import { AutosaveHint, RestoredDraftNotice } from '../admin/FormDraftNotices'
import { Panel } from '../admin/Panel'
import { ScreenLink } from '../admin/ScreenLink'
import { type ComparedField, isSame } from '../admin/save-conflict'
import { useAutosave } from '../admin/useFormDraft'
import { useSaveConflict } from '../admin/useSaveConflict'
import { call, errorMessage, hasCode } from '../api/call'
import { Button } from '../ui/Button'
import { FormError } from '../ui/FormError'
import { QueryBoundary } from '../ui/QueryBoundary'
import { toast } from '../ui/toast'
import { AccentField } from './AccentField'
import { AppearancePreview } from './AppearancePreview'
import { LegalTextsPanel } from './LegalTextsPanel'
import { SectionsField, sectionTitle } from './SectionsField'

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
            Your changes are public as soon as you save. Social links, pictures and the tagline are under{' '}
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
          {(saved) => <AppearanceForm initial={saved} />}
        </QueryBoundary>
      </Panel>
      <LegalTextsPanel />
    </div>
  )
}

const CONFLICT_FIELDS: readonly ComparedField[] = [
  {
    name: 'accent',
    label: 'Accent color',
    describe: (accent) => (accent === null ? 'Gold, the default' : String(accent)),
  },
  {
    name: 'sections',
    label: 'Sections of the home page',
    describe: (sections) =>
      (sections as AppearanceDraft['sections'])
        .filter(({ isVisible }) => isVisible)
        .map(({ id }) => sectionTitle(id))
        .join(', '),
  },
  ...NAV_SECTIONS.map(({ id, label }) => ({ name: `labels.${id}`, label: `Label of ${label} in the navigation` })),
]

function AppearanceForm({ initial }: { initial: AppearanceDraft }) {
  // Refetches do not replace the form's values, because the admin may have edited them.
  const autosave = useAutosave<AppearanceDraft>('theme.form', 'Theme and home page')
  const [saved, setSaved] = useState(autosave.restored?.base ?? initial)
  const [draft, setDraft] = useState(autosave.restored?.values ?? initial)
  const latestDraft = useRef(draft)
  latestDraft.current = draft
  const [error, setError] = useState<string | null>(null)
  const conflict = useSaveConflict<AppearanceDraft>({
    fields: CONFLICT_FIELDS,
    getBase: () => saved,
    getMine: () => draft,
    apply: setDraft,
    readLatest: () => call(adminAppearanceApi.appearance, {}),
  })
  const save = useAdminMutation(
    (body: AppearanceDraft) => call(adminAppearanceApi.updateAppearance, { body }),
    ['appearance', 'config'],
  )
  const change = (changes: Partial<AppearanceDraft>) => {
    const values = { ...draft, ...changes }
    setDraft(values)
    autosave.save(() => (isSame(values, saved) ? null : { base: saved, values }))
  }
  const resetTo = (values: AppearanceDraft) => {
    autosave.clear()
    setSaved(values)
    setDraft(values)
  }
  const validation = AppearanceDraft.safeParse(draft)
  const errorOf = (field: keyof AppearanceDraft) =>
    validation.error?.issues.find(({ path: [first] }) => first === field)?.message
  const isChanged = !isSame(draft, saved)

  async function submit() {
    setError(null)
    const body = conflict.resolve() ?? draft
    const checked = AppearanceDraft.safeParse(body)
    if (!checked.success) return setError(checked.error.issues[0]?.message ?? '')
    try {
      await save.mutateAsync(checked.data)
      autosave.clear()
      const next = { ...checked.data, version: checked.data.version + 1 }
      setSaved(next)
      // Changes made during the save become a new draft.
      const isUnchanged = isSame(latestDraft.current, body)
      const values = isUnchanged ? next : { ...latestDraft.current, version: next.version }
      setDraft(values)
      if (!isUnchanged) autosave.save(() => ({ base: next, values }))
      toast({ title: 'Saved', text: 'Visitors see it now.' })
    } catch (cause) {
      if (hasCode(cause, 'conflict') && (await conflict.showConflicts())) return
      setError(errorMessage(cause as Error))
    }
  }

  return (
    <div className="grid gap-10 lg:grid-cols-[minmax(0,1fr)_minmax(0,26rem)]">
      <form
        className="grid content-start gap-10"
        onSubmit={(event) => {
          event.preventDefault()
          if (!save.isPending && isChanged) void submit()
        }}
      >
        <RestoredDraftNotice autosave={autosave} onDiscard={() => resetTo(initial)} />
        <AccentField value={draft.accent} onChange={(accent) => change({ accent })} error={errorOf('accent')} />
        <SectionsField
          sections={draft.sections}
          labels={draft.labels}
          onSections={(sections) => change({ sections })}
          onLabels={(labels) => change({ labels })}
          error={errorOf('sections') ?? errorOf('labels')}
        />
        <FormError className="border border-sunset p-4">{error}</FormError>
        {conflict.panel}
        <div className="flex flex-wrap items-center gap-4">
          <Button type="submit" variant="primary" aria-disabled={save.isPending || !isChanged}>
            {save.isPending ? 'Saving' : 'Save'}
          </Button>
          {isChanged && (
            <Button variant="text" onClick={() => resetTo(saved)}>
              Undo all changes
            </Button>
          )}
          <AutosaveHint autosave={autosave} />
        </div>
      </form>
      <AppearancePreview draft={draft} />
    </div>
  )
}
