import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { Pencil } from 'lucide-react'
import {
  type AdminRelease,
  type AdminTrack,
  adminContentApi,
  type TrackDraft,
} from '../../worker/contract/admin-content'
import { RELEASE_KIND_LABEL } from '../../worker/contract/releases'
import { call } from '../api/call'
import { formatCount } from '../lib/format'
import { useNow } from '../lib/useNow'
import { buttonClass } from '../ui/Button'
import type { Column } from '../ui/DataTable'
import { adminQuery, useRemoveWithUndo } from './admin.queries'
import { type CrudDefinition, CrudPanel, RowActions } from './CrudPanel'
import { ListPanel } from './ListPanel'
import { useLocalListing } from './listings'
import { formatReleaseTime } from './ReleaseTimeField'
import { trackForm } from './track-form'

const tracks: CrudDefinition<AdminTrack, TrackDraft> = {
  title: 'Tracks',
  noun: 'track',
  keys: ['tracks', 'releases'],
  useListing: () =>
    useLocalListing(useQuery(adminQuery('tracks', adminContentApi.tracks)), {
      label: 'Search tracks',
      textOf: (row) => `${row.title} ${row.artist} ${row.album}`,
    }),
  columns: [
    { id: 'title', header: 'Title', cell: (row) => row.title, sortBy: (row) => row.title },
    { id: 'album', header: 'Album', cell: (row) => row.album || 'Single', sortBy: (row) => row.album },
    { id: 'plays', header: 'Plays', cell: (row) => formatCount(row.plays), sortBy: (row) => row.plays, numeric: true },
    { id: 'audio', header: 'Recording', cell: (row) => (row.audio ? 'Yes' : 'None yet') },
    { id: 'state', header: 'State', cell: (row) => (row.isReleased ? 'Out' : 'Not out yet') },
  ],
  nameOf: (row) => row.title,
  form: trackForm,
  add: adminContentApi.addTrack,
  update: adminContentApi.updateTrack,
  remove: adminContentApi.removeTrack,
  restore: adminContentApi.restoreTrack,
}

export const MusicTab = () => (
  <div className="grid gap-12">
    <ReleasesPanel />
    <CrudPanel definition={tracks} />
  </div>
)

const RELEASE_KEYS = ['releases', 'tracks']
const TICK_MS = 30_000

function ReleasesPanel() {
  const now = useNow(TICK_MS)
  const { data: site } = useQuery(adminQuery('site', adminContentApi.site))
  const listing = useLocalListing(useQuery(adminQuery('releases', adminContentApi.releases)), {
    label: 'Search releases',
    textOf: (row) => `${row.title} ${row.artist} ${RELEASE_KIND_LABEL[row.kind]}`,
  })
  const removeWithUndo = useRemoveWithUndo({
    keys: RELEASE_KEYS,
    remove: (id) => call(adminContentApi.removeRelease, { id }),
    restore: (id) => call(adminContentApi.restoreRelease, { id }),
  })
  const columns: readonly Column<AdminRelease>[] = [
    { id: 'title', header: 'Title', cell: (row) => row.title, sortBy: (row) => row.title },
    { id: 'kind', header: 'Kind', cell: (row) => RELEASE_KIND_LABEL[row.kind], sortBy: (row) => row.kind },
    {
      id: 'tracks',
      header: 'Tracks',
      cell: (row) => row.trackIds.length,
      sortBy: (row) => row.trackIds.length,
      numeric: true,
    },
    {
      id: 'time',
      header: 'Release time',
      cell: (row) => site && <time dateTime={row.releasedAt}>{formatReleaseTime(row.releasedAt, site.timeZone)}</time>,
      sortBy: (row) => row.releasedAt,
    },
    {
      id: 'state',
      header: 'State',
      cell: (row) => {
        if (Date.parse(row.releasedAt) > now)
          return <span className="text-gold">{row.isAnnounced ? 'Scheduled, countdown on' : 'Scheduled'}</span>
        return row.trackIds.length === 0 ? <span className="text-sunset">Hidden: no track</span> : <span>Out</span>
      },
    },
  ]
  return (
    <ListPanel
      title="Releases"
      note={site && `Times are those of ${site.timeZone}.`}
      listing={listing}
      columns={columns}
      empty="No releases yet."
      tools={
        <Link to="/admin/releases/$id" params={{ id: 'new' }} className={buttonClass()}>
          Add a release
        </Link>
      }
      actions={(row) => (
        <>
          <Link
            to="/admin/releases/$id"
            params={{ id: row.id }}
            aria-label={`Edit the release ${row.title}`}
            className={buttonClass('text')}
          >
            <Pencil size={18} aria-hidden />
            Edit
          </Link>
          <RowActions name={`the release ${row.title}`} onDelete={() => removeWithUndo(row.id, row.title)} />
        </>
      )}
    />
  )
}
