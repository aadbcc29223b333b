import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { type AdminTrack, adminContentApi, TrackDraft } from '../../worker/contract/admin-content'
import { call } from '../api/call'
import { Button } from '../ui/Button'
import { type Column, DataTable } from '../ui/DataTable'
import { adminTracks, useRemoveWithUndo, useSave } from './content.queries'
import { Panel } from './Panel'
import { RecordDialog } from './RecordDialog'
import type { FieldDefinition } from './RecordField'
import { RowActions } from './RowActions'
import { useLocalListing } from './useTableListing'

const count = new Intl.NumberFormat('en-US')
const columns: readonly Column<AdminTrack>[] = [
  { id: 'title', header: 'Title', cell: (row) => row.title, sortBy: (row) => row.title },
  { id: 'album', header: 'Album', cell: (row) => row.album || 'Single', sortBy: (row) => row.album },
  { id: 'plays', header: 'Plays', cell: (row) => count.format(row.plays), sortBy: (row) => row.plays, numeric: true },
  { id: 'audio', header: 'Recording', cell: (row) => (row.audio ? 'Yes' : 'None yet') },
]
const fields: readonly FieldDefinition<TrackDraft>[] = [
  { name: 'title', label: 'Title' },
  { name: 'artist', label: 'Artist' },
  { name: 'album', label: 'Album', optional: true, hint: 'Empty for a single.' },
  { name: 'durationSeconds', label: 'Length in seconds', kind: 'figure', hint: 'Read from the recording.' },
  { name: 'audio', label: 'Recording', kind: 'audio', lengthInto: 'durationSeconds' },
  { name: 'coverUrl', label: 'Cover', kind: 'picture', shape: 'cover' },
  { name: 'coverAlt', label: 'What the cover shows', wide: true },
  { name: 'spotifyUrl', label: 'Spotify link', kind: 'url', optional: true },
  { name: 'position', label: 'Place in the list', kind: 'figure' },
  { name: 'isTrending', label: 'Trending', kind: 'check', hint: 'The first one is the featured track.' },
  { name: 'isExclusive', label: 'Silver and Gold only', kind: 'check' },
]
const blank: Partial<TrackDraft> = {
  audio: null,
  coverUrl: '',
  album: '',
  spotifyUrl: '',
  isTrending: false,
  isExclusive: false,
  position: 100,
}

/** Every track: added, changed, taken off. */
export function MusicTab() {
  const [open, setOpen] = useState<AdminTrack | 'new' | null>(null)
  const listing = useLocalListing(useQuery(adminTracks), {
    label: 'Search tracks',
    textOf: (row) => `${row.title} ${row.artist} ${row.album}`,
  })
  const save = useSave(
    ({ id, draft }: { id: string | null; draft: TrackDraft }) =>
      id === null
        ? call(adminContentApi.addTrack, { body: draft })
        : call(adminContentApi.updateTrack, { id, body: draft }),
    ['tracks'],
  )
  const remove = useRemoveWithUndo(
    'tracks',
    (id) => call(adminContentApi.removeTrack, { id }),
    (id) => call(adminContentApi.restoreTrack, { id }),
  )
  return (
    <Panel title="Tracks">
      <DataTable
        caption="Tracks"
        listing={listing}
        columns={columns}
        rowKey={(row) => row.id}
        empty="No track yet."
        tools={<Button onClick={() => setOpen('new')}>Add a track</Button>}
        actions={(row) => (
          <RowActions name={row.title} onEdit={() => setOpen(row)} onDelete={() => remove(row.id, row.title)} />
        )}
      />
      {open && (
        <RecordDialog
          title={open === 'new' ? 'A new track' : open.title}
          schema={TrackDraft}
          fields={fields}
          values={open === 'new' ? blank : toDraft(open)}
          save={(draft) => save.mutateAsync({ id: open === 'new' ? null : open.id, draft })}
          onClose={() => setOpen(null)}
        />
      )}
    </Panel>
  )
}

const toDraft = ({ id: _, plays: __, ...draft }: AdminTrack): TrackDraft => draft
