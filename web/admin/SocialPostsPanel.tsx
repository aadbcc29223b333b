import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { type AdminSocialPost, adminSiteContentApi, SocialPostDraft } from '../../worker/contract/admin-site-content'
import { call } from '../api/call'
import { Button } from '../ui/Button'
import { type Column, DataTable } from '../ui/DataTable'
import { adminSocialPosts } from './admin-lists.queries'
import { useRemoveWithUndo, useSave } from './content.queries'
import { Panel } from './Panel'
import { RecordDialog } from './RecordDialog'
import type { FieldDefinition } from './RecordField'
import { RowActions } from './RowActions'
import { useLocalListing } from './useTableListing'

const columns: readonly Column<AdminSocialPost>[] = [
  { id: 'title', header: 'Title', cell: (row) => row.title, sortBy: (row) => row.title },
  { id: 'url', header: 'Leads to', cell: (row) => <span className="wrap-anywhere">{row.url}</span> },
  { id: 'position', header: 'Place', cell: (row) => row.position, sortBy: (row) => row.position, numeric: true },
]
const fields: readonly FieldDefinition<SocialPostDraft>[] = [
  { name: 'title', label: 'Title' },
  { name: 'position', label: 'Place', kind: 'figure' },
  { name: 'url', label: 'Link', kind: 'url' },
  { name: 'imageUrl', label: 'Picture', kind: 'picture', shape: 'post' },
  { name: 'imageAlt', label: 'What the picture shows', wide: true },
]
const blank: Partial<SocialPostDraft> = { position: 1, imageUrl: '' }

/** The posts elsewhere that stand under the store as 'New Post'. */
export function SocialPostsPanel() {
  const [open, setOpen] = useState<AdminSocialPost | 'new' | null>(null)
  const posts = useQuery(adminSocialPosts)
  const listing = useLocalListing(posts, { label: 'Search posts', textOf: (row) => `${row.title} ${row.url}` })
  const save = useSave(
    ({ id, draft }: { id: string | null; draft: SocialPostDraft }) =>
      id === null
        ? call(adminSiteContentApi.addPost, { body: draft })
        : call(adminSiteContentApi.updatePost, { id, body: draft }),
    ['social-posts', 'config'],
  )
  const remove = useRemoveWithUndo(
    'social-posts',
    (id) => call(adminSiteContentApi.removePost, { id }),
    (id) => call(adminSiteContentApi.restorePost, { id }),
    'config',
  )
  return (
    <Panel title="Social posts" note="Cards under the store that lead to posts elsewhere.">
      <DataTable
        caption="Social posts"
        listing={listing}
        columns={columns}
        rowKey={(row) => row.id}
        empty="No post yet."
        tools={<Button onClick={() => setOpen('new')}>Add a post</Button>}
        actions={(row) => (
          <RowActions name={row.title} onEdit={() => setOpen(row)} onDelete={() => remove(row.id, row.title)} />
        )}
      />
      {open && (
        <RecordDialog
          title={open === 'new' ? 'A new post' : open.title}
          schema={SocialPostDraft}
          fields={fields}
          values={open === 'new' ? blank : toDraft(open)}
          save={(draft) => save.mutateAsync({ id: open === 'new' ? null : open.id, draft })}
          onClose={() => setOpen(null)}
        />
      )}
    </Panel>
  )
}

const toDraft = ({ id: _, ...draft }: AdminSocialPost): SocialPostDraft => draft
