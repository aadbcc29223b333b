import { useQuery } from '@tanstack/react-query'
import { type AdminTrack, adminSiteApi, adminTracksApi, TrackDraft } from '../../worker/contract/admin-content'
import type { Credit } from '../../worker/contract/releases'
import { adminQuery, readNextPosition } from '../admin/admin.queries'
import { TrackPreview } from '../admin/lazy-previews'
import type { EditableListDefinition } from '../admin/list/EditableList'
import { choiceFilter } from '../admin/list/list-definition'
import { ALT_HINT, type FieldDefinition } from '../admin/RecordField'
import { fillPath } from '../api/call'
import { formatCount } from '../lib/format'
import { SelectField } from '../ui/Field'
import { CreditsField } from './CreditsField'
import { LyricsField } from './LyricsField'
import { adminReleases } from './music-admin.queries'

/** Id of the input that chooses the recording. */
export const TRACK_AUDIO_PICKER_ID = 'track-audio-picker'

type Fields = readonly FieldDefinition<TrackDraft>[]

const aboutFields: Fields = [
  { name: 'title', label: 'Title' },
  { name: 'artist', label: 'Artist' },
  { name: 'durationSeconds', label: 'Length in seconds', kind: 'number', hint: 'Read from the recording.' },
  { name: 'isrc', label: 'ISRC', optional: true, hint: 'Such as US-ABC-26-00001.' },
  {
    name: 'audio',
    label: 'Recording',
    kind: 'audio',
    durationField: 'durationSeconds',
    pickerId: TRACK_AUDIO_PICKER_ID,
  },
  { name: 'coverUrl', label: 'Cover', kind: 'image', crop: 'cover' },
  { name: 'coverAlt', label: 'Cover description', wide: true, hint: ALT_HINT },
]
const placementFields: Fields = [
  { name: 'spotifyUrl', label: 'Spotify link', kind: 'url', optional: true },
  { name: 'position', label: 'Place in the list', kind: 'number' },
  { name: 'isTrending', label: 'Trending', kind: 'checkbox', hint: 'The first one is the featured track.' },
  { name: 'isExclusive', label: 'Silver and Gold only', kind: 'checkbox' },
]
const slugField: FieldDefinition<TrackDraft> = {
  name: 'slug',
  label: 'Address',
  kind: 'slug',
  optional: true,
  hint: 'Leave empty to create it from the title. It can’t change once the track is out.',
}
const releaseField: FieldDefinition<TrackDraft> = {
  name: 'releaseId',
  label: 'Release',
  kind: 'custom',
  render: ({ value, onChange, error }) => (
    <ReleaseSelect value={value as string | null | undefined} onChange={onChange} error={error} />
  ),
}
const lyricsAndCredits = (row: AdminTrack | null): Fields => [
  {
    name: 'lyrics',
    label: 'Lyrics',
    kind: 'custom',
    render: ({ value, onChange, error, draft }) => (
      <LyricsField
        value={(value as string | undefined) ?? ''}
        durationSeconds={Number(draft.durationSeconds)}
        audioUrl={row?.audio && row.audio === draft.audio ? fillPath(adminTracksApi.audio.path, { id: row.id }) : null}
        {...{ onChange, error }}
      />
    ),
  },
  {
    name: 'credits',
    label: 'Credits',
    kind: 'custom',
    render: ({ value, onChange, error, itemErrors }) => (
      <CreditsField value={(value as Credit[] | undefined) ?? []} errors={itemErrors} {...{ onChange, error }} />
    ),
  },
]

const fieldsOf = (row: AdminTrack | null, firstFields: Fields): Fields => [
  ...firstFields,
  ...aboutFields,
  ...lyricsAndCredits(row),
  ...(row?.isReleased ? [] : [slugField]),
  ...placementFields,
]

type TrackForm = EditableListDefinition<'/api/admin/tracks', AdminTrack, TrackDraft>['form']

export const trackForm = {
  schema: TrackDraft,
  fields: (row) => fieldsOf(row, row ? [] : [releaseField]),
  // Without `album`, the track stays in its release; with it, the server moves the track to the release of that title.
  toDraft: ({ id: _, plays: __, isReleased: ___, album: ____, ...draft }) => draft,
  blank: {
    audio: null,
    coverUrl: '',
    spotifyUrl: '',
    isTrending: false,
    isExclusive: false,
    isrc: '',
    lyrics: '',
    credits: [],
  },
  readDefaults: async (queryClient) => {
    const [site, position] = await Promise.all([
      queryClient.fetchQuery(adminQuery('site', adminSiteApi.site)),
      readNextPosition(adminTracksApi.list),
    ])
    return { artist: site.name, position }
  },
  preview: TrackPreview,
  savedText: ({ releaseId }, row) =>
    (row ? row.isReleased : releaseId === undefined)
      ? 'It is on the site.'
      : 'It is on the site once its release is out.',
} satisfies TrackForm

/** All tracks. Each is edited on its own page, because its master is uploaded beside the form. */
export const trackList = {
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
      { id: 'album', header: 'Album', cell: (row) => row.album || '–' },
      { id: 'plays', header: 'Plays', cell: (row) => formatCount(row.plays), sort: 'plays', isNumeric: true },
      { id: 'position', header: 'Place', cell: (row) => row.position, sort: 'position', isNumeric: true },
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
  page: 'track',
  endpoints: adminTracksApi,
} satisfies EditableListDefinition<'/api/admin/tracks', AdminTrack, TrackDraft>

/** The fields of a new track of a release, without the choice of a release. */
export const releaseTrackFields = fieldsOf(null, [])

type ReleaseSelectProps = {
  /** Undefined to create a single for the track, null for no release yet. */
  value: string | null | undefined
  onChange: (releaseId: string | null | undefined) => void
  error?: string
}

const NO_RELEASE = 'none'

function ReleaseSelect({ value, onChange, error }: ReleaseSelectProps) {
  const { data: releases = [] } = useQuery(adminReleases)
  return (
    <SelectField
      label="Release"
      className="sm:col-span-2"
      value={value === null ? NO_RELEASE : (value ?? '')}
      error={error}
      options={[
        { value: '', label: 'A new single, out now' },
        { value: NO_RELEASE, label: 'None yet' },
        ...releases.map(({ id, title }) => ({ value: id, label: `On “${title}”` })),
      ]}
      onChange={({ target }) => onChange(target.value === NO_RELEASE ? null : target.value || undefined)}
    />
  )
}
