import { useQuery } from '@tanstack/react-query'
import { useNavigate } from '@tanstack/react-router'
import { type AdminRelease, adminReleasesApi, adminSiteApi } from '../../worker/contract/admin-content'
import { RELEASE_KIND_LABEL } from '../../worker/contract/releases'
import { adminQuery, useRemoveWithUndo } from '../admin/admin.queries'
import { UnsavedDraftNotices } from '../admin/FormDraftNotices'
import { AdminList } from '../admin/list/AdminList'
import { EditableList } from '../admin/list/EditableList'
import { type AdminListDefinition, choiceFilter } from '../admin/list/list-definition'
import { RowActions } from '../admin/RowActions'
import { ScreenLink } from '../admin/ScreenLink'
import { toScreen } from '../admin/screen-location'
import { call } from '../api/call'
import { formatZonedDateTime } from '../lib/format'
import { useNow } from '../lib/useNow'
import { buttonClass } from '../ui/Button'
import { trackList } from './track-form'

export const MusicTab = () => (
  <div className="grid gap-12">
    <div>
      <UnsavedReleases />
      <ReleasesPanel />
    </div>
    <EditableList definition={trackList} />
  </div>
)

function UnsavedReleases() {
  const navigate = useNavigate()
  return (
    <UnsavedDraftNotices list="releases" onContinue={(id) => void navigate(toScreen('release', { params: { id } }))} />
  )
}

const RELEASE_QUERY_KEYS = ['releases', 'tracks']
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
  linkOf: ({ id }) => toScreen('release', { params: { id } }),
  columns: [
    { id: 'title', header: 'Title', cell: (row) => row.title, sort: 'title' },
    { id: 'kind', header: 'Kind', cell: (row) => RELEASE_KIND_LABEL[row.kind] },
    { id: 'tracks', header: 'Tracks', cell: (row) => row.trackIds.length, isNumeric: true },
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
      keys: RELEASE_QUERY_KEYS,
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
  const removeWithUndo = useRemoveWithUndo({ keys: RELEASE_QUERY_KEYS, remove: removeRelease, restore: restoreRelease })
  return (
    <AdminList
      list={releaseList(site?.timeZone, now)}
      note={site && `Times are in ${site.timeZone}.`}
      tools={
        <ScreenLink screen="release" params={{ id: 'new' }} className={buttonClass()}>
          Add a release
        </ScreenLink>
      }
      actions={(row) => (
        <RowActions
          name={`the release ${row.title}`}
          page={toScreen('release', { params: { id: row.id } })}
          onDelete={() => removeWithUndo(row.id, row.title)}
        />
      )}
    />
  )
}
