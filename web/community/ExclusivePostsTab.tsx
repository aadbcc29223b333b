import { clsx } from 'clsx'
import { useState } from 'react'
import { type AdminExclusivePost, communityApi } from '../../worker/contract/community'
import { EXCLUSIVE_POST_LIMITS } from '../../worker/contract/draft-rules'
import { ExclusivePostDraft } from '../../worker/contract/drafts'
import { useAdminMutation, useRemoveWithUndo } from '../admin/admin.queries'
import { AutosaveHint, RestoredDraftNotice } from '../admin/FormDraftNotices'
import { WithPreview } from '../admin/FormPreview'
import { ExclusivePostPreview } from '../admin/lazy-previews'
import { EditableList, type EditableListDefinition } from '../admin/list/EditableList'
import { choiceFilter, toOptions } from '../admin/list/list-definition'
import { Panel } from '../admin/Panel'
import type { FieldDefinition } from '../admin/RecordField'
import { isSame } from '../admin/save-conflict'
import { useAutosave, useFormDraft } from '../admin/useFormDraft'
import { call, errorMessage } from '../api/call'
import { formatDate } from '../lib/format'
import { useSchemaForm } from '../lib/useSchemaForm'
import { Button } from '../ui/Button'
import { SelectField, TextAreaField, TextField } from '../ui/Field'
import { FormError } from '../ui/FormError'
import { toast, toastError } from '../ui/toast'
import { COMMUNITY_QUERY_KEYS } from './moderation.queries'

const TIER_NAMES = { silver: 'Silver and Gold', gold: 'Gold' } as const
const TIER_OPTIONS = toOptions(TIER_NAMES)
const postFields: readonly FieldDefinition<ExclusivePostDraft>[] = [
  { name: 'title', label: 'Title' },
  { name: 'tier', label: 'Tier', kind: 'select', options: TIER_OPTIONS },
  { name: 'text', label: 'Post', kind: 'textarea', rows: 10 },
]

const BLANK_POST: ExclusivePostDraft = { title: '', text: '', tier: 'silver' }

/** Publishes a post for a tier and the tiers above it. */
function ExclusivePostForm() {
  const publish = useAdminMutation(
    (body: ExclusivePostDraft) => call(communityApi.publish, { body }),
    COMMUNITY_QUERY_KEYS,
  )
  const autosave = useAutosave('new-tier-post.form', 'A new post')
  const form = useSchemaForm(ExclusivePostDraft, BLANK_POST)
  useFormDraft(form, autosave)
  const [error, setError] = useState<string>()
  const { errors } = form.formState
  const clear = () => {
    autosave.clear()
    form.reset(BLANK_POST)
  }
  const submit = form.handleSubmit((draft) => {
    if (publish.isPending) return
    setError(undefined)
    const submitted = form.getValues()
    publish.mutate(draft, {
      onSuccess: () => {
        // Input that has changed since the submission belongs to the next post.
        if (isSame(form.getValues(), submitted)) clear()
        toast({ title: 'Published' })
      },
      onError: (error) => setError(errorMessage(error)),
    })
  })
  return (
    <WithPreview preview={ExclusivePostPreview} draft={form.watch()}>
      {(inlinePreview) => (
        <form noValidate onSubmit={(event) => void submit(event)} className="grid max-w-2xl content-start gap-6">
          <RestoredDraftNotice autosave={autosave} onDiscard={clear} />
          <TextField
            label="Title"
            maxLength={EXCLUSIVE_POST_LIMITS.title}
            required
            error={errors.title?.message}
            {...form.register('title')}
          />
          <SelectField label="Tier" options={TIER_OPTIONS} {...form.register('tier')} />
          <TextAreaField
            label="Post"
            rows={8}
            maxLength={EXCLUSIVE_POST_LIMITS.text}
            required
            error={errors.text?.message}
            {...form.register('text')}
          />
          {inlinePreview}
          <FormError>{error}</FormError>
          <div className="flex flex-wrap items-center gap-x-6 gap-y-2">
            <Button type="submit" variant="primary" aria-disabled={publish.isPending}>
              {publish.isPending ? 'Publishing' : 'Publish the post'}
            </Button>
            <AutosaveHint autosave={autosave} />
          </div>
        </form>
      )}
    </WithPreview>
  )
}

