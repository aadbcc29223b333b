import { queryOptions, useQuery, useQueryClient } from '@tanstack/react-query'
import { Link, useNavigate } from '@tanstack/react-router'
import { Eye } from 'lucide-react'
import { useRef, useState } from 'react'
import {
  type AdminRelease,
  type AdminTrack,
  adminReleasesApi,
  adminSiteApi,
  adminTracksApi,
  ReleaseDraft,
  type TrackDraft,
} from '../../worker/contract/admin-content'
import { OPEN_PARAM } from '../../worker/contract/admin-screens'
import { type Credit, RELEASE_KIND_LABEL } from '../../worker/contract/releases'
import { adminQuery, useAdminMutation } from '../admin/admin.queries'
import { toOptions } from '../admin/list/list-definition'
import { recordReaders } from '../admin/list/record-client'
import { RecordDialog } from '../admin/RecordDialog'
import { ALT_HINT, type FieldDefinition } from '../admin/RecordField'
import { RecordForm } from '../admin/RecordForm'
import { RecordHeader } from '../admin/RecordHeader'
import { toScreen, useScreenParam, useScreenSearch } from '../admin/screen-location'
import { useAutosave } from '../admin/useFormDraft'
import { call, nullIfNotFound } from '../api/call'
import { formatZonedDateTime } from '../lib/format'
import { buttonClass } from '../ui/Button'
import { EmptyNotice } from '../ui/EmptyNotice'
import { QueryBoundary } from '../ui/QueryBoundary'
import { CreditsField } from './CreditsField'
import { adminTracks } from './music-admin.queries'
import { ReleaseTimeField } from './ReleaseTimeField'
import { TrackOrderField } from './TrackOrderField'
import { releaseTrackFields, trackForm, trackList } from './track-form'

const releaseQuery = (id: string) =>
  queryOptions({
    queryKey: ['admin', 'releases', id],
    // Null if the release was deleted.
    queryFn: () => call(adminReleasesApi.release, { id }).catch(nullIfNotFound),
    staleTime: 0,
  })
const siteQuery = adminQuery('site', adminSiteApi.site)

/** /admin/releases/$id edits a release; /admin/releases/new adds one. */
export function AdminReleasePage() {
  const id = useScreenParam('id')
  const isNew = id === 'new'
  const release = useQuery({ ...releaseQuery(id), enabled: !isNew })
  const tracks = useQuery(adminTracks)
  const site = useQuery(siteQuery)
  const queries = [release, tracks, site]
  const failedQueries = queries.filter(({ error }) => error)
  const isLoaded = isNew || release.data !== undefined
  return (
    <>
      <RecordHeader back="music" title={isNew ? 'A new release' : (release.data?.title ?? 'Release')} />
      <QueryBoundary
        query={{
          data: isLoaded && tracks.data && site.data ? { tracks: tracks.data, site: site.data } : undefined,
          isError: failedQueries.length > 0,
          isFetching: queries.some(({ isFetching }) => isFetching),
          refetch: () => Promise.all(failedQueries.map(({ refetch }) => refetch())),
        }}
        loading={{ label: 'Loading the release', className: 'h-96' }}
        error="The release could not be loaded."
      >
        {(loaded) =>
          release.data === null ? (
            <EmptyNotice>This release was deleted. Go back to the list to open another one.</EmptyNotice>
          ) : (
            <ReleaseEditor
              key={id}
              release={release.data ?? null}
              tracks={loaded.tracks}
              artist={loaded.site.name}
              timeZone={loaded.site.timeZone}
            />
          )
        }
      </QueryBoundary>
    </>
  )
}

type EditorProps = {
  release: AdminRelease | null
  tracks: readonly AdminTrack[]
  artist: string
  /** IANA zone of the artist. */
  timeZone: string
}

