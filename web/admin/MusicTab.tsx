import { useQuery } from '@tanstack/react-query'
import { Link, useNavigate } from '@tanstack/react-router'
import { Pencil } from 'lucide-react'
import {
  type AdminRelease,
  type AdminTrack,
  adminReleasesApi,
  adminSiteApi,
  adminTracksApi,
  type TrackDraft,
} from '../../worker/contract/admin-content'
import { RELEASE_KIND_LABEL } from '../../worker/contract/releases'
import { call } from '../api/call'
import { formatCount, formatZonedDateTime } from '../lib/format'
import { useNow } from '../lib/useNow'
import { buttonClass } from '../ui/Button'
import { adminQuery, useRemoveWithUndo } from './admin.queries'
import { UnsavedDraftNotices } from './FormDraftNotices'
import { AdminList } from './list/AdminList'
import { EditableList, type EditableListDefinition } from './list/EditableList'
import { type AdminListDefinition, choiceFilter } from './list/list-definition'
import { RowActions } from './RecordDialog'
import { trackForm } from './track-form'

const tracks: EditableListDefinition<'/api/admin/tracks', AdminTrack, TrackDraft> = {
  list: {
    name: 'tracks',
    title: 'Tracks',
    endpoint: adminTracksApi.list,
    urlPrefix: 'tracks.',
    searchLabel: 'Search tracks by title, artist or album',
    nameOf: (row) => row.title,
    columns: [
      { id: 'title', header: 'Title', cell: (row) => row.title, sort: 'title' },
      { id: 'artist', header: 'Artist', cell: (row) => row.artist, isOptional: true },
      { id: 'album', header: 'Album', cell: (row) => row.album || 'Single' },
      { id: 'plays', header: 'Plays', cell: (row) => formatCount(row.plays), sort: 'plays', numeric: true },
      { id: 'position', header: 'Place', cell: (row) => row.position, sort: 'position', numeric: true },
      { id: 'audio', header: 'Recording', cell: (row) => (row.audio ? 'Yes' : 'None yet') },
      { id: 'state', header: 'State', cell: (row) => (row.isReleased ? 'Out' : 'Not out yet') },
    ],
    filters: [
      choiceFilter('state', 'State', { out: 'Out', scheduled: 'Not out yet' }),
      choiceFilter('recording', 'Recording', { yes: 'Has a recording', none: 'None yet' }),
      choiceFilter('marked', 'Marked', { trending: 'Trending', exclusive: 'Silver and Gold only' }),
    ],
    empty: 'No tracks yet. Add a track, or add a release and its tracks there.',
  },
  noun: 'track',
  keys: ['tracks', 'releases'],
  form: trackForm,
  endpoints: adminTracksApi,
}

export const MusicTab = () => (
  <div className="grid gap-12">
    <div>
      <UnsavedReleases />
      <ReleasesPanel />
    </div>
    <EditableList definition={tracks} />
  </div>
)

function UnsavedReleases() {
  const navigate = useNavigate()
  return (
    <UnsavedDraftNotices
      list="releases"
      onContinue={(id) => void navigate({ to: '/admin/releases/$id', params: { id } })}
    />
  )
}

const RELEASE_KEYS = ['releases', 'tracks']
const UPDATE_INTERVAL_MS = 30_000
const removeRelease = (id: string) => call(adminReleasesApi.remove, { id })
const restoreRelease = (id: string) => call(adminReleasesApi.restore, { id })

const releaseList = (
  timeZone: string | undefined,
  now: number,
): AdminListDefinition<'/api/admin/releases', AdminRelease> => ({
  name: 'releases',
  title: 'Releases',
  endpoint: adminReleasesApi.list,
  searchLabel: 'Search releases by title or artist',
  nameOf: (row) => row.title,
  linkOf: ({ id }) => ({ to: '/admin/releases/$id', params: { id } }),
  columns: [
    { id: 'title', header: 'Title', cell: (row) => row.title, sort: 'title' },
    { id: 'kind', header: 'Kind', cell: (row) => RELEASE_KIND_LABEL[row.kind] },
    { id: 'tracks', header: 'Tracks', cell: (row) => row.trackIds.length, numeric: true },
    {
      id: 'time',
      header: 'Release time',
      cell: (row) => timeZone && <time dateTime={row.releasedAt}>{formatZonedDateTime(row.releasedAt, timeZone)}</time>,
      sort: 'time',
    },
    { id: 'state', header: 'State', cell: (row) => <ReleaseState release={row} now={now} /> },
  ],
  filters: [
    choiceFilter('kind', 'Kind', RELEASE_KIND_LABEL),
    choiceFilter('state', 'State', { out: 'Out', scheduled: 'Scheduled', hidden: 'Hidden: no track' }),
    { id: 'time', label: 'Release time', kind: 'days' },
  ],
  bulkActions: [
    {
      label: 'Delete',
      run: ({ id }) => removeRelease(id),
      undo: ({ id }) => restoreRelease(id),
      keys: RELEASE_KEYS,
      done: 'Deleted',
    },
  ],
  empty: 'No releases yet. Add the first one: a single, an EP or an album.',
})

function ReleaseState({ release, now }: { release: AdminRelease; now: number }) {
  if (Date.parse(release.releasedAt) > now)
    return <span className="text-gold">{release.isAnnounced ? 'Scheduled, countdown on' : 'Scheduled'}</span>
  return release.trackIds.length === 0 ? <span className="text-sunset">Hidden: no track</span> : <span>Out</span>
}

function ReleasesPanel() {
  const now = useNow(UPDATE_INTERVAL_MS)
  const { data: site } = useQuery(adminQuery('site', adminSiteApi.site))
  const removeWithUndo = useRemoveWithUndo({ keys: RELEASE_KEYS, remove: removeRelease, restore: restoreRelease })
  return (
    <AdminList
      list={releaseList(site?.timeZone, now)}
      note={site && `Times are in ${site.timeZone}.`}
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
