import { useQuery } from '@tanstack/react-query'
import { type ReactNode, useState } from 'react'
import { type AdminExclusivePost, communityApi, TierPostDraft } from '../../worker/contract/community'
import { useAdminMutation, useRemoveWithUndo } from '../admin/admin.queries'
import { RecordDialog } from '../admin/CrudPanel'
import type { FieldDefinition } from '../admin/RecordForm'
import { call } from '../api/call'
import { useLocalDay } from '../lib/local-day'
import { Button } from '../ui/Button'
import { LoadError } from '../ui/LoadError'
import { Skeleton } from '../ui/Skeleton'
import { publishedExclusivePosts } from './moderation.queries'
import { RemovedPosts } from './RemovedPosts'
import { TIER_OPTIONS } from './tier-options'

const fields: readonly FieldDefinition<TierPostDraft>[] = [
  { name: 'title', label: 'Title' },
  { name: 'tier', label: 'For', kind: 'select', options: TIER_OPTIONS },
  { name: 'text', label: 'Post', kind: 'textarea', rows: 10 },
]

/** What stands for the tiers, each to be changed or taken down; the toast puts it back, and later the list beneath. */
export function ExclusivePostsAdmin() {
  const { data, error, refetch, isFetching } = useQuery(publishedExclusivePosts)
  const [open, setOpen] = useState<AdminExclusivePost | null>(null)
  const save = useAdminMutation(
    ({ id, draft }: { id: string; draft: TierPostDraft }) =>
      call(communityApi.updateExclusivePost, { id, body: draft }),
    ['tier-posts', 'community'],
  )
  const removePost = useRemoveWithUndo({
    keys: ['tier-posts', 'community'],
    remove: (id) => call(communityApi.takeDown, { id }),
    restore: (id) => call(communityApi.restore, { id }),
    title: 'Taken down',
  })
  return (
    <section aria-labelledby="published-posts" className="mt-12 max-w-2xl">
      <h3 id="published-posts" className="mb-4 font-display text-lg">
        Published
      </h3>
      {data ? (
        <ul className="grid gap-6">
          {data.length === 0 && <li className="text-muted">Nothing is published yet.</li>}
          {data.map((post) => (
            <li key={post.id}>
              <ExclusivePostRow post={post}>
                <Button variant="quiet" aria-label={`Edit ${post.title}`} onClick={() => setOpen(post)}>
                  Edit
                </Button>
                <Button
                  variant="quiet"
                  aria-label={`Take down ${post.title}`}
                  onClick={() => removePost(post.id, post.title)}
                >
                  Take down
                </Button>
              </ExclusivePostRow>
            </li>
          ))}
        </ul>
      ) : error ? (
        <LoadError onRetry={() => void refetch()} retrying={isFetching}>
          The posts could not be fetched.
        </LoadError>
      ) : (
        <Skeleton className="h-40" label="Fetching the posts" />
      )}
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

function ExclusivePostRow({ post, children }: { post: AdminExclusivePost; children: ReactNode }) {
  const day = useLocalDay(post.createdAt)
  return (
    <article aria-label={post.title} className="border border-rule bg-sleeve p-4 md:p-5">
      <p className="flex flex-wrap gap-x-4 text-sm text-muted">
        <time dateTime={post.createdAt} className="figures">
          {day}
        </time>
        <span className="text-gold-bright">{post.tier === 'gold' ? 'Gold' : 'Silver and Gold'}</span>
      </p>
      <h4 className="mt-2 font-semibold wrap-anywhere">{post.title}</h4>
      <p className="mt-2 line-clamp-4 whitespace-pre-line text-muted wrap-anywhere">{post.text}</p>
      <div className="mt-2 -ml-3 flex flex-wrap gap-x-2">{children}</div>
    </article>
  )
}