function ReleaseEditor({ release, tracks, artist, timeZone }: EditorProps) {
  const queryClient = useQueryClient()
  const navigate = useNavigate()
  // Refetches do not replace the form's values, because the user may have edited them.
  const [stored, setStored] = useState(release)
  const createdId = useRef<string>(null)
  const autosave = useAutosave(`releases.${release?.id ?? 'new'}`, release?.title ?? 'A new release')
  const write = useAdminMutation(
    async (draft: ReleaseDraft) => {
      if (!stored) return (await call(adminReleasesApi.add, { body: draft })).id
      await call(adminReleasesApi.update, { id: stored.id, body: draft })
      return stored.id
    },
    ['releases', 'tracks'],
  )

  async function save(draft: ReleaseDraft): Promise<string> {
    const id = await write.mutateAsync(draft)
    createdId.current = id
    if (stored) setStored({ ...stored, ...draft, slug: draft.slug ?? stored.slug, version: stored.version + 1 })
    return id
  }
  const readDraft = async (id: string) => {
    const saved = await queryClient.fetchQuery(releaseQuery(id))
    return saved ? toDraft(saved) : undefined
  }
  const readCreated = async (id: unknown) => {
    const values = await readDraft(String(id))
    return values && { formId: `releases.${id}`, values }
  }
  const isOut = stored !== null && Date.parse(stored.releasedAt) <= Date.now()
  return (
    <div className="max-w-4xl">
      {stored && (
        <p className="mb-8 flex flex-wrap items-center gap-x-6 gap-y-2">
          <Link
            to="/admin/releases/$id/preview"
            params={{ id: stored.id }}
            target="_blank"
            className={buttonClass('outline')}
          >
            <Eye size={20} aria-hidden />
            Preview
            <span className="sr-only">(opens in a new tab)</span>
          </Link>
          <span className="text-sm text-muted">
            The page as it was last saved, with its music. Only the team can open it.
          </span>
        </p>
      )}
      <RecordForm<ReleaseDraft, ReleaseDraft>
        schema={ReleaseDraft}
        fields={releaseFields({ releaseId: release?.id ?? null, tracks, artist, timeZone, isOut })}
        values={stored ? toDraft(stored) : { ...BLANK_RELEASE, artist }}
        save={save}
        savedText={({ releasedAt, trackIds }) => {
          const condition = trackIds.length === 0 ? ', if it has a track by then' : ''
          if (Date.parse(releasedAt) > Date.now())
            return `It comes out ${formatZonedDateTime(releasedAt, timeZone)}${condition}.`
          return trackIds.length === 0 ? 'It is hidden until it has a track.' : 'It is on the site.'
        }}
        readLatest={stored ? () => readDraft(stored.id) : undefined}
        readCreated={stored ? undefined : readCreated}
        onSaved={() => {
          if (!stored && createdId.current)
            void navigate({ ...toScreen('release', { params: { id: createdId.current } }), replace: true })
        }}
        autosave={autosave}
      />
    </div>
  )
}

const toDraft = ({ id: _, ...draft }: AdminRelease): ReleaseDraft => draft
const BLANK_RELEASE = {
  title: '',
  kind: 'single',
  coverUrl: '',
  coverAlt: '',
  releasedAt: '',
  isAnnounced: false,
  notes: '',
  credits: [],
  label: '',
  upc: '',
  isExplicit: false,
  trackIds: [],
} satisfies Partial<ReleaseDraft>

const titleOf = (tracks: readonly AdminTrack[], trackId: number) =>
  tracks.find(({ id }) => id === String(trackId))?.title ?? 'A new track'

type FieldContext = {
  /** Null for a new release. */
  releaseId: string | null
  tracks: readonly AdminTrack[]
  artist: string
  timeZone: string
  isOut: boolean
}