const unpublish = ({ id }: { id: string }) => call(communityApi.unpublish, { id })
const republish = ({ id }: { id: string }) => call(communityApi.republish, { id })

const postList: EditableListDefinition<'/api/admin/posts', AdminExclusivePost, ExclusivePostDraft> = {
  list: {
    name: 'tier-posts',
    title: 'Written posts',
    endpoint: communityApi.exclusivePosts,
    searchLabel: 'Search by title or text',
    nameOf: (row) => row.title,
    columns: [
      { id: 'title', header: 'Title', cell: (row) => row.title, sort: 'title' },
      {
        id: 'text',
        header: 'Post',
        cell: (row) => <span className="line-clamp-2 max-w-prose wrap-anywhere">{row.text}</span>,
      },
      { id: 'tier', header: 'Tier', cell: (row) => TIER_NAMES[row.tier] },
      { id: 'created', header: 'Posted', cell: (row) => formatDate(row.createdAt), sort: 'created' },
      {
        id: 'state',
        header: 'State',
        cell: (row) => (
          <span className={clsx('whitespace-nowrap', row.removedAt && 'text-muted')}>
            {row.removedAt ? 'Unpublished' : 'Published'}
          </span>
        ),
      },
    ],
    filters: [
      choiceFilter('state', 'State', { published: 'Published', unpublished: 'Unpublished' }),
      choiceFilter('tier', 'Tier', TIER_NAMES),
      { id: 'created', label: 'Posted', kind: 'days' },
    ],
    bulkActions: [
      {
        label: 'Unpublish',
        appliesTo: (row) => row.removedAt === null,
        run: unpublish,
        undo: republish,
        keys: COMMUNITY_QUERY_KEYS,
        done: 'Posts unpublished',
      },
      {
        label: 'Republish',
        appliesTo: (row) => row.removedAt !== null,
        run: republish,
        undo: unpublish,
        keys: COMMUNITY_QUERY_KEYS,
        done: 'Posts republished',
      },
    ],
    empty: 'No posts yet. Write the first one above.',
  },
  noun: 'post',
  keys: COMMUNITY_QUERY_KEYS,
  form: {
    schema: ExclusivePostDraft,
    fields: postFields,
    toDraft: ({ title, text, tier, version }) => ({ title, text, tier, version }),
    preview: ExclusivePostPreview,
  },
  isEditable: (row) => row.removedAt === null,
  endpoints: { update: communityApi.updateExclusivePost },
}

/** Lists the posts for the paid tiers, with actions to edit, unpublish and republish them. */
function ExclusivePostsList() {
  const restore = useAdminMutation((id: string) => republish({ id }), COMMUNITY_QUERY_KEYS)
  const unpublishWithUndo = useRemoveWithUndo({
    keys: COMMUNITY_QUERY_KEYS,
    remove: (id) => unpublish({ id }),
    restore: (id) => republish({ id }),
    title: 'Unpublished',
  })
  const onRepublish = ({ id, title }: AdminExclusivePost) =>
    restore.isPending ||
    restore.mutate(id, {
      onSuccess: () => toast({ title: 'Republished', text: `${title} is on the site again.` }),
      onError: toastError('Not republished'),
    })
  return (
    <EditableList
      definition={postList}
      actions={(row, editButton) => (
        <>
          {editButton}
          {row.removedAt === null ? (
            <Button
              variant="text"
              aria-label={`Unpublish ${row.title}`}
              onClick={() => unpublishWithUndo(row.id, row.title)}
            >
              Unpublish
            </Button>
          ) : (
            <Button
              variant="text"
              aria-label={`Republish ${row.title}`}
              aria-disabled={restore.isPending}
              onClick={() => onRepublish(row)}
            >
              Republish
            </Button>
          )}
        </>
      )}
    />
  )
}

/** The team's posts for the paid tiers. */
export const ExclusivePostsTab = () => (
  <div className="grid gap-12">
    <Panel title="Posts" note="Silver posts are for Silver and Gold. Everyone else sees the title and a lock.">
      <ExclusivePostForm />
    </Panel>
    <ExclusivePostsList />
  </div>
)
