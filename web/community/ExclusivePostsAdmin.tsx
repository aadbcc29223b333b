import { useQuery } from '@tanstack/react-query'
import { type FormEvent, useState } from 'react'
import { type AdminExclusivePost, communityApi, TierPostDraft } from '../../worker/contract/community'
import { useAdminMutation, useRemoveWithUndo } from '../admin/admin.queries'
import { RecordDialog } from '../admin/RecordDialog'
import type { FieldDefinition } from '../admin/RecordForm'
import { call, errorMessage } from '../api/call'
import { useLocalDay } from '../lib/local-day'
import { Button } from '../ui/Button'
import { SelectField, TextAreaField, TextField } from '../ui/Field'
import { QueryBoundary } from '../ui/QueryBoundary'
import { toast, toastError } from '../ui/toast'
import { COMMUNITY_KEYS, publishedExclusivePosts, removedExclusivePosts } from './moderation.queries'

const TIER_NAMES = { silver: 'Silver and Gold', gold: 'Gold' } as const
const TIER_OPTIONS = [
  { value: 'silver', label: TIER_NAMES.silver },
  { value: 'gold', label: TIER_NAMES.gold },
] as const
const fields: readonly FieldDefinition<TierPostDraft>[] = [
  { name: 'title', label: 'Title' },
  { name: 'tier', label: 'For', kind: 'select', options: TIER_OPTIONS },
  { name: 'text', label: 'Post', kind: 'textarea', rows: 10 },
]

/** Publishes a post for a tier and the tiers above it. */
export function ExclusivePostForm() {
  const publish = useAdminMutation((body: TierPostDraft) => call(communityApi.publish, { body }), COMMUNITY_KEYS)
  const [error, setError] = useState<string>()
  const submit = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault()
    if (publish.isPending) return
    const form = event.currentTarget
    const data = new FormData(form)
    const tier = data.get('tier') === 'gold' ? 'gold' : 'silver'
    setError(undefined)
    publish.mutate(
      { title: String(data.get('title')), text: String(data.get('text')), tier },
      {
        onSuccess: () => {
          form.reset()
          toast({ title: 'Published' })
        },
        onError: (error) => setError(errorMessage(error)),
      },
    )
  }
  return (
    <form noValidate onSubmit={submit} className="grid max-w-2xl gap-6">
      <TextField label="Title" name="title" maxLength={120} required />
      <SelectField label="For" name="tier" options={TIER_OPTIONS} />
      <TextAreaField label="Post" name="text" rows={8} maxLength={10_000} required error={error} />
      <Button type="submit" variant="primary" aria-disabled={publish.isPending} className="justify-self-start">
        {publish.isPending ? 'Publishing' : 'Publish'}
      </Button>
    </form>
  )
}

/** Edits and removes published posts for the tiers, and restores removed ones. */
export function ExclusivePostsAdmin() {
  const [open, setOpen] = useState<AdminExclusivePost | null>(null)
  const save = useAdminMutation(
    ({ id, draft }: { id: string; draft: TierPostDraft }) =>
      call(communityApi.updateExclusivePost, { id, body: draft }),
    COMMUNITY_KEYS,
  )
  const removePost = useRemoveWithUndo({
    keys: COMMUNITY_KEYS,
    remove: (id) => call(communityApi.takeDown, { id }),
    restore: (id) => call(communityApi.restore, { id }),
    title: 'Unpublished',
  })
  return (
    <section aria-labelledby="published-posts" className="mt-12 max-w-2xl">
      <h3 id="published-posts" className="mb-4 font-display text-lg">
        Published
      </h3>
      <QueryBoundary
        query={useQuery(publishedExclusivePosts)}
        loading={{ className: 'h-40', label: 'Loading the posts' }}
        error="The posts could not be loaded."
      >
        {(posts) => (
          <ul className="grid gap-6">
            {posts.length === 0 && <li className="text-muted">No posts yet.</li>}
            {posts.map((post) => (
              <li key={post.id}>
                <PublishedPost
                  post={post}
                  onEdit={() => setOpen(post)}
                  onRemove={() => removePost(post.id, post.title)}
                />
              </li>
            ))}
          </ul>
        )}
      </QueryBoundary>
      <RemovedPosts />
      {open && (
        <RecordDialog
          title={open.title}
          schema={TierPostDraft}
          fields={fields}
          values={toDraft(open)}
          save={(draft) => save.mutateAsync({ id: open.id, draft })}
          onClose={() => setOpen(null)}
        />
      )}
    </section>
  )
}

const toDraft = ({ title, text, tier }: AdminExclusivePost): TierPostDraft => ({ title, text, tier })

type PublishedPostProps = { post: AdminExclusivePost; onEdit: () => void; onRemove: () => void }

function PublishedPost({ post: { title, text, tier, createdAt }, onEdit, onRemove }: PublishedPostProps) {
  const day = useLocalDay(createdAt)
  return (
    <article aria-label={title} className="border border-rule bg-sleeve p-4 md:p-5">
      <p className="flex flex-wrap gap-x-4 text-sm text-muted">
        <time dateTime={createdAt} className="tabular-figures">
          {day}
        </time>
        <span className="text-gold-bright">{TIER_NAMES[tier]}</span>
      </p>
      <h4 className="mt-2 font-semibold wrap-anywhere">{title}</h4>
      <p className="mt-2 line-clamp-4 whitespace-pre-line text-muted wrap-anywhere">{text}</p>
      <div className="mt-2 -ml-3 flex flex-wrap gap-x-2">
        <Button variant="text" aria-label={`Edit ${title}`} onClick={onEdit}>
          Edit
        </Button>
        <Button variant="text" aria-label={`Unpublish ${title}`} onClick={onRemove}>
          Unpublish
        </Button>
      </div>
    </article>
  )
}

function RemovedPosts() {
  const { data } = useQuery(removedExclusivePosts)
  const restore = useAdminMutation((id: string) => call(communityApi.restore, { id }), COMMUNITY_KEYS)
  if (!data || data.length === 0) return null
  const onRestore = (id: string, title: string) =>
    restore.isPending ||
    restore.mutate(id, {
      onSuccess: () => toast({ title: 'Republished', text: `${title} is on the site again.` }),
      onError: toastError('Not republished'),
    })
  return (
    <section aria-labelledby="taken-down-posts" className="mt-10">
      <h3 id="taken-down-posts" className="mb-2 font-display text-lg">
        Unpublished
      </h3>
      <ul>
        {data.map(({ id, title, tier }) => (
          <li key={id} className="flex flex-wrap items-center justify-between gap-x-4 border-b border-rule py-2">
            <span className="min-w-0 wrap-anywhere">
              {title} <span className="text-sm text-muted">{TIER_NAMES[tier]}</span>
            </span>
            <Button
              variant="text"
              className="-mr-3"
              aria-label={`Republish ${title}`}
              aria-disabled={restore.isPending}
              onClick={() => onRestore(id, title)}
            >
              Republish
            </Button>
          </li>
        ))}
      </ul>
    </section>
  )
}