function releaseFields(context: FieldContext): readonly FieldDefinition<ReleaseDraft>[] {
  const { releaseId, tracks, artist, timeZone, isOut } = context
  return [
    { name: 'title', label: 'Title' },
    { name: 'artist', label: 'Artist' },
    {
      name: 'kind',
      label: 'Kind',
      kind: 'select',
      options: toOptions(RELEASE_KIND_LABEL),
    },
    ...(isOut ? [] : [SLUG_FIELD]),
    {
      name: 'releasedAt',
      label: 'Release time',
      kind: 'custom',
      render: ({ value, onChange, error, draft }) => (
        <ReleaseTimeField
          value={value as string}
          isAnnounced={draft.isAnnounced === true}
          {...{ onChange, error, timeZone }}
        />
      ),
    },
    ...(isOut ? [] : [COUNTDOWN_FIELD]),
    { name: 'coverUrl', label: 'Cover', kind: 'image', crop: 'cover' },
    { name: 'coverAlt', label: 'Cover description', wide: true, hint: ALT_HINT },
    {
      name: 'trackIds',
      label: 'Tracks',
      kind: 'custom',
      describe: (ids) => (ids as number[]).map((id) => titleOf(tracks, id)).join(', '),
      render: ({ value, onChange, error, draft }) => (
        <ReleaseTracks
          value={value as number[]}
          artist={draft.artist || artist}
          {...{ onChange, error, tracks, releaseId }}
        />
      ),
    },
    { name: 'notes', label: 'Notes', kind: 'textarea', rows: 6, optional: true },
    {
      name: 'credits',
      label: 'Credits',
      kind: 'custom',
      render: ({ value, onChange, error, itemErrors }) => (
        <CreditsField value={value as Credit[]} errors={itemErrors} {...{ onChange, error }} />
      ),
    },
    { name: 'label', label: 'Label', optional: true },
    { name: 'upc', label: 'UPC', optional: true, hint: '12 to 14 digits.' },
    { name: 'isExplicit', label: 'Explicit lyrics', kind: 'checkbox' },
  ]
}
const SLUG_FIELD: FieldDefinition<ReleaseDraft> = {
  name: 'slug',
  label: 'Address',
  kind: 'slug',
  optional: true,
  hint: 'Leave empty to create it from the title. It can’t change once the release is out.',
}

const COUNTDOWN_FIELD: FieldDefinition<ReleaseDraft> = {
  name: 'isAnnounced',
  label: 'Show a countdown page',
  kind: 'checkbox',
  hint: 'Cover, title, kind and release time are public at once. Tracks and lyrics stay hidden until the release.',
}

type ReleaseTracksProps = {
  releaseId: string | null
  value: readonly number[]
  onChange: (trackIds: number[]) => void
  tracks: readonly AdminTrack[]
  /** Artist of new tracks. */
  artist: string
  error?: string
}

/** The tracks of the release, and a dialog that adds a new track and saves it immediately. */
function ReleaseTracks({ releaseId, value, onChange, tracks, artist, error }: ReleaseTracksProps) {
  const [search, setSearch] = useScreenSearch()
  const add = useAdminMutation((draft: TrackDraft) => call(adminTracksApi.add, { body: draft }), ['tracks', 'releases'])
  const position = 1 + Math.max(0, ...tracks.map((track) => track.position))
  return (
    <>
      <TrackOrderField
        {...{ value, onChange, tracks, error }}
        onAddNew={() => setSearch({ [OPEN_PARAM]: 'new' }, { push: true })}
      />
      {search[OPEN_PARAM] === 'new' && (
        <RecordDialog
          title="A new track"
          formId={`release-tracks.${releaseId ?? 'new'}`}
          schema={trackForm.schema}
          fields={releaseTrackFields}
          values={{ ...trackForm.blank, artist, position, releaseId: null }}
          savedText={() => 'The track is saved. Save the release to add it.'}
          save={async (draft) => {
            const added = await add.mutateAsync(draft)
            onChange([...value, Number(added.id)])
            return added
          }}
          {...recordReaders(trackList, null)}
          preview={trackForm.preview}
          onClose={() => setSearch({ [OPEN_PARAM]: '' })}
        />
      )}
    </>
  )
}
